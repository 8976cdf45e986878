"""Exports of NFS."""
