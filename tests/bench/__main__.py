"""`make bench`: each figure with its aim and how it was measured. `--lab` adds those of the virtual NAS."""

from __future__ import annotations

import subprocess
import sys

from tests.bench import browser, crowd, processes, requests


def main() -> None:
    """Print all figures."""
    requests.measure()
    # Django is set up once in a process, and these are other machines.
    for other in ("asked", "doctor", "series", "shares", "lists", "scan"):
        subprocess.run([sys.executable, "-m", f"tests.bench.{other}"], check=True)
    crowd.measure()
    processes.measure()
    browser.measure()
    if "--lab" in sys.argv:
        from tests.bench import lab

        lab.measure()
    else:
        print("A job's own overhead is measured on the virtual NAS: make bench LAB=1")


main()
