"""Alerts, the doctor, and what pools do now, in the API."""
