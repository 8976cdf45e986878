"""Which time zone new schedules have."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.inventory import Naming
from jobs.schedules.zone import usual_zone
from tests.machine.cases import machine


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        ("local", False, "Asia/Tokyo"),
        ("local", True, "Europe/Berlin"),
        ("simulated", False, "Asia/Tokyo"),
    ],
)
def test_it_is_the_machines_own_unless_another_was_given(
    settings: Any, kind: str, given: bool, expected: str
) -> None:
    settings.NASWEB_TIME_ZONE, settings.NASWEB_TIME_ZONE_GIVEN = "Europe/Berlin", given
    inventory = machine(naming=Naming(name="nas", kept="nas", time_zone="Asia/Tokyo"))
    facts = msgspec.structs.replace(inventory.facts, kind=kind)
    assert usual_zone(msgspec.structs.replace(inventory, facts=facts)) == expected


def test_a_machine_that_does_not_report_it_has_that_of_the_installation(settings: Any) -> None:
    settings.NASWEB_TIME_ZONE, settings.NASWEB_TIME_ZONE_GIVEN = "Europe/Berlin", False
    inventory = machine(naming=Naming(name="nas"))
    facts = msgspec.structs.replace(inventory.facts, kind="local")
    assert usual_zone(msgspec.structs.replace(inventory, facts=facts)) == "Europe/Berlin"
