"""What speaks to repositories of restic, each time in a unit of its own.

`python -m host.programs.backup backup|check|restore --run KEY …` says READY=1 once it has written the first
report, and goes on for as long as it takes: whatever comes of it is in the report. `init`, `open`,
`snapshots`, `folder` and `server-keys` answer at once: in JSON, or with 3 and one line on stderr that says
why not.
"""
