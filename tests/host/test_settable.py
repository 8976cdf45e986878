"""What no command sets, whoever sends it: the helper refuses it as it reads it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.commands.closed import AnyCommand, decode, encode
from host.commands.datasets.zfs import ZfsInherit, ZfsSet
from host.commands.pools.care import ZpoolSet
from host.system.own_datasets import NOBODYS, SYSTEMS
from tests.host.test_mountpoints import HOSTILE

VDEVS = [{"role": "data", "layout": "stripe", "devices": ["/dev/disk/by-id/ata-x-part1"]}]
DATASET: dict[str, dict[str, Any]] = {
    "ZfsSet": {"name": "tank/a"},
    "ZfsCreate": {"name": "tank/a"},
    "ZfsClone": {"snapshot": "tank/a@one", "name": "tank/b"},
}
FORBIDDEN = (
    ("sharenfs", "on"), ("sharenfs", "rw,no_root_squash"), ("sharesmb", "on"), ("zoned", "on"),
    ("keylocation", "file:///root/key"), ("keylocation", "https://example.org/key"), ("mlslabel", "x"),
    ("context", "x,suid"), ("rootcontext", "x"),
    *(("mountpoint", path) for path in HOSTILE),
)  # fmt: skip


def sent(kind: str, **fields: Any) -> AnyCommand:
    return decode(msgspec.json.encode({"type": kind, **fields}))


@pytest.mark.parametrize(("name", "value"), FORBIDDEN)
@pytest.mark.parametrize("kind", DATASET)
def test_a_property_that_makes_root_do_something_is_refused(kind: str, name: str, value: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        sent(kind, **DATASET[kind], properties={name: value})


@pytest.mark.parametrize(("name", "value"), [*FORBIDDEN, ("mountpoint", "/mnt/x")])
def test_and_so_it_is_of_a_new_pools_root(name: str, value: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        sent("ZpoolCreate", name="tank", vdevs=VDEVS, mountpoint="/mnt/tank", root_properties={name: value})


@pytest.mark.parametrize("path", HOSTILE)
def test_a_new_pool_is_not_mounted_over_the_system(path: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        sent("ZpoolCreate", name="tank", vdevs=VDEVS, mountpoint=path)
    assert sent("ZpoolCreate", name="tank", vdevs=VDEVS, mountpoint="/tank")


@pytest.mark.parametrize(
    ("name", "value"),
    [("cachefile", "/etc/cron.d/x"), ("altroot", "/"), ("compatibility", "/root/x"), ("bootfs", "tank/a"),
     ("nonsense", "1")],
)  # fmt: skip
def test_a_pool_has_no_such_property(name: str, value: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        sent("ZpoolSet", name="tank", property=name, value=value)
    with pytest.raises(msgspec.ValidationError):
        sent("ZpoolCreate", name="tank", vdevs=VDEVS, mountpoint="/mnt/tank", properties={name: value})
    with pytest.raises(msgspec.ValidationError):
        sent("ZpoolAdd", name="tank", vdevs=VDEVS, properties={name: value})


@pytest.mark.parametrize("name", ["sharenfs", "sharesmb", "keylocation", "mlslabel", "context"])
def test_no_share_and_no_key_is_inherited_or_received(name: str) -> None:
    for received in (False, True):
        with pytest.raises(msgspec.ValidationError):
            sent("ZfsInherit", name="tank/a", property=name, received=received)


def test_snapshots_have_properties_that_users_make_up_alone() -> None:
    with pytest.raises(msgspec.ValidationError):
        sent("ZfsSnapshot", names=["tank/a@one"], properties={"compression": "lz4"})


@pytest.mark.parametrize(
    "command",
    [
        ZfsSet(name="tank", properties=SYSTEMS),
        ZfsSet(name="tank", properties=NOBODYS),
        ZfsSet(name="tank", properties={"sharenfs": "off", "keylocation": "prompt", "zoned": "off"}),
        ZfsSet(name="tank", properties={"mountpoint": "/srv/a b", "nasweb:policy": "off", "setuid": "on"}),
        ZfsInherit(name="tank", property="mountpoint", received=True),
        ZpoolSet(name="tank", property="cachefile", value="none"),
    ],
)
def test_what_plans_and_owners_need_is_taken(command: AnyCommand) -> None:
    assert decode(encode(command)) == command
