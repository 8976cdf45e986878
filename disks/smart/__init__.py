"""What disks say of themselves: read now and then, kept, and laid over the inventory."""
