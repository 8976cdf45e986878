"""Where measurements leave their reports."""

REPORTS = "/var/lib/nasweb-measured"  # StateDirectory= of the drop-in
