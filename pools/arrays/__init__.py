"""md arrays beside ZFS: made, repaired, checked, grown and taken apart.

The array that carries the running system is only checked here; its two halves are the matter of `pools.boot`.
"""
