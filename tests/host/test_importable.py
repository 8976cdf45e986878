"""What `zpool import` says of pools that are not imported."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.base import Result, UnknownFormat
from host.commands.base import Command
from host.commands.disks.labels import ZdbLabel
from host.commands.facts import HostId
from host.commands.pools.importing import ZpoolImportable
from host.inventory import ImportablePool, ImportableVdev
from host.probe.disks.labels import parse_zdb_label
from host.probe.pools.importable import parse_zpool_import, scan_for_pools

MACHINES = Path(__file__).parents[1] / "transcripts"
# Put together from the texts in OpenZFS 2.3.9's program: no machine of the lab has said this.
DAMAGED = """\
  pool: ta nk
    id: 18446744073709551615
 state: DEGRADED (DESTROYED)
status: One or more devices are missing from the system.
action: The pool can be imported despite missing or damaged devices.  The
\tfault tolerance of the pool may be compromised if imported.
comment: attic: second shelf
   see: https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-2Q
config:

\tta nk                       DEGRADED
\t  raidz1-0                  DEGRADED
\t    ata-ONE-part1           ONLINE
\t    spare-1                 DEGRADED
\t      10883432622300893801  UNAVAIL  cannot open
\t      ata-NINE-part1        ONLINE
\t    ata-THREE-part1         FAULTED  too many errors
\tspecial
\t  mirror-1                  ONLINE
\t    ata-FOUR-part1          ONLINE
\t    ata-FIVE-part1          ONLINE
\tlogs
\t  ata-SIX-part1             ONLINE
\tcache
\t  ata-SEVEN-part1
\tspares
\t  ata-NINE-part1

\tAdditional devices are known to be part of this pool, though their
\texact configuration cannot be determined.

  pool: logs
    id: 7
 state: UNAVAIL
status: The pool uses the following feature(s) not supported on this system:
\tcom.example:newer
action: The pool cannot be imported. Access the pool on a system that supports
\tthe required feature(s), or recreate the pool from backup.
config:

\tlogs             UNAVAIL  unsupported feature(s)
\t  ata-TEN-part1  ONLINE
"""


def _leaf(name: str, state: str | None = "ONLINE", **more: object) -> ImportableVdev:
    values: dict[str, object] = {"name": name, "role": "data", "state": state} | more
    return ImportableVdev(**values)  # type: ignore[arg-type]


def test_an_exported_mirror_is_read() -> None:
    text = (MACHINES / "home-claimed-2" / "zpool-import.txt").read_text()
    names = [f"ata-WDC_WD30EFRX-68EUZN0_WD-WMC1T000000{number}-part1" for number in (2, 3)]
    (pool,) = parse_zpool_import(text)
    assert pool == ImportablePool(
        name="old",
        guid="13506495184360084650",
        state="ONLINE",
        destroyed=False,
        vdevs=(_leaf("mirror-0", children=tuple(_leaf(name) for name in names)),),
        action="The pool can be imported using its name or numeric identifier.",
    )
    assert pool.vdevs[0].disk is None
    assert pool.vdevs[0].children[0].disk == "ata-WDC_WD30EFRX-68EUZN0_WD-WMC1T0000002"


@pytest.mark.parametrize("machine", ["home-empty", "home-tank"])
def test_where_there_is_none_none_is_found(machine: str) -> None:
    assert parse_zpool_import((MACHINES / machine / "zpool-import.txt").read_text()) == ()


def test_a_damaged_pool_of_all_roles_is_read_whole() -> None:
    pool, _ = parse_zpool_import(DAMAGED)
    assert (pool.name, pool.guid, pool.state, pool.destroyed) == (
        "ta nk", "18446744073709551615", "DEGRADED", True,
    )  # fmt: skip
    assert pool.action == (
        "The pool can be imported despite missing or damaged devices.  The "
        "fault tolerance of the pool may be compromised if imported."
    )
    assert (pool.comment, pool.message_id) == ("attic: second shelf", "ZFS-8000-2Q")
    raidz, special, log, cache, spare = pool.vdevs
    assert [(one.name, one.state, one.note) for one in raidz.children] == [
        ("ata-ONE-part1", "ONLINE", None),
        ("spare-1", "DEGRADED", None),
        ("ata-THREE-part1", "FAULTED", "too many errors"),
    ]
    missing = raidz.children[1].children[0]
    assert (missing.name, missing.state, missing.note, missing.disk) == (
        "10883432622300893801", "UNAVAIL", "cannot open", None,
    )  # fmt: skip
    assert [(one.role, one.name, one.state) for one in (special, log, cache, spare)] == [
        ("special", "mirror-1", "ONLINE"),
        ("log", "ata-SIX-part1", "ONLINE"),
        ("cache", "ata-SEVEN-part1", None),
        ("spare", "ata-NINE-part1", None),
    ]
    assert [leaf.role for leaf in special.children] == ["special", "special"]


def test_a_pool_may_be_called_like_a_role_and_use_features_nobody_knows() -> None:
    _, pool = parse_zpool_import(DAMAGED)
    assert (pool.name, pool.state, pool.vdevs) == ("logs", "UNAVAIL", (_leaf("ata-TEN-part1"),))
    assert pool.status == (
        "The pool uses the following feature(s) not supported on this system: com.example:newer"
    )
    assert not pool.last_used_elsewhere


def test_a_pool_without_a_number_is_a_format_nobody_knows() -> None:
    with pytest.raises(UnknownFormat, match="names no id"):
        parse_zpool_import("  pool: tank\n state: ONLINE\nconfig:\n\n\ttank  ONLINE\n")


class Labelled:
    """A machine with one pool that is not imported, whose labels name another pool's disk in its comment."""

    kind = "local"

    def __init__(self, leaf: str) -> None:
        self.said = (
            f"   pool: evil\n     id: 77\n  state: ONLINE\n config:\n\n\tevil  ONLINE\n\t  {leaf}  ONLINE\n"
        )

    def run(self, command: Command) -> Result:
        match command:
            case ZpoolImportable():
                return Result(exit=0, stdout="" if command.destroyed else self.said)
            case HostId():
                return Result(exit=0, stdout=f"{538177508:08x}\n")
            case ZdbLabel():
                own = (MACHINES / "labels" / "member.txt").read_text()
                pool, number = (
                    ("77", "99") if "evil" in command.device else ("113773963131592479", "538177508")
                )
                label = own.replace("113773963131592479", pool).replace("538177508", number)
                return Result(exit=0, stdout=label)
        raise AssertionError(command)


@pytest.mark.parametrize(
    "leaf", ["ata-evil-part1", "ata-own-part1", "ata-own-part1  ONLINE\n\t  ata-evil-part1"]
)
def test_a_pool_is_not_this_machines_because_it_names_a_disk_of_its_pools(leaf: str) -> None:
    (pool,) = scan_for_pools(Labelled(leaf)).pools
    assert pool.foreign


def test_a_label_names_the_machine_that_used_the_pool_last() -> None:
    label = parse_zdb_label((MACHINES / "labels" / "member.txt").read_text())
    assert label is not None
    assert (label.hostid, label.pool) == ("538177508", "113773963131592479")
    assert ImportablePool(name="t", guid="1", state="ONLINE", destroyed=False, vdevs=()).foreign
