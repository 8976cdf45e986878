"""Where our programs leave their reports, and what they hand out."""

REPORTS = "/var/lib/nasweb-restore"  # StateDirectory= of the drop-in
RIGHTS_REPORTS = "/var/lib/nasweb-rights"  # the same, of rights that are set on a whole folder
HANDED_OUT = "/run/nasweb-files"  # a folder for each ticket, made by systemd and gone with its unit
