"""How fast the network to another machine is, measured with iperf3(1)."""
