"""What the machine is called, and its time zone."""
