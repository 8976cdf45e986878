"""The boot pair: two flash drives, or disks, that each start the machine, with the system on md across both."""
