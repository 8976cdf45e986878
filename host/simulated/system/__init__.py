"""The simulated boot pair, swap and state."""
