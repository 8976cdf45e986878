"""Names of datasets and snapshots, byte by byte, as real OpenZFS took and refused them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from host.commands.closed import decode, encode
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate

_REAL = json.loads((Path(__file__).parents[1] / "transcripts/errors/name-bytes.json").read_text())
BYTES = range(256)


def _passes(command: ZfsCreate | ZfsSnapshot) -> bool:
    try:
        decode(encode(command))
    except msgspec.ValidationError:
        return False
    return True


def test_commands_take_just_the_bytes_that_zfs_takes_in_a_snapshots_name() -> None:
    taken = [byte for byte in BYTES if _passes(ZfsSnapshot(names=(f"tank/a@n{chr(byte)}m",)))]
    assert taken == sorted(_REAL["snapshot_bytes"])


def test_commands_take_just_the_bytes_that_zfs_takes_in_a_datasets_name() -> None:
    whole = [byte for byte in BYTES if byte != ord("/")]  # which parts names
    taken = [byte for byte in whole if _passes(ZfsCreate(name=f"tank/n{chr(byte)}m"))]
    assert taken == sorted(byte for byte in _REAL["dataset_bytes"] if byte in whole)


@pytest.mark.parametrize("name", _REAL["spaces_at_the_ends"])
def test_spaces_may_stand_at_the_ends(name: str) -> None:
    command = ZfsSnapshot(names=(name,)) if "@" in name else ZfsCreate(name=name)
    assert _passes(command)


def test_a_name_is_as_long_as_zfs_lets_it_be() -> None:
    longest = _REAL["longest_with_dataset"]
    assert _passes(ZfsSnapshot(names=("tank/a@" + "x" * (longest - 7),)))
    assert not _passes(ZfsSnapshot(names=("tank/a@" + "x" * (longest - 6),)))


@pytest.mark.parametrize(
    "name", ["tank/a@.", "tank/a@..", "tank/../a@x", "tank/./a@x", "tank//a@x", "tank/a@", "@x"]
)
def test_dots_and_nothing_are_no_names(name: str) -> None:
    assert not _passes(ZfsSnapshot(names=(name,)))
