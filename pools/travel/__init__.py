"""Pools that leave this machine and come: export, import, undo of destroy, and mending of links."""
