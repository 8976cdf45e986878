"""Copies the running system, which is on partitions of one disk, to the md array on another, and starts it.

`python -m host.programs.boot_convert copy|restart ARRAY DISK`, both by their links under /dev/disk/by-id.
`copy` lets that disk start a machine by itself. `restart` stops what writes, does the same once more, and
starts the machine from the copy, for one start only: whatever goes wrong, the next one is the old system. Of
the old disk nothing is changed but GRUB's custom.cfg and grubenv, right before that start. It runs in a unit
of its own, which outlives the console's, and in a mount namespace of its own.
"""
