"""The one door to the machine: typed commands, the hosts that run them, and what they report."""
