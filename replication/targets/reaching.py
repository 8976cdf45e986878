"""target.setup and target.probe: what another machine shows, and whether replicas can be sent there."""

from __future__ import annotations

import secrets

import msgspec
from django.utils import timezone

from host import typed
from host.base import Host
from host.commands.peering.connections import ProbeConnection, ReadConnectionKey, ReadPaired, ScanHostKeys
from host.contents.ssh import fingerprint, public_part, scanned_keys
from host.pairing.probed import Probed
from host.pairing.protocol import Answering
from host.replication.values import Target
from jobs.planning.findings import Findings
from replication.models import TargetRow
from replication.stored import target_of, value_of
from replication.targets.pair import described
from replication.targets.wanted import Number
from replication.targets.words import commands_there, is_ready, probed_words

SETUP, PROBE = "target.setup", "target.probe"


class AskTarget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of which target."""

    id: Number


class HostKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key that the other machine shows."""

    key: str
    kind: str
    fingerprint: str
    trusted: bool


class TargetSetup(msgspec.Struct, frozen=True, kw_only=True):
    """`key` is the public key by which this machine signs in there, `host_keys` are those that the other
    machine shows now, `commands` what its owner types there as root."""

    key: str
    host_keys: tuple[HostKey, ...]
    commands: tuple[str, ...]


class TargetProbe(msgspec.Struct, frozen=True, kw_only=True):
    """What a connection found. `ready`: replicas can be sent there now."""

    ready: bool
    words: str
    zfs: str | None
    trouble: str | None
    said: str
    missing: tuple[str, ...]
    shown_fingerprints: tuple[str, ...]


def setup(request: AskTarget, host: Host) -> TargetSetup:
    """Raises `Refused`, `HostError`."""
    target = target_of(_row(request.id))
    key = public_part(host.run(ReadConnectionKey(connection=target.connection)).stdout) or ""
    scan = ScanHostKeys(host=target.host, port=target.port, key=secrets.token_hex(8))
    return TargetSetup(
        key=key,
        host_keys=tuple(
            HostKey(
                key=one, kind=one.split(" ")[0], fingerprint=fingerprint(one), trusted=one in target.host_keys
            )
            for one in scanned_keys(host.run(scan).stdout)
        ),
        commands=commands_there(target, key) if target.kind == "ssh" else (),
    )


def probe(request: AskTarget, host: Host) -> TargetProbe:
    """Connect, and keep what was found. Raises `Refused`, `HostError`."""
    row = _row(request.id)
    target = _as_described(row, host)
    command = ProbeConnection(
        connection=target.connection, kind="nasweb" if target.kind == "nasweb" else "ssh",
        dataset=target.dataset or None, host=target.host, port=target.port, user=target.user,
        key=secrets.token_hex(8),
    )  # fmt: skip
    found = typed.decode(host.run(command).stdout, Probed)
    now = timezone.now()
    row.found, row.probed_at = msgspec.to_builtins(found), now
    row.reached_at = now if found.zfs is not None else row.reached_at
    row.save(update_fields=["found", "probed_at", "reached_at", "value"])
    return shown(target, found)


def shown(target: Target, found: Probed) -> TargetProbe:
    """What was found, for people."""
    return TargetProbe(
        ready=is_ready(found), words=probed_words(target, found), zfs=found.zfs, trouble=found.trouble,
        said=found.said, missing=found.missing or (),
        shown_fingerprints=tuple(fingerprint(key) for key in found.shown_keys),
    )  # fmt: skip


def _row(number: int) -> TargetRow:
    row = TargetRow.objects.filter(pk=number).first()
    if row is None:
        Findings().refuse("unknown-target", "id", "There is no such target.")
    if not row.value.get("connection"):
        Findings().refuse("not-remote", "id", f"{row.name} is a pool of this machine.")
    return row


def _as_described(row: TargetRow, host: Host) -> Target:
    """As its machine described itself when they were paired, where that is not known yet."""
    target = target_of(row)
    if target.kind == "nasweb" and not target.dataset:
        said = host.run(ReadPaired(connection=target.connection)).stdout
        target = described(target, typed.decode(said, Answering)) if said else target
        row.value = value_of(target)
    return target
