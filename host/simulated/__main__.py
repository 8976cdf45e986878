"""`python -m host.simulated disks|pull|insert|swap|… --state FILE …`: lay hands on a simulated machine."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from host.simulated import OCCUPATIONS, SimulatedHost, hands
from host.simulated.hardware import COUNTERS
from host.simulated.refusal import Refusal


def main(arguments: list[str] | None = None) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m host.simulated", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    described = {
        "disks": "list the disks",
        "pull": "take a disk out",
        "insert": "put a pulled disk back",
        "occupy": "put something on a disk that stands in the way of taking it",
        "release": "close the map, or detach the loop device, that is built on a disk",
        "swap": "pull a disk and put a new one of its model in its place",
        "sleep": "spin a disk down",
        "wake": "spin a disk up",
        "age": "let a disk count otherwise, as in pending=3",
        "weaken": "let a disk forget, so that it fails its next burn-in",
        "shuffle": "start again with the disks found in another order",
        "lights": "list the lights that are on",
        "furnish": "let a dataset hold files, as a family has them",
    }
    for action, text in described.items():
        sub = actions.add_parser(action, help=text, description=text)
        sub.add_argument("--state", type=Path, required=True, help="the machine's file")
        if action == "furnish":
            sub.add_argument("dataset", help="such as tank/home")
        elif action not in {"disks", "shuffle", "lights"}:
            sub.add_argument("disk", help="a name under /dev/disk/by-id, a serial, or sdX")
        if action == "occupy":
            sub.add_argument("how", choices=OCCUPATIONS)
        if action == "swap":
            sub.add_argument("serial", help="of the new disk")
        if action == "age":
            sub.add_argument("counters", nargs="+", type=_counter, help=", ".join(COUNTERS))
    chosen = parser.parse_args(arguments)
    if not chosen.state.exists():
        parser.error(f"There is no machine in {chosen.state}.")
    host = SimulatedHost(chosen.state)
    try:
        _do(host, chosen)
    except hands.Impossible as impossible:
        parser.error(str(impossible))
    except Refusal as refusal:
        parser.error(str(refusal))
    except KeyError:
        where = "pulled" if chosen.action == "insert" else "in the machine"
        parser.error(f"No disk {chosen.disk} is {where}. `disks` lists them all.")
    if chosen.action == "disks":
        for disk in host.machine().disks:
            place = "pulled" if disk.pulled else disk.path
            sys.stdout.write(f"{place:<10} {disk.serial:<22} {disk.ids[0]}\n")
    if chosen.action == "lights":
        for enclosure in host.machine().enclosures:
            lit = [slot for slot in enclosure.slots if slot.lit]
            sys.stdout.writelines(f"{enclosure.id} slot {slot.number} ({slot.folder})\n" for slot in lit)
        on = [led for led in host.machine().leds if led.lit]
        sys.stdout.writelines(f"{led.controller} slot {led.slot}\n" for led in on)
    return 0


def _do(host: SimulatedHost, chosen: argparse.Namespace) -> None:
    match chosen.action:
        case "pull":
            host.pull(chosen.disk)
        case "insert":
            host.insert(chosen.disk)
        case "occupy":
            host.occupy(chosen.disk, chosen.how)
        case "release":
            host.occupy(chosen.disk, None)
        case "swap":
            host.swap(chosen.disk, chosen.serial)
        case "sleep":
            host.sleep(chosen.disk)
        case "wake":
            host.wake(chosen.disk)
        case "age":
            host.age(chosen.disk, **dict(chosen.counters))
        case "weaken":
            host.weaken(chosen.disk)
        case "shuffle":
            host.shuffle()
        case "furnish":
            host.furnish(chosen.dataset)


def _counter(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    if name not in COUNTERS:
        raise argparse.ArgumentTypeError(f"{name} is none of {', '.join(COUNTERS)}")
    return name, int(value)


if __name__ == "__main__":
    raise SystemExit(main())
