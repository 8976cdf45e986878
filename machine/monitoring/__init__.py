"""What other tools get of this machine: metrics for Prometheus, and its journal on a log server."""
