"""How fast the network to another machine is."""
