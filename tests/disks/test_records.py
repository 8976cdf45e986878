"""The life story of every disk, from one inventory to the next."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from disks.bays.stored import store_layout, store_teachings
from disks.known import complete
from disks.layout import Teaching
from disks.models import DiskRecord
from disks.records import all_records, history_of, record_of, series_key
from host.inventory import Disk, DiskClaim, Inventory
from tests.disks.cases import by_port, disk, layout, machine

pytestmark = pytest.mark.django_db
START = datetime.fromisoformat("2026-11-21T12:00:00+00:00")


@pytest.fixture
def taught(db: None) -> None:
    """A case of four bays, each known by its port."""
    store_layout(layout())
    store_teachings(by_port(4))


def probe(*disks: Disk, minutes: float = 0, **changes: Any) -> Inventory:
    """An inventory with these disks, taken some minutes from now."""
    moment = datetime.now().astimezone() + timedelta(minutes=minutes)
    inventory = msgspec.structs.replace(machine(*disks), as_of=moment.isoformat(), **changes)
    return complete(inventory)


def kinds(serial: str) -> list[str]:
    record = record_of(serial)
    assert record is not None
    return [event.kind for event in reversed(history_of(record))]


def words(serial: str) -> str:
    record = record_of(serial)
    assert record is not None
    return history_of(record)[0].words


def test_a_disk_is_met_once_whatever_its_names() -> None:
    probe(disk(1))
    probe(disk(1, path="/dev/sdz", id="scsi-1", links=("scsi-1",), hctl="7:0:0:0"), minutes=1)
    (record,) = all_records()
    assert (record.serial, record.last_id, kinds("WD-0001")) == ("WD-0001", "scsi-1", ["first-seen"])


def test_nothing_new_costs_two_queries() -> None:
    probe(disk(1), disk(2))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        probe(disk(1), disk(2), minutes=1)
    assert len(queries) == 2, [query["sql"] for query in queries]


def test_a_disk_that_left_is_missing_in_its_bay_and_stays_listed(taught: None) -> None:
    probe(disk(1), disk(2))
    inventory = probe(disk(2), minutes=1)
    first = inventory.bays[0]
    assert first.disk is None and first.missing is not None
    assert (first.missing.serial, first.missing.bay) == ("WD-0001", "A1")
    assert [(absent.serial, absent.bay) for absent in inventory.gone] == [("WD-0001", "A1")]
    assert words("WD-0001") == "Gone from bay A1"
    (gone,) = all_records(gone=True)
    assert (gone.serial, gone.last_bay) == ("WD-0001", "A1")


def test_put_back_it_returns_and_is_not_new(taught: None) -> None:
    probe(disk(1))
    probe(minutes=1)
    bay = probe(disk(1), minutes=2).bays[0]
    assert (bay.disk, bay.missing, bay.fresh) == (disk(1).id, None, False)
    assert kinds("WD-0001") == ["first-seen", "gone", "came-back"]
    assert words("WD-0001") == "Came back in bay A1"


def test_put_into_another_bay_it_has_moved(taught: None) -> None:
    probe(disk(1))
    inventory = probe(disk(1, port=disk(2).port), minutes=1)
    assert inventory.bays[0].missing is None and inventory.bays[1].fresh is True
    assert (kinds("WD-0001"), words("WD-0001")) == (["first-seen", "moved"], "Moved from bay A1 to bay A2")


def test_a_new_disk_in_a_taught_bay_is_new_there_until_it_is_used(taught: None) -> None:
    probe(disk(1), disk(2))
    probe(disk(2), minutes=1)
    new = disk(9, port=disk(1).port)
    assert [bay.fresh for bay in probe(new, disk(2), minutes=2).bays] == [True, False, False, False]
    assert [bay.fresh for bay in probe(new, disk(2), minutes=3).bays] == [True, False, False, False]
    used = msgspec.structs.replace(new, claims=(DiskClaim(kind="pool", words="x", active=True, pool="tank"),))
    assert probe(used, disk(2), minutes=4).bays[0].fresh is False
    assert probe(new, disk(2), minutes=5).bays[0].fresh is False


def test_on_the_first_look_and_after_teaching_nothing_is_new(db: None) -> None:
    probe(disk(1))
    store_layout(layout())
    store_teachings(by_port(4))
    assert probe(disk(1), minutes=1).bays[0].fresh is False
    assert kinds("WD-0001") == ["first-seen"]


def test_twins_are_two_disks_and_never_merged(db: None) -> None:
    one = disk(1, twins=("b",))
    other = disk(2, serial="WD-0001", wwn=one.wwn, twins=(one.id,))
    probe(one, other)
    first, second = all_records()
    assert (first.port, second.port) == (one.port, other.port)
    assert len({series_key(first), series_key(second)}) == 2
    probe(one, minutes=1)
    assert [record.port for record in all_records(gone=True)] == [other.port]
    probe(one, other, minutes=2)
    assert [record.pk for record in all_records()] == [first.pk, second.pk]
    assert all_records(gone=True) == []


@pytest.mark.parametrize("wwn", ["0x50010001", None])
def test_twins_without_a_port_are_told_apart_by_their_names(db: None, wwn: str | None) -> None:
    one = disk(1, port=None, wwn=wwn, twins=(disk(2).id,))
    other = disk(2, serial="WD-0001", wwn=wwn, port=None, twins=(one.id,))
    for minute in range(3):
        probe(one, other, minutes=minute)
    first, second = all_records()
    assert (first.last_id, second.last_id, kinds("WD-0001")) == (one.id, other.id, ["first-seen"])
    probe(msgspec.structs.replace(other, twins=()), minutes=3)
    assert [record.last_id for record in all_records(gone=True)] == [one.id]
    probe(one, other, minutes=4)
    assert [record.pk for record in all_records()] == [first.pk, second.pk]


def test_twins_keep_their_stories_while_udev_does_not_say_their_ports(db: None) -> None:
    one = disk(1, twins=(disk(2).id,))
    other = disk(2, serial="WD-0001", wwn=one.wwn, twins=(one.id,))
    probe(one, other)
    before = [record.pk for record in all_records()]
    nameless = (msgspec.structs.replace(one, port=None), msgspec.structs.replace(other, port=None))
    probe(*nameless, minutes=1)
    probe(one, other, minutes=2)
    assert [record.pk for record in all_records()] == before
    assert [record.port for record in all_records()] == [one.port, other.port]


def test_a_twin_that_comes_later_takes_no_story_over(db: None) -> None:
    probe(disk(1))
    one = disk(1, twins=("b",))
    other = disk(2, serial="WD-0001", wwn=one.wwn, twins=(one.id,))
    probe(one, other, minutes=1)
    assert [(record.port, record.gone_since) for record in all_records()] == [
        (one.port, None),
        (other.port, None),
    ]


def test_a_disk_without_links_is_not_met_before_udev_knows_it(db: None) -> None:
    probe(disk(1, links=(), id="sda", serial=None, wwn=None))
    assert all_records() == []


def test_links_that_vanish_for_a_moment_take_no_disk_away(db: None) -> None:
    probe(disk(1))
    probe(disk(1, links=(), id="sda", port=None), minutes=1)
    assert kinds("WD-0001") == ["first-seen"]
    record = record_of("WD-0001")
    assert record is not None and record.last_id == disk(1).id


def test_pools_that_it_joins_and_leaves_are_told(db: None) -> None:
    def member(pool: str) -> Disk:
        return disk(1, claims=(DiskClaim(kind="pool", words="x", active=True, pool=pool),))

    probe(member("tank"))
    probe(member("old"), minutes=1)
    probe(disk(1), minutes=2)
    record = record_of("WD-0001")
    assert record is not None
    assert [event.words for event in reversed(history_of(record))] == [
        "First seen in bay A1", "Joined pool tank", "Left pool tank", "Joined pool old",
        "Left pool old",
    ]  # fmt: skip


def test_an_older_inventory_changes_nothing(taught: None) -> None:
    probe(disk(1))
    probe(minutes=-1)
    assert kinds("WD-0001") == ["first-seen"]


def test_a_clock_that_was_wrong_does_not_stop_the_story(taught: None) -> None:
    probe(disk(1), minutes=60 * 24 * 365)
    probe()
    assert sorted(kinds("WD-0001")) == ["first-seen", "gone"]


def test_in_a_guessed_grid_the_place_of_a_pulled_disk_stays(db: None) -> None:
    probe(*map(disk, range(1, 5)))
    inventory = probe(disk(1), disk(3), disk(4), minutes=1)
    assert [one.bay for one in inventory.disks] == ["A1", "A3", "A4"]
    missing = inventory.bays[1].missing
    assert missing is not None and (missing.serial, missing.bay) == ("WD-0002", "A2")
    swapped = probe(disk(1), disk(9, port=disk(2).port), disk(3), disk(4), minutes=2)
    assert [bay.missing for bay in swapped.bays] == [None, None, None, None]


def test_in_a_guessed_grid_a_disk_that_left_follows_the_label_of_its_place(db: None) -> None:
    probe(disk(2), disk(3), disk(4))
    probe(disk(2), disk(4), minutes=1)
    inventory = probe(disk(1), disk(2), disk(4), minutes=2)
    assert [(one.serial, one.bay) for one in inventory.gone] == [("WD-0003", "A3")]
    on_its_port = disk(9, port=disk(3).port)
    inventory = probe(disk(2), on_its_port, disk(4), minutes=3)
    assert [(one.serial, one.bay) for one in inventory.gone] == [("WD-0003", "A3"), ("WD-0001", "A1")]
    assert kinds("WD-0003") == ["first-seen", "gone"]


def test_in_a_guessed_grid_a_place_that_is_kept_no_longer_gives_its_label_back(db: None) -> None:
    probe(disk(2), disk(3))
    probe(disk(3), minutes=1)
    DiskRecord.objects.filter(serial="WD-0002").update(gone_since=START - timedelta(days=90))
    inventory = probe(disk(3), minutes=2)
    assert [(one.serial, one.bay) for one in inventory.gone] == [("WD-0002", None)]


def test_labels_of_another_case_say_nothing(taught: None) -> None:
    probe(disk(1))
    probe(minutes=1)
    DiskRecord.objects.update(gone_since=START - timedelta(days=1))
    assert probe(minutes=2).bays[0].missing is None


def test_a_serial_that_was_taught_finds_its_disk_on_any_port(db: None) -> None:
    store_layout(layout())
    store_teachings((Teaching(bay="A3", serial="WD-0001"),))
    assert probe(disk(1)).bays[2].known_by == "taught"
    assert probe(disk(1, port="pci-other"), minutes=1).bays[2].disk == disk(1).id
    assert kinds("WD-0001") == ["first-seen"]


def test_a_case_that_loses_bays_forgets_what_was_taught_of_them(taught: None) -> None:
    store_layout(layout(columns=2))
    inventory = probe(disk(1), disk(4))
    assert [(bay.label, bay.taught) for bay in inventory.bays] == [("A1", True), ("A2", True)]
    assert [one.bay for one in inventory.disks] == ["A1", None]
