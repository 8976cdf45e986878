"""How a request becomes a plan: its shape, what it needs to know, what is found wrong with it."""
