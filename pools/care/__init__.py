"""Keeping a pool healthy: scrub, trim, initialize, upgrade, checkpoint; and what scrubs found."""
