"""Pages about repositories: where backups are stored, and what lies there."""
