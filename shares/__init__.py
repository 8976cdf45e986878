"""SMB and NFS shares, and the accounts that use them."""
