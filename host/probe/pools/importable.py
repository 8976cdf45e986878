"""`zpool import` without a pool's name: what could be imported. There is no JSON of it in OpenZFS 2.3."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import msgspec

from host.base import Host, UnknownFormat
from host.commands.disks.labels import ZdbLabel
from host.commands.facts import HostId
from host.commands.pools.importing import ZpoolExport, ZpoolImportable, ZpoolImportLoss
from host.commands.pools.zpool import ZpoolStatus
from host.inventory import Importable, ImportablePool, ImportableVdev, ImportLoss, LastUse
from host.inventory.pools import Role
from host.probe.disks.labels import parse_zdb_label
from host.probe.json_output import decode

_FIELD = re.compile(r" *(pool|id|state|status|action|comment|see|config|scan): ?(.*)")
_LINK = re.compile(r"[A-Za-z][A-Za-z0-9_.:+=@#\-]*")  # of a missing one there is a number
_HOPELESS = "ZFS finds no earlier state of the pool that it could go back to."
_DESTROYED = " (DESTROYED)"
_ROLES: dict[str, Role] = {
    "logs": "log", "cache": "cache", "spares": "spare", "special": "special", "dedup": "dedup",
}  # fmt: skip
_STATES = {"ONLINE", "DEGRADED", "FAULTED", "OFFLINE", "UNAVAIL", "REMOVED", "SPLIT"}


def scan_for_pools(host: Host, *, losses_of: Iterable[str] = ()) -> Importable:
    """All pools that are not imported, destroyed ones too, and what a rewind of those with the guids
    `losses_of` would give up. Wakes all disks: only on request. Raises `HostError`."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    found = (*read_importable(host), *read_importable(host, destroyed=True))
    own = int(host.run(HostId()).stdout, 16) if found else 0
    pools = tuple(_with_last_use(_with_owner(pool, host, own), host) for pool in found)
    here = {pool.guid: pool for pool in pools if not pool.destroyed}
    losses = {
        guid: read_import_loss(host, guid, force=here[guid].last_used_elsewhere)
        for guid in losses_of
        if guid in here and not here[guid].in_use_elsewhere
    }
    return Importable(as_of=now, pools=pools, losses=losses)


def _with_owner(pool: ImportablePool, host: Host, own: int) -> ImportablePool:
    """`zpool import` names another machine only where that one did not export the pool; labels always do.

    All disks that are read are awake: `zpool import` has just read them.
    """
    names = [leaf.name for vdev in pool.vdevs if vdev.role == "data" for leaf in _leaves(vdev)]
    for name in (name for name in names if _LINK.fullmatch(name)):
        label = parse_zdb_label(host.run(ZdbLabel(device=f"/dev/disk/by-id/{name}")).stdout)
        # What a pool says of itself may hold line feeds, and so name disks of this machine's pools.
        if label is not None and label.pool == pool.guid:
            return msgspec.structs.replace(pool, used_here=bool(own) and label.hostid == str(own))
    return pool


def _leaves(vdev: ImportableVdev) -> Iterator[ImportableVdev]:
    if not vdev.children:
        yield vdev
    for child in vdev.children:
        yield from _leaves(child)


def _with_last_use(pool: ImportablePool, host: Host) -> ImportablePool:
    """The list does not say which machine it was; the refusal of an import without `-f` does."""
    if pool.destroyed or not pool.last_used_elsewhere or pool.in_use_elsewhere:
        return pool
    refused = read_import_loss(host, pool.guid).refused or ""
    said = re.search(r"^Last accessed by (.+) \(hostid=[0-9a-fx]+\) at (.+)$", refused, re.MULTILINE)
    last_use = LastUse(host=said[1], at=said[2].strip()) if said else None
    return msgspec.structs.replace(pool, last_use=last_use)


def read_importable(host: Host, *, destroyed: bool = False) -> tuple[ImportablePool, ...]:
    """Pools on this machine's disks that are not imported. Reads the labels of all disks, and so wakes them:
    only when somebody asks. Raises `HostError`."""
    return parse_zpool_import(host.run(ZpoolImportable(destroyed=destroyed)).stdout)


def parse_zpool_import(text: str) -> tuple[ImportablePool, ...]:
    """The pools in the order in which zpool prints them. Raises `UnknownFormat`."""
    blocks = re.split(r"^(?= *pool: )", text, flags=re.MULTILINE)
    return tuple(_pool(block) for block in blocks if _FIELD.match(block))


def _pool(block: str) -> ImportablePool:
    fields: dict[str, str] = {}
    tree: list[str] = []
    last = ""
    for line in block.splitlines():
        if last == "config":
            tree.append(line)
        elif not line.startswith("\t") and (found := _FIELD.match(line)):
            last, fields[found[1]] = found[1], found[2]
        elif last and line.strip():
            # The unsupported features of a pool stand below `status`, one a line.
            fields[last] += f"\n{line.strip()}"
    try:
        name, state = fields["pool"], fields["state"]
        guid = fields["id"]
    except KeyError as missing:
        raise UnknownFormat(f"zpool import names no {missing.args[0]} of a pool.") from None
    return ImportablePool(
        name=name,
        guid=guid,
        state=_known(state.removesuffix(_DESTROYED)),
        destroyed=state.endswith(_DESTROYED),
        vdevs=_tree(tree, name),
        status=_words(fields.get("status")),
        action=_words(fields.get("action")),
        comment=fields.get("comment"),
        message_id=fields["see"].rpartition("/")[2] if "see" in fields else None,
    )


def _words(text: str | None) -> str | None:
    return text.replace("\n", " ") if text else None


class _Row(msgspec.Struct):
    depth: int
    vdev: ImportableVdev


def _tree(lines: list[str], pool: str) -> tuple[ImportableVdev, ...]:
    """Two spaces for each level; the pool itself is the first, and roles are words at its level."""
    rows: list[_Row] = []
    role: Role = "data"
    for line in lines:
        if not line.strip():
            if rows:
                break  # what follows is a remark on missing devices
            continue
        text = line.removeprefix("\t")
        depth = (len(text) - len(text.lstrip(" "))) // 2
        if depth == 0:
            # A pool's name may have spaces in it, and be that of a role.
            role = "data" if text.startswith(f"{pool} ") else _ROLES.get(text.strip(), "data")
            continue
        name, *rest = text.split(None, 2)
        vdev = ImportableVdev(
            name=name,
            role=role,
            state=_known(rest[0]) if rest else None,
            note=rest[1].strip() if len(rest) > 1 else None,
        )
        rows.append(_Row(depth, vdev))
    return _nest(rows)


def _nest(rows: list[_Row]) -> tuple[ImportableVdev, ...]:
    found: list[ImportableVdev] = []
    while rows:
        row = rows.pop(0)
        below: list[_Row] = []
        while rows and rows[0].depth > row.depth:
            below.append(rows.pop(0))
        found.append(msgspec.structs.replace(row.vdev, children=_nest(below)))
    return tuple(found)


def _known(word: str) -> str:
    return word if word in _STATES else "UNKNOWN"


def read_import_loss(host: Host, guid: str, *, force: bool = False) -> ImportLoss:
    """What a rewind of that pool would give up; nothing of it is changed. Reads much of the pool's metadata,
    so it can take minutes. Raises `HostError`."""
    question = ZpoolImportLoss(guid=guid, force=force)
    try:
        answer = host.run(question)
    finally:
        status = decode(host.run(ZpoolStatus()).stdout, command="zpool status")
        if question.name in status["pools"]:
            host.run(ZpoolExport(name=question.name))
    return parse_import_loss(answer.stdout, answer.stderr, exit_status=answer.exit)


def parse_import_loss(stdout: str, stderr: str = "", *, exit_status: int = 0) -> ImportLoss:
    """From what `zpool import -F -n` says. A length that it does not print stays unknown."""
    when = re.search(r"Would be able to return .+ to its state as of (.+)\.$", stdout, re.MULTILINE)
    length = re.search(r"Would discard approximately ([0-9]+) (minutes|seconds) of transactions", stdout)
    seconds = int(length[1]) * (60 if length[2] == "minutes" else 1) if length else None
    needed = when is not None or length is not None
    hopeless = _HOPELESS if exit_status and not needed else None
    return ImportLoss(
        needed=needed,
        seconds=seconds,
        back_to=when[1] if when else None,
        refused=stderr.strip() or hopeless,
    )
