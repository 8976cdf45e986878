"""Counters of datasets, and connections of clients: of real texts, and of a simulated machine's."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.kernel.connections import read_connections
from host.kernel.files import LocalKernelFiles
from host.kernel.objsets import ObjsetCounters, objset_path, read_objset

# As OpenZFS 2.3.9 and Linux 6.12 have them, shortened.
TEXTS = {
    "/proc/spl/kstat/zfs/tank/objset-0x8d": (
        "41 1 0x01 25 6800 4012345678 9876543210\n"
        "name                            type data\n"
        "dataset_name                    7    tank/my films\n"
        "writes                          4    12\n"
        "nwritten                        4    1572864\n"
        "reads                           4    3\n"
        "nread                           4    393216\n"
        "nunlinks                        4    1\n"
        "zil_commit_count                4    7\n"
    ),
    "/proc/spl/kstat/zfs/tank/objset-0x36": (
        "41 1 0x01 2 544 1 2\nname type data\ndataset_name 7 tank\nreads 4 x\n"
    ),
    "/proc/net/tcp": (
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
        "   0: 00000000:01BD 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 9 1 0\n"
        "   1: 0A01A8C0:01BD 1401A8C0:C001 01 00000000:00000000 02:000A 00000000     0        0 10 2 0\n"
        "   2: 0A01A8C0:01BD 1501A8C0:C001 06 00000000:00000000 03:000A 00000000     0        0 0 3 0\n"
        "   3: 0A01A8C0:C001 1501A8C0:01BD 01 00000000:00000000 00:0000 00000000     0        0 11 1 0\n"
    ),
    "/proc/net/tcp6": (
        "  sl  local_address                         remote_address                        st tx_queue\n"
        "   0: 0000000000000000FFFF00000A01A8C0:0801 0000000000000000FFFF00001401A8C0:03FF 01 00000000:0\n"
        "   1: 0000000000000000FFFF00000A01A8C0:01BD 0000000000000000FFFF00001401A8C0:03FE 01 00000000:0\n"
    ),
}


@pytest.fixture
def files(tmp_path: Path) -> LocalKernelFiles:
    for path, text in TEXTS.items():
        at = tmp_path / path.lstrip("/")
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text)
    return LocalKernelFiles(tmp_path)


def test_a_dataset_is_known_by_its_number_and_its_name(files: LocalKernelFiles) -> None:
    assert read_objset(files, "tank/my films", 141) == ObjsetCounters(3, 393216, 12, 1572864, 7)
    assert read_objset(files, "tank/other", 141) is None, "the number belongs to another by now"
    assert read_objset(files, "tank", 0x36) is None, "what is no number is not counted"
    assert read_objset(files, "tank/gone", 7) is None
    assert objset_path("tank", 141).endswith("/tank/objset-0x8d")


def test_established_connections_are_counted_by_service(files: LocalKernelFiles, tmp_path: Path) -> None:
    assert read_connections(files) == {"smb": 2, "nfs": 1}
    assert read_connections(LocalKernelFiles(tmp_path / "nowhere")) == {}
