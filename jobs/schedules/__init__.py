"""What is done by the clock: rows with a cron line and a time zone, submitted as ordinary jobs when due."""
