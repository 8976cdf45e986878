"""How clients connect to a share: what is typed or clicked, with the names and addresses of this machine."""

from __future__ import annotations

import ipaddress
import shlex
from typing import Literal
from urllib.parse import quote, urlsplit

import msgspec

from host.inventory import Inventory, NfsShare, SmbShare
from shares.nfs.render import mount_line
from shares.smb.render import machine_name

By = Literal["name", "address"]
_YOU = "YOUR-NAME"


class Names(msgspec.Struct, frozen=True, kw_only=True):
    """What clients call this machine. `windows` and `others` are those that the lines use."""

    by: By
    windows: str
    others: str
    smb: str  # in SMB, as Windows shows it
    local: str  # as mDNS tells it in the network at hand
    asked: str  # what the browser itself asked for; empty where that leads nowhere else


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line to copy, with what it is and what else to know."""

    title: str
    text: str
    hint: str = ""


class Client(msgspec.Struct, frozen=True, kw_only=True):
    """The lines for one kind of client."""

    title: str
    icon: str
    lines: tuple[Line, ...]


def names_of(inventory: Inventory, host: str, by: str) -> Names:
    """The machine's names. `host` is the browser's Host header; `by` was asked for, and may be neither."""
    smb = machine_name(inventory.sharing.settings, inventory.facts.name)
    local = f"{inventory.facts.name.partition('.')[0].lower()}.local"
    asked = urlsplit(f"//{host}").hostname or ""
    if asked == local or _leads_back(asked):
        asked = ""
    if by == "address" and asked:
        found = f"[{asked}]" if ":" in asked else asked
        windows = f"{asked.replace(':', '-')}.ipv6-literal.net" if ":" in asked else asked
        return Names(by="address", windows=windows, others=found, smb=smb, local=local, asked=asked)
    return Names(by="name", windows=smb, others=local, smb=smb, local=local, asked=asked)


def smb_clients(share: SmbShare, names: Names) -> tuple[Client, ...]:
    """Windows, macOS and Linux."""
    return (_windows(share, names), _macos(share, names), _linux(share, names))


def nfs_lines(share: NfsShare, place: str, names: Names, *, version3: bool) -> tuple[Line, ...]:
    """The lines for an export that is mounted at `place` of the NAS."""
    leaf = share.dataset.rpartition("/")[2]
    source = f"{names.others}:{place}".replace(" ", "\\040")
    lines = (
        Line(title="Mount it now, as root", text=mount_line(share, place, names.others),
             hint=f"The folder /mnt/{leaf} must exist: mkdir -p /mnt/{leaf}."),
        Line(title="At every start: a line in /etc/fstab",
             text=f"{source} /mnt/{leaf} nfs defaults,_netdev,nofail 0 0",
             hint="nofail: the client also starts without the NAS."),
    )  # fmt: skip
    if not version3:
        return lines
    old = mount_line(share, place, names.others).replace("mount -t nfs ", "mount -t nfs -o vers=3 ", 1)
    return (*lines, Line(title="With NFS 3, for clients that cannot use NFS 4", text=old))


def _windows(share: SmbShare, names: Names) -> Client:
    path = f"\\\\{names.windows}\\{share.name}"
    hint = f"Sign in as {names.smb}\\ and the person's name."
    if share.guests != "no":
        hint = "Windows 11 asks for a name anyway, unless guest access was allowed there."
    return Client(
        title="Windows",
        icon="monitor",
        lines=(
            Line(title="In the address bar of Explorer", text=path, hint=hint),
            Line(title="As drive Z:, in a command prompt", text=f'net use Z: "{path}" /persistent:yes'),
        ),
    )


def _macos(share: SmbShare, names: Names) -> Client:
    path = f"{names.others}/{quote(share.name)}"
    lines: tuple[Line, ...]
    if share.purpose == "time-machine":
        lines = (
            Line(title="In the Finder: Go, Connect to Server (⌘K)", text=f"smb://{path}",
                 hint="Once is enough. Then System Settings, General, Time Machine, Add Backup Disk: choose "
                      f"“{share.name}” on {names.smb}."),
            Line(title="Or in the Terminal", text=f"sudo tmutil setdestination -ap 'smb://{_YOU}@{path}'",
                 hint="It asks for the person's password. Encrypt the backup when macOS offers it."),
        )  # fmt: skip
    else:
        lines = (Line(title="In the Finder: Go, Connect to Server (⌘K)", text=f"smb://{path}"),)
    return Client(title="macOS", icon="laptop", lines=lines)


def _linux(share: SmbShare, names: Names) -> Client:
    source = shlex.quote(f"//{names.others.strip('[]')}/{share.name}")
    options = ["guest"] if share.guests != "no" and not share.write else [f"username={_YOU}"]
    options += ["uid=$(id -u)", "gid=$(id -g)", *(["seal"] if share.encryption == "required" else [])]
    mount = f"sudo mount -t cifs {source} /mnt -o {','.join(options)}"
    hint = "From the package cifs-utils. It asks for the person's password."
    if options[0] == "guest":
        hint = "From the package cifs-utils. Guests need no password."
    return Client(
        title="Linux",
        icon="terminal",
        lines=(
            Line(title="In the file manager", text=f"smb://{names.others}/{quote(share.name)}"),
            Line(title="Mounted, in a terminal", text=mount, hint=hint),
        ),
    )


def _leads_back(host: str) -> bool:
    """Whether somebody else who asks for that reaches their own machine, or nothing."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in {"", "localhost"}
