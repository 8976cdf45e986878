"""What says how large ZFS's cache may be, as grep prints it."""

from __future__ import annotations

from host.commands.system.arc import STATS
from host.contents.arc import FILE
from host.inventory import ArcBounds, ArcLimit
from host.probe.system.arc import parse_arc

COUNTERS = (
    f"{STATS}\0c_min                           4    104857600\n"
    f"{STATS}\0c_max                           4    2147483648\n"
)
LIVE = ArcBounds(max_bytes=2147483648, min_bytes=104857600)
HEAD = f"{FILE}\0# How much memory ZFS may cache in. Written by Nasweb.\n"


def test_counters_say_what_holds_now() -> None:
    assert parse_arc(COUNTERS) == ArcLimit(live=LIVE)
    assert parse_arc("") == ArcLimit()


def test_our_file_says_what_is_kept_and_one_of_another_hand_is_altered() -> None:
    ours = f"{HEAD}{FILE}\0options zfs zfs_arc_max=1073741824\n"
    assert parse_arc(COUNTERS + ours) == ArcLimit(live=LIVE, kept=ArcBounds(max_bytes=1 << 30))
    more = f"{ours}{FILE}\0options zfs zfs_recover=1\n"
    assert parse_arc(COUNTERS + more) == ArcLimit(live=LIVE, altered=True)


def test_other_places_count_only_where_they_set_a_bound() -> None:
    lines = (
        "/etc/modprobe.d/zfs.conf\0options zfs zfs_arc_max=8589934592",
        "/etc/modprobe.d/old.conf\0# options zfs zfs_arc_max=8589934592",
        "/etc/modprobe.d/tune.conf\0options zfs zfs_txg_timeout=10",
        "/proc/cmdline\0root=UUID=1 ro quiet zfs.zfs_arc_min=1073741824",
    )
    found = parse_arc(COUNTERS + "".join(f"{line}\n" for line in lines))
    assert found.others == ("/etc/modprobe.d/zfs.conf", "/proc/cmdline")
