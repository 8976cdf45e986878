"""`make bench`: each figure with its aim and how it was measured. `--lab` adds those of the virtual NAS."""

from __future__ import annotations

import sys

from tests.bench import processes, requests


def main() -> None:
    """Print all figures."""
    requests.measure()
    processes.measure()
    if "--lab" in sys.argv:
        from tests.bench import lab

        lab.measure()
    else:
        print("A job's own overhead is measured on the virtual NAS: make bench LAB=1")


main()
