"""Pages of the places that replicas lie in, and of machines that may replicate to this one."""
