"""The entrance to all settings."""
