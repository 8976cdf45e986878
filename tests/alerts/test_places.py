"""What an alert says of the bay that a disk left, and of the disk that is there now."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from django.utils import timezone

from alerts.evidence import Evidence
from alerts.gathering import gather
from alerts.incidents.cause import Cause
from alerts.incidents.causes import causes
from alerts.models import ArraySeen
from disks.known import complete
from host.inventory import Bay, Disk, Inventory
from tests import made
from tests.alerts.cases import disks, memory, raidz2
from tests.alerts.test_causes import labelled
from tests.frontend.machines import in_pool


def operations(cause: Cause) -> list[str]:
    return [step.page or "by hand" for step in cause.steps]


def seen(members: list[Disk], *others: Disk, gone: int | None = None, seconds: int = 0) -> Inventory:
    """A machine whose case nobody described, with all that is remembered of it."""
    machine = raidz2(members, gone=() if gone is None else (gone,))
    at = timezone.now() - timedelta(minutes=3) + timedelta(seconds=seconds)
    here = sorted((*machine.disks, *others), key=lambda one: one.id)
    return complete(msgspec.structs.replace(machine, disks=tuple(here), as_of=at.isoformat()))


def only(inventory: Inventory) -> Cause:
    (found,) = causes(inventory, gather(inventory))
    return found


def members_on(*numbers: int) -> list[Disk]:
    return [in_pool(made.disk(number, bay=None), "tank") for number in numbers]


@pytest.mark.django_db
def test_where_bays_are_guessed_one_that_left_is_named_by_the_label_that_its_place_has_now() -> None:
    members = members_on(2, 3, 4)
    seen(members)
    seen(members, gone=1, seconds=15)
    cause = only(seen(members, made.disk(1, bay=None), gone=1, seconds=30))
    assert cause.title == "Bay A3: a disk of tank is gone"
    assert cause.details[0] == "Bay A3 (WDC WD30EFRX, serial WD-0003) is not in the machine."
    assert operations(cause) == ["by hand", "/pools/tank/replace/?vdev=9WD-0003"]


@pytest.mark.django_db
def test_where_bays_are_guessed_a_new_disk_on_the_very_port_replaces_it() -> None:
    members = members_on(2, 3, 4)
    seen(members)
    seen(members, gone=1, seconds=15)
    new = made.disk(9, bay=None, port=members[1].port)
    cause = only(seen(members, made.disk(1, bay=None), new, gone=1, seconds=30))
    assert cause.title == "Bay A3: a disk of tank is gone"
    assert cause.steps[0].words.startswith("Another disk is in bay A3 now (WDC WD30EFRX, serial WD-0009)")


@pytest.mark.django_db
def test_members_of_arrays_that_left_follow_their_place_too() -> None:
    members = members_on(2, 3, 4)
    ids = [members[1].id, "usb-never-seen"]
    ArraySeen.objects.create(uuid="u", name="md0", members=[{"disk": one, "bay": "A2"} for one in ids])
    seen(members)
    seen(members, gone=1, seconds=15)
    known = gather(seen(members, made.disk(1, bay=None), gone=1, seconds=30))
    assert [(one.bay, one.gone_since is None) for one in known.arrays["u"]] == [("A3", False), ("A2", True)]


@pytest.mark.parametrize(
    ("new", "known_by"),
    [
        pytest.param(in_pool(made.disk(9, bay="A3"), "other"), "path", id="in use"),
        pytest.param(made.disk(9, bay="A3"), "order", id="only guessed"),
    ],
)
def test_no_disk_that_is_in_use_or_only_guessed_to_be_there_is_offered(new: Disk, known_by: str) -> None:
    members = disks(6)
    bay = Bay(label="A3", group="Disks", row=0, column=2, disk=new.id, known_by=known_by)  # type: ignore[arg-type]
    machine = raidz2(members, gone=[2])
    machine = msgspec.structs.replace(machine, disks=(*machine.disks, new), bays=(bay,))
    (cause,) = causes(machine, memory(members, gone=[2]))
    assert operations(cause) == ["by hand", "/pools/tank/replace/?vdev=9WD-0003"]


@pytest.mark.parametrize(
    "path", ["/dev/mapper/luks{}", "/dev/disk/by-id/dm-name-mpath{}", "/dev/md/{}", "/mnt/files/{}.img"]
)
def test_what_is_on_no_disk_of_its_own_is_not_missed_while_zfs_calls_it_well(path: str) -> None:
    members = disks(6)
    elsewhere = {n: {"disk": None, "path": path.format(n), "name": path.format(n)} for n in range(6)}
    assert causes(raidz2(members, leaves=elsewhere), memory(members)) == ()
    worse = elsewhere | {2: elsewhere[2] | {"state": "UNAVAIL"}}
    assert [one.kind for one in causes(raidz2(members, leaves=worse), memory(members))] == ["disk-gone"]
    suspended = causes(raidz2(members, leaves=elsewhere, state="SUSPENDED"), memory(members))
    assert (suspended[0].title, len(suspended[0].details)) == ("tank is suspended", 1)


@pytest.mark.parametrize("name", ["wwn-0x50010003", "nvme-0x50010003"])
def test_a_disk_that_left_is_missed_under_the_name_of_its_wwn_too(name: str) -> None:
    members = disks(6)
    changed = {2: {"state": "ONLINE", "disk": None, "path": f"/dev/disk/by-id/{name}-part1"}}
    known = memory(members, gone=[2]).disks
    known[members[2].id] = msgspec.structs.replace(known[members[2].id], wwn=members[2].wwn)
    (cause,) = causes(raidz2(members, gone=[2], leaves=changed), Evidence(disks=known))
    assert (cause.title, cause.sure) == ("Bay A3: a disk of tank is gone", False)


def test_links_that_vanish_under_a_pool_that_runs_are_reported() -> None:
    members = disks(6)
    renamed = tuple(
        msgspec.structs.replace(disk, id=f"wwn-{n}", links=(f"wwn-{n}",), claims=(labelled(disk),))
        for n, disk in enumerate(members)
    )
    machine = raidz2(members, leaves={n: {"disk": None} for n in range(6)})
    found = causes(msgspec.structs.replace(machine, disks=renamed), memory(members))
    assert [one.kind for one in found] == ["link-vanished"]
