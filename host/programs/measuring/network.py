"""Measures how fast the network to another machine is, or is the other end of such a measurement.

`python -m host.programs.measuring.network --run ID --port N [--host NAME]`; without a host it listens.
It says READY=1 once the host was looked up: until then to end with 3 is to refuse, and why is one line on its
stderr.
"""

from __future__ import annotations

import argparse
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from host import local
from host.addresses import problem_of_address
from host.measuring.pausing import Asked
from host.measuring.places import REPORTS
from host.network_speed.measuring import Measuring
from host.network_speed.values import NetworkSpeed
from host.programs.report import Report
from host.programs.rights import refuse
from host.programs.signals import Stop, ready
from host.system.following import Follow


class Around(NamedTuple):
    """What it finds on the machine. `resolve` gives addresses; it raises `OSError`."""

    resolve: Callable[[str], tuple[str, ...]]
    follow: Follow
    stop: Asked
    say_ready: Callable[[], None]


def resolve(host: str) -> tuple[str, ...]:
    """All addresses of a name, the preferred one first. Raises `OSError`."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def real() -> Around:
    """The machine that it runs on."""
    return Around(resolve=resolve, follow=local.follow, stop=Stop(), say_ready=ready)


def main(arguments: list[str] | None = None, around: Around | None = None) -> int:
    """The exit status."""
    found = argparse.ArgumentParser(prog="python -m host.programs.measuring.network", description=__doc__)
    found.add_argument("--run", required=True, help="what the run and its report are called")
    found.add_argument("--port", required=True, type=int, help="of iperf3")
    found.add_argument("--host", default="", help="where iperf3 listens; without it, it listens here")
    found.add_argument("--reports", type=Path, default=Path(REPORTS), help="the folder of reports")
    asked, here = found.parse_args(arguments), around or real()
    address = ""
    if asked.host:
        try:
            addresses = here.resolve(asked.host)
        except OSError as error:
            return refuse(f"{asked.host} is not found: {error.strerror or error}")
        # The resolver decides anew what a name leads to.
        if not addresses or any(problem_of_address(one) is not None for one in addresses):
            return refuse(f"{asked.host} leads to this machine itself, or to no single one.")
        address = addresses[0]

    def begin(moment: str) -> NetworkSpeed:
        return NetworkSpeed(
            run=asked.run, host=asked.host, port=asked.port, started_at=moment, updated_at=moment
        )

    report = Report(asked.reports / f"network-{asked.run}.json", begin, clock=time.monotonic)
    here.say_ready()
    measuring = Measuring(report, follow=here.follow, clock=time.monotonic, stop=here.stop)
    if address:
        measuring.to(address)
    else:
        measuring.listen()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
