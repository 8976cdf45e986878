"""Other machines that a simulated one can reach by SSH, and its connections to them.

What they are is part of the machine's state. To be paired with another Nasweb the real request is made, by
the real program's code; from then on that machine is known here as it described itself.
"""

from __future__ import annotations

import base64
from hashlib import sha256

import msgspec

from host.base import Result
from host.commands.peering.connections import (
    CheckConnection,
    ExchangeKeys,
    ForgetConnection,
    MakeConnection,
    MakeConnectionKey,
    ProbeConnection,
    ReadConnectionKey,
    ReadPaired,
    ScanHostKeys,
    TrustHostKeys,
    WriteConnection,
)
from host.connections import folder
from host.contents import peers, ssh
from host.pairing import exchange
from host.pairing.exchange import NotPaired
from host.pairing.probed import Probed
from host.programs.peer.rights import read_rights
from host.programs.peering.pair import REFUSED, exchanged
from host.simulated.handlers import fed, on
from host.simulated.refusal import Refusal, done
from host.simulated.runs import Neighbour
from host.simulated.state import Machine

_MISSING = "No such file or directory"
post = exchange.post  # how another console is asked; tests have it ask one that they made


def key_of(what: str) -> str:
    """A public key, the same for the same words; nobody has its other half."""
    fields = (b"ssh-ed25519", sha256(what.encode()).digest())
    packed = b"".join(len(field).to_bytes(4) + field for field in fields)
    return f"ssh-ed25519 {base64.b64encode(packed).decode()}"


def host_key(machine: Machine) -> str:
    """By which its own SSH server is known."""
    return key_of(f"host {machine.profile} {machine.booted}")


def neighbour(machine: Machine, host: str) -> Neighbour | None:
    """Who is at that name or address; at an address of its own the machine itself, as sshd finds its
    files."""
    if host not in _own(machine):
        return machine.neighbours.get(host)
    ours = {path: text for path, text in machine.files.items() if path.startswith(f"{peers.FOLDER}/")}
    rights = [read_rights(text) for path, text in ours.items() if path.endswith(".json")]
    return Neighbour(
        host_keys=[host_key(machine)],
        datasets=[name for one in rights for name in (one.root, *one.shared)],
        accepts=[" ".join(text.split(" ")[-3:-1]) for path, text in ours.items() if path.endswith(".keys")],
    )


def is_itself(machine: Machine, connection: str) -> bool:
    """Whether a connection leads to an address of the machine's own."""
    return _config(machine, connection).get("HostName") in _own(machine)


def own_key(machine: Machine, connection: str) -> str:
    """The public key of a connection; empty where there is none."""
    return ssh.public_part(machine.files.get(f"{folder(connection)}/id_ed25519.pub", "")) or ""


def _own(machine: Machine) -> set[str]:
    return {link.lease.partition("/")[0] for link in machine.network.links if link.lease}


def _make(machine: Machine, command: MakeConnection) -> None:
    machine.files.setdefault(folder(command.connection), "")


def _make_key(machine: Machine, command: MakeConnectionKey) -> None:
    place = f"{folder(command.connection)}/id_ed25519"
    if folder(command.connection) not in machine.files:
        raise Refusal(f'Saving key "{place}" failed: {_MISSING}\n')
    if place in machine.files:
        raise Refusal("", stdout=f"{place} already exists.\nOverwrite (y/n)? ")
    machine.files[place] = ""
    machine.files[f"{place}.pub"] = f"{key_of(f'{machine.number()}')} nasweb-{command.connection}\n"


def _write(machine: Machine, command: WriteConnection | TrustHostKeys) -> None:
    if folder(command.connection) not in machine.files:
        raise Refusal(f"install: cannot create regular file '{command.argv()[-1]}': {_MISSING}\n")
    machine.files[command.argv()[-1]] = command.input()


def _check(machine: Machine, command: CheckConnection) -> str:
    place = f"{folder(command.connection)}/ssh_config"
    if place not in machine.files:
        raise Refusal(f"Can't open user config file {place}: {_MISSING}\n", exit_status=255)
    found = _config(machine, command.connection)
    return "".join(f"{key.lower()} {value}\n" for key, value in found.items())


def _forget(machine: Machine, command: ForgetConnection) -> None:
    place = folder(command.connection)
    for path in [path for path in machine.files if path == place or path.startswith(f"{place}/")]:
        del machine.files[path]


def _cat(machine: Machine, command: ReadConnectionKey | ReadPaired) -> Result:
    path = command.argv()[-1]
    if path not in machine.files:
        raise Refusal(f"cat: {path}: {_MISSING}\n")
    return done(machine.files[path])


def _scan(machine: Machine, command: ScanHostKeys) -> Result:
    found = neighbour(machine, command.host)
    if found is None or command.port != found.port:
        return Result(exit=1)
    return done("".join(f"{command.host} {key}\n" for key in found.host_keys))


def _probe(machine: Machine, command: ProbeConnection) -> str:
    return msgspec.json.encode(_probed(machine, command)).decode()


def reached(machine: Machine, connection: str) -> Neighbour | Probed:
    """Who is at the other end of a connection and lets it in, or why nobody does."""
    config = _config(machine, connection)
    host, known = config.get("HostName", ""), f"{folder(connection)}/known_hosts"
    found = neighbour(machine, host)
    if found is None or str(found.port) != config.get("Port"):
        said = f"ssh: connect to host {host} port {config.get('Port')}: Connection timed out"
        return Probed(trouble="unreachable", said=said)
    trusted = machine.files.get(known, "").splitlines()
    if not set(trusted) & set(ssh.known_hosts(connection, tuple(found.host_keys)).splitlines()):
        said = "Host key verification failed."
        return Probed(trouble="host-key", said=said, shown_keys=tuple(found.host_keys))
    if found.accepts is not None and own_key(machine, connection) not in found.accepts:
        said = f"{config.get('User')}@{host}: Permission denied (publickey)."
        return Probed(trouble="key-refused", said=said)
    return found


def _probed(machine: Machine, command: ProbeConnection) -> Probed:
    found = reached(machine, command.connection)
    if isinstance(found, Probed):
        return found
    there = command.dataset in found.datasets
    if command.dataset is None or not there:
        said = f"cannot open '{command.dataset}': dataset does not exist" if command.dataset else ""
        return Probed(zfs=found.zfs, said=said, dataset="missing" if command.dataset else "unknown")
    missing = () if command.kind == "ssh" and command.user != "root" else None
    return Probed(zfs=found.zfs, dataset="there", missing=missing)


def _config(machine: Machine, connection: str) -> dict[str, str]:
    lines = machine.files.get(f"{folder(connection)}/ssh_config", "").splitlines()
    return dict(line.strip().split(" ", 1) for line in lines if not line.startswith("#"))


def _exchange(machine: Machine, command: ExchangeKeys, given: bytes) -> Result:
    place = folder(command.connection)
    key = machine.files.get(f"{place}/id_ed25519.pub", "")
    try:
        answering, kept = exchanged(
            command.connection, command.name, command.host, command.port, given.decode(), key, post
        )
    except NotPaired as error:
        raise Refusal(f"{error}\n", exit_status=REFUSED) from None
    machine.files |= {f"{place}/{name}": text for name, text in kept.items()}
    machine.neighbours[command.host] = Neighbour(
        host_keys=list(answering.host_keys), port=answering.port, zfs=answering.zfs,
        datasets=[answering.root, *answering.shared], accepts=[ssh.public_part(key) or ""],
    )  # fmt: skip
    return done(f"{msgspec.json.encode(answering).decode()}\n")


HANDLERS = (
    on(MakeConnection, _make)
    | on(MakeConnectionKey, _make_key)
    | on(WriteConnection, _write)
    | on(TrustHostKeys, _write)
    | on(CheckConnection, _check)
    | on(ForgetConnection, _forget)
    | on(ReadConnectionKey, _cat)
    | on(ReadPaired, _cat)
    | on(ScanHostKeys, _scan)
    | on(ProbeConnection, _probe)
    | fed(ExchangeKeys, _exchange)
)
