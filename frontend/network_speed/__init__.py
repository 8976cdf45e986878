"""The page of how fast the network is."""
