"""The endpoints of replications."""
