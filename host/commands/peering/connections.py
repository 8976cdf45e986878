"""What root keeps of each connection to another machine, and the looks at that machine.

The private key is made in its folder and never leaves it. Whatever talks to the network does so in a unit of
its own, since the helper itself has none; the units' sandbox is a drop-in that ansible installs.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import Command, DatasetName, Fed, SecretReference
from host.commands.starting import python, waited
from host.connections import folder
from host.contents import ssh
from host.contents.ssh import ConnectionId, ConnectionKind, HostKeys, SshHost, SshPort, SshUser
from host.families import NOTHING

UNIT = "nasweb-replication-"  # what confines it is a drop-in
_UnitKey = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
# Of the machine's own name, as the other side is told it.
MachineName = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9](?:[A-Za-z0-9.\-]{0,61}[A-Za-z0-9])?\Z")]


class _OfConnection(Command, frozen=True, kw_only=True):
    """About one connection."""

    touches = NOTHING
    connection: ConnectionId


def unit(name: str, *words: str) -> tuple[str, ...]:
    """The `systemd-run` of a unit that is waited for, and that is given what the command is fed."""
    return (*waited(f"{UNIT}{name}.service"), *words)


def _program(name: str) -> tuple[str, ...]:
    return python(f"peering.{name}")


class MakeConnection(_OfConnection, frozen=True, kw_only=True):
    """The folder of a new connection, root's alone."""

    def argv(self) -> tuple[str, ...]:
        return ("install", "--directory", "--mode=0700", folder(self.connection))


class MakeConnectionKey(_OfConnection, frozen=True, kw_only=True):
    """A new key of this connection alone. It fails where there is one, which is never overwritten."""

    def argv(self) -> tuple[str, ...]:
        place = f"{folder(self.connection)}/id_ed25519"
        return ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", f"nasweb-{self.connection}", "-f", place)


class WriteConnection(_OfConnection, frozen=True, kw_only=True):
    """Say where the connection leads; the text is made here, of these values alone."""

    host: SshHost
    port: SshPort = 22
    user: SshUser

    def __post_init__(self) -> None:
        if fault := ssh.host_fault(self.host):
            raise ValueError(fault)

    def argv(self) -> tuple[str, ...]:
        return ("install", "--mode=0600", "/dev/stdin", f"{folder(self.connection)}/ssh_config")

    def input(self) -> str:
        return ssh.render(self.connection, self.host, self.port, self.user)


class CheckConnection(_OfConnection, frozen=True, kw_only=True):
    """Let ssh read the file and say what it makes of it. It connects to nobody."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("ssh", "-G", "-F", f"{folder(self.connection)}/ssh_config", self.connection)


class TrustHostKeys(_OfConnection, frozen=True, kw_only=True):
    """From now on the connection leads to whoever has one of these keys, and to nobody else."""

    keys: HostKeys

    def __post_init__(self) -> None:
        for key in self.keys:
            if fault := ssh.key_fault(key):
                raise ValueError(fault)

    def argv(self) -> tuple[str, ...]:
        return ("install", "--mode=0600", "/dev/stdin", f"{folder(self.connection)}/known_hosts")

    def input(self) -> str:
        return ssh.known_hosts(self.connection, self.keys)


class ForgetConnection(_OfConnection, frozen=True, kw_only=True):
    """Remove the key, and all else of a connection: nobody gets in by it any more."""

    def argv(self) -> tuple[str, ...]:
        return ("rm", "--recursive", "--force", "--one-file-system", folder(self.connection))


class ReadConnectionKey(_OfConnection, frozen=True, kw_only=True):
    """The public part of its key, for the other side."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("cat", f"{folder(self.connection)}/id_ed25519.pub")


class ReadPaired(_OfConnection, frozen=True, kw_only=True):
    """What the other Nasweb said of itself when they were paired, as JSON; status 1 where they were not."""

    reads = True
    good_exits = (0, 1)

    def argv(self) -> tuple[str, ...]:
        return ("cat", f"{folder(self.connection)}/paired.json")


class ScanHostKeys(Command, frozen=True, kw_only=True):
    """The public keys that an SSH server shows to whoever asks. `key` is new each time."""

    reads = True
    touches = NOTHING
    timeout_s = 40.0
    good_exits = (0, 1)  # 1: nobody answered
    host: SshHost
    port: SshPort = 22
    key: _UnitKey

    def __post_init__(self) -> None:
        if fault := ssh.host_fault(self.host):
            raise ValueError(fault)

    def argv(self) -> tuple[str, ...]:
        return unit(f"scan-{self.key}", *ssh.scan(self.host, self.port))


class ProbeConnection(_OfConnection, frozen=True, kw_only=True):
    """Connect, and ask for the version of OpenZFS and for a dataset; a `ProbeReport` as JSON."""

    reads = True
    timeout_s = 120.0
    kind: ConnectionKind
    dataset: DatasetName | None = None
    host: SshHost  # to compare its keys with those that are trusted, where that is in question
    port: SshPort = 22
    user: SshUser
    key: _UnitKey

    def argv(self) -> tuple[str, ...]:
        dataset = () if self.dataset is None else (f"--dataset={self.dataset}",)
        return unit(
            f"probe-{self.key}", *_program("connection"), f"--connection={self.connection}",
            f"--kind={self.kind}", f"--host={self.host}", f"--port={self.port}",
            f"--user={self.user}", *dataset,
        )  # fmt: skip


class ExchangeKeys(_OfConnection, frozen=True, kw_only=True):
    """Pair with another Nasweb by the code that it shows: give it this connection's key and take its own.

    The code goes to the program's standard input. What the other side answers is believed by the code alone
    (`host.pairing.protocol`), and then written to the connection's folder.
    """

    timeout_s = 90.0
    name: MachineName  # of this machine
    host: SshHost
    port: SshPort = 443  # of its console
    code: SecretReference

    def __post_init__(self) -> None:
        if fault := ssh.host_fault(self.host):
            raise ValueError(fault)

    def feeds(self) -> Fed | None:
        return Fed(self.code, "the code")

    def argv(self) -> tuple[str, ...]:
        return unit(
            f"pair-{self.connection}", *_program("pair"), f"--connection={self.connection}",
            f"--name={self.name}", f"--host={self.host}", f"--port={self.port}",
        )  # fmt: skip


Commands = (
    MakeConnection
    | MakeConnectionKey
    | WriteConnection
    | CheckConnection
    | TrustHostKeys
    | ForgetConnection
    | ReadConnectionKey
    | ReadPaired
    | ScanHostKeys
    | ProbeConnection
    | ExchangeKeys
)
