"""One incident that comes to be about far more disks or files than somebody has read of."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec
import pytest

from alerts.channels.decide import LastMessage, Rules, Seen, news
from alerts.channels.notifying import queue
from alerts.evidence import Evidence
from alerts.incidents import acknowledge
from alerts.incidents.recording import follow
from alerts.models import Delivery, Incident, IncidentNotice
from host.inventory import Inventory
from tests.alerts.cases import AT, disks, memory, raidz2, reading
from tests.alerts.channels.conftest import Make

START = datetime.fromisoformat(AT)


def warm(count: int) -> tuple[Inventory, Evidence]:
    """Six disks, so many of which are too warm."""
    members = [
        msgspec.structs.replace(disk, temperature_celsius=70 if place < count else 30)
        for place, disk in enumerate(disks(6))
    ]
    known = {
        name: msgspec.structs.replace(one, reading=reading(hottest_celsius=60))
        for name, one in memory(members).disks.items()
    }
    return raidz2(members), Evidence(disks=known)


def damaged(count: int) -> tuple[Inventory, Evidence]:
    return raidz2(disks(6), data_errors=count), memory(disks(6))


def probed(machine: tuple[Inventory, Evidence], minutes: float = 0) -> Incident:
    inventory, known = machine
    at = (START + timedelta(minutes=minutes)).isoformat()
    follow(msgspec.structs.replace(inventory, as_of=at), known)
    return Incident.objects.get()


def acknowledged(row: Incident) -> None:
    acknowledge.remember(acknowledge.AcknowledgeAlert(id=row.pk), raidz2(disks(6)), "ada")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("machine", "few", "more", "many"), [(warm, 2, 3, 4), (damaged, 1, 1, 5000)], ids=["heat", "damage"]
)
def test_who_acknowledged_few_has_not_read_of_twice_as_many(
    machine: Callable[[int], tuple[Inventory, Evidence]], few: int, more: int, many: int
) -> None:
    acknowledged(probed(machine(few)))
    assert probed(machine(more), 5).acknowledged_by == "ada"
    row = probed(machine(many), 10)
    assert (row.acknowledged_by, row.acknowledged_at) == ("", None)
    acknowledged(row)
    assert probed(machine(many), 15).acknowledged_by == "ada"


@pytest.mark.django_db
def test_what_was_acknowledged_before_an_upgrade_stays_so() -> None:
    row = probed(damaged(3))
    Incident.objects.update(acknowledged_at=START, acknowledged_by="ada")
    del row.cause["extent"]
    Incident.objects.update(cause=row.cause)
    assert probed(damaged(5000), 5).acknowledged_by == "ada"


@pytest.mark.django_db
def test_a_channel_is_sent_what_has_doubled_since_its_last_message(make_channel: Make) -> None:
    make_channel()
    probed(damaged(3))
    assert queue(START + timedelta(minutes=1)) == 1
    probed(damaged(5), 20)
    assert queue(START + timedelta(minutes=20)) == 0
    probed(damaged(6), 21)
    assert queue(START + timedelta(minutes=21)) == 1
    assert Delivery.objects.order_by("pk").last().subject.endswith("Worse: tank: 6 files damaged")  # type: ignore[union-attr]
    assert IncidentNotice.objects.get().extent == 6
    assert queue(START + timedelta(minutes=40)) == 0


def acts(extent: int, before: int, minutes: float, **changes: bool) -> list[str]:
    one = Seen(
        id=1, kind="data-damaged", severity="critical", opened_at=START, extent=extent,
        **changes,  # type: ignore[arg-type]
    )  # fmt: skip
    known = {1: LastMessage(severity="critical", at=START, extent=before)}
    return [found.act for found in news([one], known, Rules(), START + timedelta(minutes=minutes))]


@pytest.mark.parametrize(
    ("extent", "before", "minutes", "found"),
    [
        (6, 3, 10, ["worse"]),
        pytest.param(6, 3, 9, [], id="what grows quickly is not sent at each doubling"),
        (5, 3, 60, []),
        (2, 5, 60, []),
        pytest.param(5000, 0, 60, [], id="nothing is known of the message of an older version"),
    ],
)
def test_growth_is_worse_once_it_has_doubled(
    extent: int, before: int, minutes: float, found: list[str]
) -> None:
    assert acts(extent, before, minutes) == found
    assert acts(extent, before, minutes, acknowledged=True) == []
    assert acts(extent, before, minutes, calm=True) == []
