"""Commands on what the machine starts from: boot pair, swap and state."""
