"""What the machine itself is set to: its name, clock and network, and the copies of its configuration."""
