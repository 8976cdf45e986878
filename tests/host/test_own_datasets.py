"""The console's own datasets: what root makes there, whoever asks, and what it gives their names to."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.commands.closed import AnyCommand, decode
from host.system.own_datasets import NOBODYS, SHELF, SYSTEMS, is_ours

OURS = ("tank/.nasweb", "tank/.nasweb-state", "tank/.nasweb-state/var", "tank/.nasweb-benchmark")
BESIDE = ("tank", "tank/.nasweb-old", "tank/a/.nasweb", "tank/.nasweb.before")


def sent(kind: str, **fields: Any) -> AnyCommand:
    return decode(msgspec.json.encode({"type": kind, **fields}))


def refused(kind: str, **fields: Any) -> str:
    with pytest.raises(msgspec.ValidationError) as found:
        sent(kind, **fields)
    return str(found.value)


def test_they_are_known_by_their_names_one_level_below_a_pool() -> None:
    assert all(map(is_ours, (*OURS, "tank/.nasweb/x", "tank/.nasweb-benchmark/a/b")))
    assert not any(map(is_ours, BESIDE))


@pytest.mark.parametrize("name", [*OURS, "tank/.nasweb-benchmark/a"])
def test_nothing_becomes_one_of_them_and_none_becomes_anything_else(name: str) -> None:
    said = f"{name} is the console's own"
    assert said in refused("ZfsRename", name="tank/photos", to=name)
    assert said in refused("ZfsRename", name=name, to="tank/photos")
    assert said in refused("ZfsClone", snapshot="tank/photos@one", name=name)
    assert sent("ZfsClone", snapshot="tank/photos@one", name="tank/.nasweb-old")
    assert sent("ZfsRename", name="tank/photos", to="tank/.nasweb-old")


@pytest.mark.parametrize(
    ("name", "properties"),
    [
        ("tank/.nasweb", SHELF), ("tank/.nasweb-state/var", SYSTEMS), ("tank/.nasweb-state/home", SYSTEMS),
        ("tank/.nasweb-state", NOBODYS | {"reservation": "1073741824"}),
    ],
)  # fmt: skip
def test_they_are_made_as_the_console_makes_them_alone(name: str, properties: dict[str, str]) -> None:
    assert sent("ZfsCreate", name=name, properties=properties)
    said = f"{name} is the console's own"
    assert said in refused("ZfsCreate", name=name)
    assert said in refused("ZfsCreate", name=name, properties=properties | {"mountpoint": "/mnt/tank/x"})
    assert said in refused("ZfsCreate", name=name, properties=properties, volume_bytes=1 << 30)


@pytest.mark.parametrize(
    "name", ["tank/.nasweb/x", "tank/.nasweb-state/etc", "tank/.nasweb-benchmark", "tank/.nasweb-benchmark/a"]
)
def test_nothing_else_is_made_there(name: str) -> None:
    assert f"{name} is the console's own" in refused("ZfsCreate", name=name, properties=SHELF)
