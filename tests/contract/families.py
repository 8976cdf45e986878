"""Which families of the contract have to run whole on the real machine: those whose sources have changed.

A family is a module of tests. Its sources are itself, the modules of `host` that it takes something from, and
what `BEHIND` adds: the programs and roles behind its commands. `proven.json` holds the digest of the sources
with which each family last passed whole on the real machine; `make lab-test` writes it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

ROOT = Path(__file__).parents[2]
PROVEN = Path(__file__).with_name("proven.json")
_ASKED = ("host.commands.", "host.probe.", "host.backup.", "host.files.", "host.programs.")
_BEFORE_ALL, _FIRST = "test_pool_care", "test_zed_reports_what_becomes_of_a_pool"
_DISKS = {"disks", "prepared", "bench", "tank"}  # fixtures
BEHIND = {
    "test_accounts": ("ansible/roles/shares", "ansible/roles/accounts"),
    "test_arc": ("host/contents/arc.py",),
    "test_arrays": ("ansible/roles/boot/files/mdadm",),
    "test_converting": (
        "ansible/roles/boot/files/libexec",
        "host/commands/system/convert_program.py",
        "host/programs/boot_convert",
    ),
    "test_copies": ("host/backup", "host/programs/copies.py"),
    "test_files": ("host/files", "host/programs/read_files.py", "host/programs/restore.py"),
    "test_uploads": ("host/files", "host/programs/uploads", "ansible/roles/services/files/units"),
    "test_pool_care": ("ansible/roles/base/files/zed", "host/programs/zfs_event.py"),
    "test_logs": (
        "ansible/roles/base",
        "ansible/roles/services/files/units/nasweb-log-forward.service",
        "ansible/roles/services/files/units/nasweb-log-forward.service.d",
        "host/contents/logs.py",
    ),
    "test_measuring": (
        "host/benchmark",
        "host/blocks",
        "host/compression",
        "host/dedup",
        "host/files/cloning.py",
        "host/network_speed",
        "host/measuring",
        "host/programs/clones",
        "host/programs/measuring",
        "host/scan",
        "ansible/roles/services/files/units/nasweb-files-clone-.service.d",
        "ansible/roles/services/files/units/nasweb-measure-.service.d",
        "ansible/roles/services/files/units/nasweb-measure-blocks-.service.d",
        "ansible/roles/services/files/units/nasweb-measure-benchmark-.service.d",
        "ansible/roles/services/files/units/nasweb-measure-dedup-.service.d",
        "ansible/roles/services/files/units/nasweb-measure-network-.service.d",
    ),
    "test_network": ("ansible/roles/network",),
    "test_power": ("ansible/roles/services/files/units/nasweb-power.service.d",),
    "test_replication": ("host/programs/replicate",),
    "test_rights": ("host/programs/rights.py", "host/programs/apply_rights.py"),
    "test_sessions": ("ansible/roles/shares",),
    "test_sharing": ("ansible/roles/shares", "shares/smb/render.py", "shares/nfs/render.py"),
    "test_targets": (
        "ansible/roles/services/files/ssh",
        "ansible/roles/services/files/units/nasweb-peer-files.socket",
        "ansible/roles/services/files/units/nasweb-peer-files@.service",
        "ansible/roles/services/files/units/nasweb-peer-files@.service.d",
        "ansible/roles/services/files/units/nasweb-replication-.service.d",
        "ansible/roles/services/files/units/nasweb-replication-prove-.service.d",
        "host/contents/peers.py",
        "host/contents/ssh.py",
        "host/pairing",
        "host/programs/peering",
        "host/programs/peer",
        "host/programs/peer_files.py",
        "host/programs/replicate",
    ),
    "test_swap": ("ansible/roles/boot/files/libexec",),
    "test_units": (
        "host/programs/blink.py",
        "host/programs/burn_in.py",
        "ansible/roles/services/files/units",
    ),
}


def family(item: pytest.Item) -> str:
    """The name of the module that a test is in."""
    return item.path.stem


def sources(module: ModuleType) -> list[Path]:
    """The files whose change makes the family `module` run whole."""
    name = Path(str(module.__file__)).stem
    asked = {
        where
        for value in vars(module).values()
        if (where := str(getattr(value, "__module__", ""))).startswith(_ASKED)
    }
    paths = {ROOT / f"{where.replace('.', '/')}.py" for where in asked}
    paths |= {ROOT / path for path in BEHIND.get(name, ())}
    return [Path(str(module.__file__)), *sorted(_files(paths))]


def digest(module: ModuleType) -> str:
    """A short name for the sources of a family as they are now."""
    whole = hashlib.sha256()
    for path in sources(module):
        whole.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()[:16]


def proven() -> dict[str, str]:
    """The digests with which families passed whole on the real machine, by family."""
    return msgspec.json.decode(PROVEN.read_bytes(), type=dict[str, str]) if PROVEN.exists() else {}


def keep_proven(passed: dict[str, str]) -> None:
    """Write down that these families passed whole, each with its digest."""
    text = msgspec.json.format(msgspec.json.encode(dict(sorted((proven() | passed).items()))), indent=1)
    PROVEN.write_bytes(text + b"\n")


def needs_kernel(item: pytest.Item) -> bool:
    """Whether a test asks the kernel for more than any has: for OpenZFS, md, disks, or the NFS server.

    What does not is marked `user_space`, and uses none of the fixtures that stand for disks.
    """
    assert isinstance(item, pytest.Function)
    return item.get_closest_marker("user_space") is None or bool(_DISKS & set(item.fixturenames))


def core(items: Iterable[pytest.Item], changed: Set[str]) -> list[pytest.Item]:
    """Those marked `core`, one or two of each family, and all of the families that have changed."""
    return [item for item in items if family(item) in changed or item.get_closest_marker("core")]


def in_order(items: list[pytest.Item]) -> list[pytest.Item]:
    """Family by family: first the one that waits for zed, which has nothing else to report then; next those
    that share a pool, so that it is made once; and the large before the small, so that machines which work
    side by side end together."""
    sharing = {family(item) for item in items if "tank" in getattr(item, "fixturenames", ())}
    counts = Counter(map(family, items))

    def place(item: pytest.Item) -> tuple[bool, bool, int, str, bool]:
        name = family(item)
        return name != _BEFORE_ALL, name not in sharing, -counts[name], name, item.name != _FIRST

    return sorted(items, key=place)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from (each for each in path.rglob("*") if each.is_file() and each.suffix != ".pyc")
        else:
            yield path.with_suffix("") / "__init__.py" if not path.exists() else path
