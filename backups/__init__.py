"""Backups to repositories of restic: on another machine, in storage elsewhere, on a disk to be unplugged."""
