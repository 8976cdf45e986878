"""`zpool get -jp --json-int all` of simulated pools."""

from __future__ import annotations

from typing import Any

from host.commands.pools.zpool import ZpoolGet
from host.simulated.datasets.space import sizes
from host.simulated.handlers import always
from host.simulated.pools.json_answer import CONFIG_TXG, answer
from host.simulated.pools.properties import FEATURES
from host.simulated.state import Machine, Pool
from host.simulated.vdevs import ALLOCATING, expandable, of_role, state

_MOST = (1 << 63) - 1  # what --json-int shows for all that is larger
_SETTABLE = {
    "bootfs": "-", "delegation": "on", "autoreplace": "off", "cachefile": "-", "failmode": "wait",
    "listsnapshots": "off", "autoexpand": "off", "ashift": "0", "comment": "-", "multihost": "off",
    "autotrim": "off", "compatibility": "off", "dedup_table_quota": "auto",
}  # fmt: skip
_ORDER = (
    "size", "capacity", "altroot", "health", "guid", "version", "bootfs", "delegation", "autoreplace",
    "cachefile", "failmode", "listsnapshots", "autoexpand", "dedupratio", "free", "allocated", "readonly",
    "ashift", "comment", "expandsize", "freeing", "fragmentation", "leaked", "multihost", "checkpoint",
    "load_guid", "autotrim", "compatibility", "bcloneused", "bclonesaved", "bcloneratio",
    "dedup_table_size", "dedup_table_quota", "last_scrubbed_txg",
)  # fmt: skip
_ACTIVE = {
    "empty_bpobj", "lz4_compress", "spacemap_histogram", "enabled_txg", "hole_birth",
    "extensible_dataset", "embedded_data", "userobj_accounting", "project_quota", "spacemap_v2",
    "log_spacemap", "head_errlog", "vdev_zaps_v2",
}  # fmt: skip
_CHECKPOINT_BYTES = 1 << 20  # grows as what it holds is overwritten, which is not simulated
_USED_BY = {"zstd": "zstd_compress"}


def zpool_get(machine: Machine) -> str:
    """All properties of all imported pools."""
    return answer("zpool get", {name: _pool(pool) for name, pool in sorted(machine.pools.items())})


def _pool(pool: Pool) -> dict[str, Any]:
    return {
        "name": pool.name, "type": "POOL", "state": state(pool), "pool_guid": pool.guid, "txg": CONFIG_TXG,
        "spa_version": 5000, "zpl_version": 5, "properties": _properties(pool),
    }  # fmt: skip


def _properties(pool: Pool) -> dict[str, Any]:
    size, allocated = sizes(pool)
    more = sum(expandable(vdev, pool) for vdev in of_role(pool, *ALLOCATING))
    computed: dict[str, int | str] = {
        "size": size, "capacity": allocated * 100 // size, "health": state(pool),
        "guid": min(pool.guid, _MOST), "dedupratio": "1.00", "free": size - allocated,
        "allocated": allocated, "readonly": "on" if pool.readonly else "off",
        "expandsize": more or "-", "freeing": 0, "fragmentation": 0,
        "leaked": 0, "checkpoint": _CHECKPOINT_BYTES if pool.checkpoint else "-",
        "load_guid": min(pool.load_guid, _MOST), "bcloneused": 0,
        "bclonesaved": 0, "bcloneratio": "1.00", "dedup_table_size": 0, "last_scrubbed_txg": 0,
    }  # fmt: skip
    found: dict[str, Any] = {}
    for name in _ORDER:
        if name in computed:
            found[name] = _entry(computed[name], "NONE")
            continue
        default = _SETTABLE.get(name, "-")
        value = pool.values.get(name, default)
        found[name] = _entry(
            int(value) if value.isdecimal() else value, "DEFAULT" if value == default else "LOCAL"
        )
    active = _ACTIVE | set(pool.used) | ({"zpool_checkpoint"} if pool.checkpoint else set())
    active |= {feature for word, feature in _USED_BY.items() if _compresses(pool, word)}
    for name in FEATURES:
        found[f"feature@{name}"] = _entry(_feature(pool, name, active), "LOCAL")
    return found


def _feature(pool: Pool, name: str, active: set[str]) -> str:
    if name in pool.disabled:
        return "disabled"
    return "active" if name in active else "enabled"


def _compresses(pool: Pool, word: str) -> bool:
    return any(one.values.get("compression", "").startswith(word) for one in pool.datasets.values())


def _entry(value: int | str, source: str) -> dict[str, Any]:
    return {"value": value, "source": {"type": source, "data": "-"}}


HANDLERS = always(ZpoolGet, zpool_get)
