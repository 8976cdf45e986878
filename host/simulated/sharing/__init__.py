"""Samba, the NFS server and what they read, on a simulated machine."""
