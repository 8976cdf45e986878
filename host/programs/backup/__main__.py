"""What `python -m host.programs.backup` runs."""

from host.programs.backup.program import main

if __name__ == "__main__":
    raise SystemExit(main())
