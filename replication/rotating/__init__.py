"""Pools that are plugged in now and then: recognised, brought up to date, and let go again."""
