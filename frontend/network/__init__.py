"""The network as pages."""
