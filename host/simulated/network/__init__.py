"""The network of a simulated machine: files, services and interfaces, as systemd-networkd makes them."""
