"""One module a page: read the cached inventory, build values, render."""
