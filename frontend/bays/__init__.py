"""Bays, disks and vdevs as values for the eye, and the lights."""
