"""Two flash drives written with one image: the machine takes one of them, reports the other, and pairs them.

Each carries the number of the same md array in the same place of it, so that nothing but the order in which
they are found decides between them.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lab.appliance import build_flash_image
from tests.lab.disks import GB
from tests.lab.machine import Machine
from tests.lab.new_machine import failed_units
from tests.lab.pair import FIRST, SECOND, Pair
from tests.lab.pool_life import until

pytestmark = pytest.mark.drill
_BOTH = {FIRST.serial: FIRST, SECOND.serial: SECOND}


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    image = build_flash_image().disk
    with Machine(None, (FIRST, SECOND)) as machine:
        for stick in (FIRST, SECOND):
            machine.write_disk(stick.id, image)
        machine.boot()
        yield Pair(machine)


@pytest.fixture(scope="module")
def other(pair: Pair) -> str:
    """The serial of the stick that the machine did not take."""
    (left,) = _BOTH.keys() - pair.serials()
    return left


def test_the_machine_starts_from_one_of_them(pair: Pair) -> None:
    assert [half["state"] for half in pair.boot()["halves"]] == ["whole"]
    assert int(pair.machine.run("findmnt -bnro SIZE /").stdout) > 4.4 * GB
    assert failed_units(pair.machine) == ""


def test_the_other_is_reported(pair: Pair, other: str) -> None:
    alert = until(lambda: pair.alert(other), limit_s=120)[1]
    assert (alert["kind"], alert["severity"]) == ("system-twice", "warning")
    assert "holds another copy of this system" in alert["title"]


def test_the_other_becomes_the_second_half(pair: Pair, other: str) -> None:
    pair.console.do("POST", "boot/add/", {"disk": pair.stick(other)})
    pair.wait_until_whole(*_BOTH)
    assert pair.boot()["complete"] is True
    until(lambda: pair.alert(other) is None, limit_s=120)


def test_the_machine_starts_from_what_was_the_other_alone(pair: Pair, other: str) -> None:
    pair.machine.run("echo written to both > /root/note; sync /root/note")
    pair.restart(_BOTH[other].id)
    assert pair.serials() == {other}
    assert pair.machine.run("cat /root/note").stdout == "written to both\n"
    assert failed_units(pair.machine) == ""
