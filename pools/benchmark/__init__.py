"""How fast a pool is: measured in the background, kept, compared and held against what its layout allows."""
