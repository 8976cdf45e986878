"""Other Naswebs that may replicate to this one."""
