"""What the first-boot wizard remembers; what is done it reads off the machine."""
