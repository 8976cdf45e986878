"""The console: pages rendered on the server, from values."""
