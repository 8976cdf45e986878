"""Parsers of `zpool status` and `zpool get`."""

from __future__ import annotations

from typing import Any

import msgspec

from host.base import Host
from host.commands.pools.zpool import ZpoolErrors
from host.inventory import Pool, Vdev
from host.inventory.pools import Role
from host.probe.json_output import decode
from host.probe.pools import progress
from host.probe.pools.progress import number as _number

_STATES = {
    "ONLINE", "DEGRADED", "FAULTED", "OFFLINE", "UNAVAIL", "REMOVED", "AVAIL", "INUSE", "SUSPENDED",
}  # fmt: skip
# Words of the JSON that the text of `zpool status` never has: a leaf missing since the import.
_ALIASES = {"CANT_OPEN": "UNAVAIL", "CLOSED": "OFFLINE"}
# Sibling keys of "vdevs" in the answer; data vdevs sit under one root vdev named after the pool.
_SIBLINGS: tuple[tuple[str, Role], ...] = (
    ("special", "special"),
    ("dedup", "dedup"),
    ("logs", "log"),
    ("l2cache", "cache"),
    ("spares", "spare"),
)


def parse_zpool_status(text: str, settings: dict[str, dict[str, str]]) -> tuple[Pool, ...]:
    """Pools in the order of their names. `settings` are their properties by pool."""
    pools = decode(text, command="zpool status")["pools"]
    return tuple(_pool(pools[name], settings.get(name, {})) for name in sorted(pools))


def parse_zpool_get(text: str) -> dict[str, dict[str, str]]:
    """Property values by pool and name."""
    pools = decode(text, command="zpool get")["pools"]
    return {
        pool: {name: str(entry["value"]) for name, entry in answer["properties"].items()}
        for pool, answer in pools.items()
    }


def read_damaged(host: Host, pool: Pool) -> Pool:
    """The pool with the names of its damaged files. Not of a suspended one, which would wait for ever.
    Raises `HostError`."""
    if not pool.data_errors or pool.suspended:
        return pool
    (answer,) = decode(host.run(ZpoolErrors(name=pool.name)).stdout, command="zpool status")["pools"].values()
    return msgspec.structs.replace(pool, damaged_files=_damaged(answer))


def _pool(answer: dict[str, Any], settings: dict[str, str]) -> Pool:
    data = [vdev for root in answer.get("vdevs", {}).values() for vdev in _children(root, "data")]
    others = [_vdev(vdev, role) for key, role in _SIBLINGS for vdev in answer.get(key, {}).values()]
    return Pool(
        name=answer["name"],
        guid=str(answer["pool_guid"]),
        state=_state(answer["state"]),
        vdevs=(*data, *others),
        size_bytes=_number(settings.get("size")),
        allocated_bytes=_number(settings.get("allocated")),
        free_bytes=_number(settings.get("free")),
        ashift=_number(settings.get("ashift")),
        scan=progress.scan(answer.get("scan_stats")),
        data_errors=_number(answer.get("error_count")),
        status=answer.get("status"),
        action=answer.get("action"),
        properties=settings,
        message_id=answer.get("msgid"),
        removal=progress.removal(answer.get("removal_stats")),
        expansion=progress.expansion(answer.get("raidz_expand_stats")),
        checkpoint=progress.checkpoint(answer.get("checkpoint_stats")),
        damaged_files=_damaged(answer),
    )


def _damaged(answer: dict[str, Any]) -> tuple[str, ...]:
    # Of a pool that is suspended meanwhile it is a text: "Resource temporarily unavailable".
    found = answer.get("errlist")
    return tuple(found) if isinstance(found, list) else ()


def _children(vdev: dict[str, Any], role: Role) -> tuple[Vdev, ...]:
    return tuple(_vdev(child, role) for child in vdev.get("vdevs", {}).values())


def _vdev(answer: dict[str, Any], role: Role) -> Vdev:
    children = _children(answer, role)
    return Vdev(
        guid=str(answer["guid"]),
        name=answer["name"],
        kind=answer["vdev_type"],
        role=role,
        state=_state(answer["state"]),
        read_errors=_number(answer.get("read_errors")),
        write_errors=_number(answer.get("write_errors")),
        checksum_errors=_number(answer.get("checksum_errors")),
        path=answer.get("path") or (answer["name"] if not children else None),
        note=f"was {answer['was']}" if "was" in answer else answer.get("aux"),
        aux=answer.get("aux"),
        slow_ios=_number(answer.get("slow_ios")),
        size_bytes=0 if children else _number(answer.get("phys_space")),
        total_bytes=_number(answer.get("total_space")),
        allocated_bytes=_number(answer.get("alloc_space")),
        expandable_bytes=_number(answer.get("ex_dev_size")),
        scanned_bytes=_number(answer.get("scan_processed")),
        self_healed_bytes=_number(answer.get("self_healed")),
        ashift=_number(answer.get("configured_ashift")) or None,
        physical_ashift=_number(answer.get("physical_ashift")) or None,
        removing=bool(_number(answer.get("removing"))),
        not_allocating=bool(_number(answer.get("noalloc"))),
        resilver_deferred=bool(answer.get("resilver_deferred")),
        trim=progress.trim(answer),
        trims=not _number(answer["trim_notsup"]) if "trim_notsup" in answer else None,
        initialize=progress.initialize(answer),
        children=children,
    )


def _state(word: str) -> str:
    word = _ALIASES.get(word, word)
    return word if word in _STATES else "UNKNOWN"
