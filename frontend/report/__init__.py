"""The health report as a page to read, print and send."""
