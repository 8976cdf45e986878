"""Where measurements leave their reports."""

REPORTS = "/var/lib/nasweb-compression"  # StateDirectory= of the drop-in
