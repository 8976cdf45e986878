"""Writes what the machine's screens say above the login prompt: the console's addresses, and the code.

`python -m host.programs.greeting` is run by a unit whenever the code or the network changed. The code comes
from a file of the console's; nothing but a code is taken from it, since this is written by root, and agetty
would follow other signs in it. Both files are in memory: no disk ever holds the code.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from host.base import Host, HostError
from host.commands.network import Addresses
from host.inventory import Interface
from host.local import LocalHost
from host.probe.network import parse_interfaces

CODE = Path("/run/nasweb-screen/code")
ISSUE = Path("/run/issue.d/nasweb.issue")
RELOAD = Path("/run/agetty.reload")  # agetty(8) draws anew when its times change
_CODE = re.compile(r"[A-Z0-9]{4}(-[A-Z0-9]{4}){2}")
_MOST_ADDRESSES = 6


def greeting(name: str, interfaces: tuple[Interface, ...], code: str | None) -> str:
    """The text. Addresses of IPv4 come first: they are the shorter ones to type."""
    found = sorted(
        (one for interface in interfaces if interface.carrier for one in interface.leads_here),
        key=lambda one: one.family,
    )
    hosts = [f"[{one.address}]" if one.family == 6 else one.address for one in found[:_MOST_ADDRESSES]]
    lines = ["", f"Nasweb on {name}", "", f"    https://{name}.local"]
    lines += [f"    https://{host}" for host in hosts] or ["    (no network: is the cable in?)"]
    if code is not None:
        lines += [
            "",
            "Nobody has claimed this machine. Open one of these in a browser and type",
            "",
            f"    {code}",
        ]
    return "".join(f"{line}\n" for line in (*lines, ""))


def code_in(path: Path) -> str | None:
    """The code that is to be shown; None where there is none, or something else."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            said = file.read(64).decode("ascii", "replace").strip()
    except OSError:
        return None
    return said if _CODE.fullmatch(said) else None


def put(text: str, path: Path) -> bool:
    """Write the whole file in one step, for root alone; False where it said so already."""
    try:
        if path.read_text() == text:
            return False
    except OSError:
        pass
    new = path.with_name(f".{path.name}.new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    new.replace(path)
    return True


def main(*, host: Host | None = None, code: Path = CODE, issue: Path = ISSUE, reload: Path = RELOAD) -> int:
    """The exit status."""
    try:
        interfaces = parse_interfaces((host or LocalHost()).run(Addresses()).stdout)
    except HostError as error:
        sys.stderr.write(f"The addresses could not be read: {error}\n")
        interfaces = ()
    # The code is read last: what changes after that finds this program at its end, and has it started again.
    if put(greeting(os.uname().nodename, interfaces, code_in(code)), issue):
        reload.touch()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
