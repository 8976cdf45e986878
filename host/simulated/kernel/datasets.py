"""Counters of datasets that are in use, and connections of clients."""

from __future__ import annotations

from host.kernel.objsets import objset_path
from host.simulated.kernel.moving import swinging, up
from host.simulated.state import Dataset, Machine

_READ_PER_S, _WRITTEN_PER_S = 20_000_000, 9_000_000
_BYTES_OF_A_REQUEST = 128 << 10
_WRITES_OF_A_COMMIT = 20
_HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"


def objset(machine: Machine, path: str) -> str:
    """/proc/spl/kstat/zfs/<pool>/objset-0x…, of a dataset that is mounted, or is a volume; else nothing."""
    for pool in machine.pools.values():
        used = [one for one in pool.datasets.values() if one.mounted or one.kind == "volume"]
        for place, one in enumerate(sorted(used, key=lambda one: -one.created)):
            if path == objset_path(pool.name, one.objsetid):
                return _text(machine, one, 1 / (1 + place))
    return ""


def _text(machine: Machine, one: Dataset, share: float) -> str:
    moved = share * swinging(min(up(machine), max(machine.now() - one.created, 0.0)), one.objsetid)
    read, written = int(moved * _READ_PER_S), int(moved * _WRITTEN_PER_S)
    reads, writes = read // _BYTES_OF_A_REQUEST, written // _BYTES_OF_A_REQUEST
    rows = (
        ("dataset_name", 7, one.name), ("writes", 4, writes), ("nwritten", 4, written), ("reads", 4, reads),
        ("nread", 4, read), ("nunlinks", 4, 0), ("nunlinked", 4, 0),
        ("zil_commit_count", 4, writes // _WRITES_OF_A_COMMIT),
    )  # fmt: skip
    body = "".join(f"{name:<31} {kind:<4} {value}\n" for name, kind, value in rows)
    return f"41 1 0x01 {len(rows)} 2160 4012345678 {int(up(machine) * 1e9)}\n{'name':<31} type data\n{body}"


def tcp(machine: Machine) -> str:
    """/proc/net/tcp: what listens, and a connection of each client of the shares."""
    rows = ["0100007F:1F40 00000000:0000 0A", "00000000:01BD 00000000:0000 0A"]
    ports = {"smb": "01BD", "nfs": "0801"}
    rows += [
        f"0A01A8C0:{ports[one.protocol]} {number:08X}:C001 01"
        for number, one in enumerate(machine.clients, 0x1401A8C0)
    ]
    rest = "00000000:00000000 00:00000000 00000000     0        0 20 1 0 100 0 0 10 0"
    return _HEAD + "".join(f"{number:>4}: {row} {rest}\n" for number, row in enumerate(rows))
