"""The first-boot wizard."""
