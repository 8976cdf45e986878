"""Where our programs leave what they tell, and what they hand out."""

REPORTS = "/var/lib/nasweb-restore"  # StateDirectory= of the drop-in
HANDED_OUT = "/run/nasweb-files"  # a folder for each ticket, made by systemd and gone with its unit
