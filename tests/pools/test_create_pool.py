"""pool.create: what it plans, and all that it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from host.commands.pools.zpool import ZpoolCreate
from jobs.plan import Refused
from jobs.planning.shape import read
from pools.create_pool import CreatePool, NewVdev, plan
from pools.names import pool_name_fault
from tests import made

TRANSCRIPTS = Path(__file__).parent.parent / "transcripts"

SIX = tuple(made.disk(number) for number in range(1, 7))
IDS = tuple(disk.id for disk in SIX)


def create(*vdevs: NewVdev, name: str = "tank", **more: object) -> CreatePool:
    return CreatePool(name=name, vdevs=vdevs, **more)  # type: ignore[arg-type]


def raidz2(*ids: str) -> NewVdev:
    return NewVdev(layout="raidz2", disks=ids or IDS)


def codes(refused: pytest.ExceptionInfo[Refused]) -> set[tuple[str, str]]:
    return {(f.code, f.field) for f in refused.value.findings if f.level == "error"}


def test_six_blank_disks_are_prepared_and_then_made_a_pool_on_partition_links() -> None:
    made_plan = plan(create(raidz2()), made.inventory(*SIX))
    prepare, make = made_plan.steps
    assert prepare.title == "Prepare 6 disks"
    argvs = [command.argv() for command in prepare.commands]
    link = f"/dev/disk/by-id/{IDS[0]}"
    assert argvs[0] == ("udevadm", "lock", f"--device={link}", "wipefs", "--all", "--quiet", link)
    assert argvs[1][3:] == ("sgdisk", "--clear", "--new=1:1M:+2859539M", "--typecode=1:BF01", link)
    links = [f"/dev/disk/by-id/{name}-part1" for name in IDS]
    assert argvs[-1] == ("udevadm", "wait", "--timeout=60", "--settle", *links)
    assert len(argvs) == 13
    assert make.commands[0].argv() == (
        "zpool", "create", "-o", "ashift=12", "-o", "autoexpand=on", "-o", "autotrim=off",
        "-O", "acltype=posixacl", "-O", "atime=off", "-O", "compression=lz4", "-O", "dedup=off",
        "-O", "xattr=sa",
        "-m", "/mnt/tank", "tank", "raidz2", *(f"/dev/disk/by-id/{name}-part1" for name in IDS),
    )  # fmt: skip
    assert made_plan.destroys == ()
    assert made_plan.claims == ("pool:tank", *(f"disk:{name}" for name in IDS))


def test_roles_are_each_named_once_and_in_order() -> None:
    request = create(
        NewVdev(role="spare", layout="stripe", disks=(IDS[5],)),
        NewVdev(layout="mirror", disks=IDS[0:2]),
        NewVdev(role="cache", layout="stripe", disks=(IDS[4],)),
        NewVdev(layout="mirror", disks=IDS[2:4]),
    )
    words = plan(request, made.inventory(*SIX)).steps[1].commands[0].argv()
    link = "/dev/disk/by-id/{}-part1".format
    assert words[words.index("tank") + 1 :] == (
        "mirror", link(IDS[0]), link(IDS[1]), "mirror", link(IDS[2]), link(IDS[3]),
        "cache", link(IDS[4]), "spare", link(IDS[5]),
    )  # fmt: skip
    assert "-f" not in words


def test_a_root_with_a_passphrase_is_encrypted_by_it_and_what_that_means_is_told() -> None:
    reference = "secret:" + "a" * 32
    made_plan = plan(create(raidz2(), passphrase=reference), made.inventory(*SIX))
    (make,) = made_plan.steps[1].commands
    assert isinstance(make, ZpoolCreate)
    report = {name: make.root_properties[name] for name in ("encryption", "keyformat", "keylocation")}
    assert report == {"encryption": "aes-256-gcm", "keyformat": "passphrase", "keylocation": "prompt"}
    assert (make.secret, make.root_properties["compression"]) == (reference, "lz4")
    assert {"no-way-back", "locked-after-start"} <= {finding.code for finding in made_plan.findings}


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"encryption": "aes-256-gcm"}, ("required", "passphrase")),
        ({"passphrase": "x", "key": "y"}, ("two-keys", "key")),
        ({"pbkdf2iters": 350_000}, ("no-passphrase", "pbkdf2iters")),
        ({"passphrase": "x", "encryption": "off"}, ("not-encrypted", "encryption")),
    ],
)
def test_a_key_that_does_not_fit_is_refused(more: dict[str, Any], field: tuple[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        plan(create(raidz2(), **more), made.inventory(*SIX))
    assert codes(refused) == {field}


def test_an_unmounted_file_system_is_named_as_a_loss_with_bay_model_and_serial() -> None:
    disks = (made.with_file_system(1), *SIX[1:])
    made_plan = plan(create(raidz2()), made.inventory(*disks))
    (loss,) = made_plan.destroys
    assert (loss.disk, loss.bay, loss.serial, loss.model) == (IDS[0], "A1", "WD-0001", "WDC WD30EFRX")
    assert loss.holds == "ntfs file system “Backup”, 2.7 TiB, not mounted"
    wipe = made_plan.steps[0].commands[0].argv()
    assert wipe[-2:] == (f"/dev/disk/by-id/{IDS[0]}-part1", f"/dev/disk/by-id/{IDS[0]}")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("mounted", "ext4 file system, mounted at /srv"),
        ("md", "md member of md0"),
        ("lvm", "LVM physical volume"),
        ("luks", "LUKS encrypted volume"),
        ("swap", "swap in use"),
        ("pool", "member of pool media"),
        ("exported-pool", "exported pool old"),
        ("boot", "the running system (/)"),
    ],
)
def test_a_disk_in_use_is_refused_by_name(kind: str, words: str) -> None:
    disks = (made.used(1, kind, words), *SIX[1:])
    with pytest.raises(Refused) as refused:
        plan(create(raidz2()), made.inventory(*disks))
    assert codes(refused) == {("disk-in-use", "vdevs[0].disks[0]")}
    assert words in str(refused.value)
    assert "bay A1" in str(refused.value)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "1tank",
        "-tank",
        "tank ",
        "ta nk",
        "tank/a",
        "tank@a",
        "tank%",
        "mirror",
        "mirror-x",
        "raidzfoo",
        "draid",
        "spare1",
        "log",
        "tänk",
        "tank\n",
        "tank;reboot",
        "$(reboot)",
        "`x`",
        "x" * 240,
        "x" * 10_000,
        "import",
        "importable",
        "preview",
        "prune",
        "run",
    ],
)
def test_names_that_zfs_or_our_addresses_refuse_are_refused(name: str) -> None:
    with pytest.raises(Refused) as refused:
        plan(create(raidz2(), name=name), made.inventory(*SIX))
    assert ("bad-name", "name") in codes(refused)


def test_names_are_refused_as_zfs_refused_them() -> None:
    """Ours are stricter in two things only: no spaces, and none of our own addresses."""
    for tried in json.loads((TRANSCRIPTS / "errors" / "pool-names.json").read_text()):
        refused = pool_name_fault(tried["name"]) is not None
        stricter = " " in tried["name"] or tried["name"] in {"import", "importable"}
        assert refused == (tried["exit"] != 0 or stricter), tried["name"]


@pytest.mark.parametrize("name", ["tank", "c0d0", "Tank.1", "tank_1", "tank:1", "t", "logs", "x" * 239])
def test_names_that_zfs_allows_are_allowed(name: str) -> None:
    assert plan(create(raidz2(), name=name), made.inventory(*SIX)).claims[0] == f"pool:{name}"


def test_names_of_imported_and_exported_pools_are_taken() -> None:
    for machine in (
        made.inventory(*SIX, pools=(made.pool("tank"),)),
        made.inventory(*SIX, made.used(7, "exported-pool", "exported pool tank", pool="tank")),
    ):
        with pytest.raises(Refused) as refused:
            plan(create(raidz2()), machine)
        assert codes(refused) == {("name-taken", "name")}


def test_all_faults_are_told_at_once() -> None:
    request = create(
        NewVdev(layout="raidz2", disks=(IDS[0], IDS[0], "nope", "sda")),
        NewVdev(role="log", layout="raidz1", disks=IDS[1:3]),
        name="mirror",
        ashift=9,
        mountpoint="/etc/x",
        properties={"color": "red", "ashift": "12"},
        root_properties={"compression": "best", "used": "1"},
    )
    with pytest.raises(Refused) as refused:
        plan(request, made.inventory(*SIX))
    assert codes(refused) == {
        ("bad-name", "name"),
        ("bad-mountpoint", "mountpoint"),
        ("duplicate-disk", "vdevs[0].disks[1]"),
        ("unknown-disk", "vdevs[0].disks[2]"),
        ("unknown-disk", "vdevs[0].disks[3]"),
        ("too-few-disks", "vdevs[0].disks"),
        ("layout-not-for-role", "vdevs[1].layout"),
        ("ashift-too-small", "ashift"),
        ("unknown-property", "properties.color"),
        ("wrong-place", "properties.ashift"),
        ("bad-value", "root_properties.compression"),
        ("unknown-property", "root_properties.used"),
    }


def test_one_disk_by_two_of_its_links_is_a_duplicate() -> None:
    with pytest.raises(Refused) as refused:
        plan(create(NewVdev(layout="mirror", disks=(IDS[0], "wwn-0x50010001"))), made.inventory(*SIX))
    assert codes(refused) == {("duplicate-disk", "vdevs[0].disks[1]"), ("too-few-disks", "vdevs[0].disks")}


def test_any_link_of_a_disk_may_name_it_and_the_best_one_is_used() -> None:
    request = create(NewVdev(layout="mirror", disks=("wwn-0x50010001", IDS[1])))
    assert plan(request, made.inventory(*SIX)).claims[1] == f"disk:{IDS[0]}"


def test_a_single_disk_beside_a_mirror_is_warned_of_and_forced() -> None:
    request = create(NewVdev(layout="mirror", disks=IDS[:2]), NewVdev(layout="stripe", disks=IDS[2:3]))
    made_plan = plan(request, made.inventory(*SIX))
    warned = {finding.code for finding in made_plan.findings}
    assert warned == {"single-disk-beside-redundant", "mixed-layouts", "one-batch"}
    words = made_plan.steps[1].commands[0].argv()
    assert words[2] == "-f"
    # In the other order zpool would make a mirror of three.
    link = "/dev/disk/by-id/{}-part1".format
    assert words[words.index("tank") + 1 :] == (link(IDS[2]), "mirror", link(IDS[0]), link(IDS[1]))


def test_mixed_sizes_and_a_small_spare_are_warned_of() -> None:
    small = made.disk(7, size_bytes=made.WD_BYTES // 2)
    request = create(
        NewVdev(layout="mirror", disks=(IDS[0], small.id)),
        NewVdev(role="spare", layout="stripe", disks=(IDS[1],)),
    )
    found = {(f.code, f.field) for f in plan(request, made.inventory(*SIX, small)).findings}
    assert found == {("mixed-sizes", "vdevs[0].disks")}
    request = create(
        NewVdev(layout="mirror", disks=IDS[:2]), NewVdev(role="spare", layout="stripe", disks=(small.id,))
    )
    found = {(f.code, f.field) for f in plan(request, made.inventory(*SIX, small)).findings}
    assert found == {("spare-too-small", "vdevs[1].disks[0]")}


def test_disks_of_8_kib_sectors_get_ashift_13_and_refuse_12() -> None:
    disks = tuple(made.disk(n, physical_sector_bytes=8192) for n in (1, 2))
    mirror = NewVdev(layout="mirror", disks=(disks[0].id, disks[1].id))
    assert "ashift=13" in plan(create(mirror), made.inventory(*disks)).steps[1].commands[0].argv()
    with pytest.raises(Refused) as refused:
        plan(create(mirror, ashift=12), made.inventory(*disks))
    assert codes(refused) == {("ashift-too-small", "ashift")}


def test_disks_with_one_serial_are_never_mixed_up() -> None:
    twins = (made.disk(1), made.disk(2, serial="WD-0001"))
    with pytest.raises(Refused) as refused:
        plan(create(NewVdev(layout="mirror", disks=(twins[0].id, twins[1].id))), made.inventory(*twins))
    assert codes(refused) == {("duplicate-serial", f"vdevs[0].disks[{i}]") for i in (0, 1)}


def test_equal_requests_have_equal_digests_and_a_new_bay_content_another() -> None:
    first = plan(create(raidz2()), made.inventory(*SIX))
    again = plan(create(raidz2()), made.inventory(*reversed(SIX)))
    other = plan(create(raidz2()), made.inventory(made.with_file_system(1), *SIX[1:]))
    assert first.digest == again.digest != other.digest


def test_wrong_shapes_are_all_named() -> None:
    shaped = read(
        CreatePool, {"name": 5, "vdevs": [{"layout": "raid5", "disks": "all"}], "ashift": True, "x": 1}
    )
    assert {(f.code, f.field) for f in shaped.findings} == {
        ("unknown-field", "x"),
        ("invalid", "name"),
        ("invalid", "vdevs[0].layout"),
        ("invalid", "vdevs[0].disks"),
        ("invalid", "ashift"),
    }
