"""`python -m host.simulated disks|pull|insert|occupy --state FILE …`: lay hands on a simulated machine."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from host.simulated import OCCUPATIONS, SimulatedHost


def main(arguments: list[str] | None = None) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m host.simulated", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    described = {
        "disks": "list the disks",
        "pull": "take a disk out",
        "insert": "put a pulled disk back",
        "occupy": "put something on a disk that stands in the way of taking it",
    }
    for action, text in described.items():
        sub = actions.add_parser(action, help=text, description=text)
        sub.add_argument("--state", type=Path, required=True, help="the machine's file")
        if action != "disks":
            sub.add_argument("disk", help="a name under /dev/disk/by-id, a serial, or sdX")
        if action == "occupy":
            sub.add_argument("how", choices=OCCUPATIONS)
    chosen = parser.parse_args(arguments)
    if not chosen.state.exists():
        parser.error(f"There is no machine in {chosen.state}.")
    host = SimulatedHost(chosen.state)
    try:
        match chosen.action:
            case "pull":
                host.pull(chosen.disk)
            case "insert":
                host.insert(chosen.disk)
            case "occupy":
                host.occupy(chosen.disk, chosen.how)
    except KeyError:
        where = "pulled" if chosen.action == "insert" else "in the machine"
        parser.error(f"No disk {chosen.disk} is {where}. `disks` lists them all.")
    if chosen.action == "disks":
        for disk in host.machine().disks:
            place = "pulled" if disk.pulled else disk.path
            sys.stdout.write(f"{place:<10} {disk.serial:<22} {disk.ids[0]}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
