"""What a pool may have mounted, and what it gives up: by what its file systems ask for."""

from __future__ import annotations

import pytest

from host.pool_mounts import ASKED, Change, FileSystem, Value, changes, outer_first, refusal


def asking(name: str, mountpoint: str, source: str = "local", above: str = "", **more: str) -> FileSystem:
    values = {"canmount": "on", "setuid": "off", "devices": "off", "sharenfs": "off", "sharesmb": "off"}
    found = {name: Value(value, "default") for name, value in values.items()}
    found |= {key: Value(value, "local") for key, value in more.items()}
    return FileSystem(name=name, values=found | {"mountpoint": Value(mountpoint, source, above)})


@pytest.mark.parametrize(
    "place",
    ["/etc/sudoers.d", "//etc/cron.d", "/mnt/../etc", "/", "/mnt", "/home", "/var/lib/nasweb", "/opt/nasweb",
     "/mnt/a\n/etc", "/root", "/ETC/x"],
)  # fmt: skip
def test_folders_of_the_system_are_nobodys(place: str) -> None:
    assert refusal(place, foreign=False) is not None
    assert refusal(place, foreign=True) is not None


def test_other_folders_are_those_of_this_machines_pools_alone() -> None:
    assert refusal("/tank/data", foreign=False) is None
    assert refusal("/tank/data", foreign=True) == (
        "/tank/data is not below /mnt, /srv or /media, and this pool comes from another machine."
    )
    for place in ("/mnt/tank", "/srv/tank/data", "/media/x"):
        assert refusal(place, foreign=True) is None


def test_outer_file_systems_come_first_and_only_those_that_ask() -> None:
    found = [
        asking("t/c", "/mnt/a/b/c"), asking("t/b", "/mnt/a-b"), asking("t/a", "/mnt/a"),
        asking("t/n", "/mnt/n", canmount="noauto"), asking("t/o", "/mnt/o", canmount="off"),
        asking("t/l", "legacy"), asking("t/z", "none"),
    ]  # fmt: skip
    assert [one.name for one in outer_first(found)] == ["t/a", "t/c", "t/b"]


def test_a_pool_of_this_machine_keeps_all_but_folders_of_the_system() -> None:
    pool = [asking("t", "/tank", "default", sharenfs="on", setuid="on"), asking("t/x", "/etc/sudoers.d")]
    assert changes(pool, foreign=False) == (Change("t/x", {"mountpoint": "none", ASKED: "/etc/sudoers.d"}),)


def test_what_is_refused_is_taken_where_it_was_set_and_kept_in_words() -> None:
    pool = [
        asking("t", "/mnt/t"),
        asking("t/a", "/etc/systemd", canmount="off"),
        asking("t/a/b", "/etc/systemd/b", "inherited", "t/a"),
        asking("t/c", "/mnt/c\t/x"),
    ]
    assert changes(pool, foreign=True) == (
        Change("t/a", {"mountpoint": "none", ASKED: "/etc/systemd"}),
        Change("t/c", {"mountpoint": "none", ASKED: "/mnt/c?/x"}),
    )


def test_the_mount_point_of_a_pool_without_any_is_its_roots() -> None:
    pool = [asking("t", "/t", "default"), asking("t/a", "/t/a", "default")]
    assert changes(pool, foreign=True) == (Change("t", {"mountpoint": "none", ASKED: "/t"}),)


def test_another_machines_pool_brings_no_programs_devices_or_shares() -> None:
    on = {"setuid": Value("on", "default"), "devices": Value("on", "default")}
    root = FileSystem(name="t", values=asking("t", "/mnt/t", sharesmb="on").values | on)
    handed_down = {"setuid": Value("off", "inherited", "t"), "sharesmb": Value("on", "inherited", "t")}
    below = FileSystem(name="t/b", values=asking("t/b", "/mnt/t/b", "inherited", "t").values | handed_down)
    own = asking("t/c", "/mnt/t/c", "inherited", "t", devices="on", sharenfs="rw=*,no_root_squash")
    assert changes([root, below, own], foreign=True) == (
        Change("t", {"setuid": "off", "devices": "off", "sharesmb": "off"}),
        Change("t/c", {"devices": "off", "sharenfs": "off"}),
    )
