"""Which layouts some disks can have, what each is worth, and which of them suits a use."""
