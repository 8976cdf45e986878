"""The boot pair: two flash drives, or disks, that each start the machine: the system is on md across both."""
