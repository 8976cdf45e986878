"""The way to a simulated repository, and what is wrong with it, in the words of the real program."""

from __future__ import annotations

import base64
from hashlib import sha256

from host.repositories.settings import RepositorySettings
from host.repositories.words import RepositoryProblem, place_of, problem
from host.simulated.backups.state import KeptRepository, StoredRepository
from host.simulated.datasets.values import mountpoint
from host.simulated.state import Machine

DARK = ".invalid"  # names that end so are never found (RFC 6761)
PRIVATE = ".internal"  # the certificates of servers so named are signed by an authority of their own
STICK = "/media/stick"  # where a disk to be unplugged is mounted


def kept(machine: Machine, key: str) -> tuple[KeptRepository, RepositorySettings]:
    """Raises `RepositoryProblem`."""
    found = machine.backups.kept.get(key)
    if found is None or found.settings is None:
        raise RepositoryProblem(
            "other", "This machine does not know the repository (any more). Remove it and import it again."
        )
    return found, found.settings


def opened(machine: Machine, key: str) -> StoredRepository:
    """Raises `RepositoryProblem`."""
    way, settings = kept(machine, key)
    reach(machine, settings)
    found = machine.backups.places.get(settings.location)
    if found is None:
        raise problem("not-found", place_of(settings))
    if found.password != way.password:
        raise problem("wrong-password", place_of(settings))
    return found


def reach(machine: Machine, settings: RepositorySettings) -> None:
    """Raises `RepositoryProblem` where nothing answers, or no disk is there."""
    if settings.server is not None:
        if settings.server.host.endswith(DARK):
            raise RepositoryProblem(
                "unreachable",
                f"The name {settings.server.host} was not found. Check it, and whether this machine has a "
                "DNS server.",
            )
        if settings.tls_at and settings.server.host.endswith(PRIVATE) and not settings.authority:
            raise problem("certificate", place_of(settings), "unable to get local issuer certificate")
        if settings.sftp is not None and settings.sftp.host_key not in server_keys(settings.sftp.host):
            raise problem("host-key", place_of(settings))
        return
    path = place_of(settings)
    mounted = [
        mountpoint(machine, dataset)
        for pool in machine.pools.values()
        for dataset in pool.datasets.values()
        if dataset.mounted
    ]
    if not any(path.startswith(f"{place}/") for place in (*mounted, STICK)):
        raise problem("no-disk", path)


def server_keys(host: str) -> tuple[str, ...]:
    """What an SSH server of that name shows: the same each time."""
    kind = b"ssh-ed25519"
    blob = len(kind).to_bytes(4, "big") + kind + (32).to_bytes(4, "big") + sha256(host.encode()).digest()
    return (f"ssh-ed25519 {base64.b64encode(blob).decode()}",)
