"""Copies of the console's settings: how one is written, and the folder on a pool that holds them."""
