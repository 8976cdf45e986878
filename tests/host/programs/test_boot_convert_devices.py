"""What findmnt and lsblk print, and which file systems belong to the old disk."""

from __future__ import annotations

import msgspec
import pytest

from host.programs.boot_convert.devices import (
    Device,
    Mount,
    mounted_from,
    of_disk,
    parse_findmnt,
    parse_lsblk,
)

PARTS = frozenset({"/dev/sda", "/dev/sda1", "/dev/sda2", "/dev/sda3"})
LINKS = {"/dev/disk/by-uuid/1-2": "/dev/sda2", "/dev/mapper/x": "/dev/dm-0"}


def resolve(path: str) -> str | None:
    return LINKS.get(path, path if path.startswith("/dev/sd") else None)


def test_lists_and_trees_are_read_alike() -> None:
    root = '"target":"/","source":"/dev/sda2","fstype":"ext4"'
    flat = f'{{"filesystems":[{{{root}}},{{"target":"/a b","source":null}}]}}'
    tree = f'{{"filesystems":[{{{root},"children":[{{"target":"/a b"}}]}}]}}'
    found = (Mount("/", "/dev/sda2", "ext4"), Mount("/a b", "", ""))
    assert parse_findmnt(flat) == parse_findmnt(tree) == found


def test_findmnt_says_nothing_where_it_finds_nothing() -> None:
    assert parse_findmnt("") == parse_findmnt("\n") == ()


def test_an_array_is_listed_with_what_it_is_on() -> None:
    said = (
        '{"blockdevices":[{"path":"/dev/md127","type":"raid1","pkname":null,"children":['
        '{"path":"/dev/sdb3","type":"part","pkname":"/dev/sdb","children":[{"path":"/dev/sdb","type":"disk"}]}]}]}'
    )
    assert parse_lsblk(said) == (
        Device("/dev/md127", "raid1", ""),
        Device("/dev/sdb3", "part", "/dev/sdb"),
        Device("/dev/sdb", "disk", ""),
    )


@pytest.mark.parametrize("text", ["{", "[]", '{"filesystems":[{"target":1}]}', '{"filesystems":null}'])
def test_what_is_not_theirs_is_an_error(text: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        parse_findmnt(text)


@pytest.mark.parametrize(
    ("device", "belongs"),
    [
        ("/dev/sda", True),
        ("/dev/sda2", True),
        ("/dev/disk/by-uuid/1-2", True),
        ("/dev/sdb2", False),
        ("/dev/mapper/x", False),
        ("tank/data", False),
        ("", False),
    ],
)
def test_a_device_belongs_to_the_disk_by_any_of_its_names(device: str, belongs: bool) -> None:
    assert of_disk(device, PARTS, resolve) is belongs


def test_the_file_systems_of_the_old_disk_are_taken_outer_ones_first() -> None:
    mounts = (
        Mount("/srv/data/deep", "/dev/sda3", "ext4"),
        Mount("/boot/efi", "/dev/sda1", "vfat"),
        Mount("/srv/data", "/dev/disk/by-uuid/1-2", "xfs"),
        Mount("/", "/dev/sda2", "ext4"),
        Mount("/var/lib/nasweb-boot", "/dev/sda2[/var/lib/nasweb-boot]", "ext4"),
        Mount("/mnt/stick", "/dev/sdc1", "ext4"),
        Mount("/mnt/tank", "tank", "zfs"),
    )
    assert [one.target for one in mounted_from(mounts, PARTS, resolve)] == ["/srv/data", "/srv/data/deep"]


def test_a_system_on_one_partition_has_no_further_ones() -> None:
    assert mounted_from((Mount("/", "/dev/sda2", "ext4"),), PARTS, resolve) == ()
