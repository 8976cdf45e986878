"""Counters that the kernel shows to everybody: processors, memory, ZFS's cache, ports and disks.

They are read as files, in this process: no program is started, no disk is asked, and no rights are needed.
"""
