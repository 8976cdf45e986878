"""What `python -m host.programs.boot_convert` runs."""

from host.programs.boot_convert.program import main

if __name__ == "__main__":
    raise SystemExit(main())
