"""Programs about other machines, each in a unit of its own: pairing with one, and a look at one."""
