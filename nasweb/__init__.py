"""Composes the parts into one product: settings, URLs, the queue, accounts, and the table of operations."""

from host.system.malloc import return_large_blocks

__version__ = "0.1.0"

return_large_blocks()  # before anything starts a thread
