"""Scheduled operations: rows with a cron line and a time zone, submitted as ordinary jobs when due."""
