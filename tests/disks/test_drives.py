"""What can be done with one disk: the plans, as values."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec
import pytest

from disks.drives import burn_in, forget, locate, note, smart_test, stop_burn_in, wipe
from disks.drives.burn_in import BurnInDisk
from disks.drives.forget import ForgetDisk
from disks.drives.locate import LocateDisk
from disks.drives.note import NoteDisk
from disks.drives.smart_test import RunSelfTest
from disks.drives.stop_burn_in import StopBurnIn
from disks.drives.wipe import WipeDisk
from host.commands.disks.enclosure import SlotLight
from host.commands.disks.leds import LedLight
from host.commands.disks.partition import UdevSettle, WipeSignatures
from host.commands.disks.smart import SmartTest
from host.commands.units import StartBlink, StartBurnIn, StopUnit
from host.inventory import Absent, Inventory, Unit, Vdev
from jobs.plan import Plan, Refused
from tests import made
from tests.disks.cases import disk, idle, machine, shelf

ONE = disk(1, bay="A1")


def ask(**changes: Any) -> LocateDisk:
    return LocateDisk(**({"disk": ONE.id, "serial": "WD-0001", "bay": "A1"} | changes))


def refused(plan: Any, request: Any, inventory: Inventory) -> list[str]:
    with pytest.raises(Refused) as error:
        plan(request, inventory)
    return [finding.code for finding in error.value.findings if finding.level == "error"]


def commands(plan: Plan) -> list[Any]:
    return [command for step in plan.steps for command in step.commands]


def test_without_a_slot_light_the_activity_light_blinks() -> None:
    plan = locate.plan(ask(seconds=90), machine(ONE))
    assert commands(plan) == [StartBlink(disk=ONE.link, serial="WD-0001", seconds=90)]
    assert plan.claims == (f"disk:{ONE.id}",) and plan.destroys == ()
    title = "Blink the activity light for 90 s, bay A1: WDC WD30EFRX, serial WD-0001"
    assert [step.title for step in plan.steps] == [title]


def test_an_enclosure_has_a_light_for_the_slot() -> None:
    inventory = machine(ONE, disk(2), enclosures=(shelf(2, 1),))
    path = inventory.enclosures[0].slots[1].path
    assert commands(locate.plan(ask(), inventory)) == [SlotLight(path=path, on=True)]
    assert commands(locate.plan(ask(on=False), inventory)) == [SlotLight(path=path, on=False)]


def test_a_light_in_doubt_is_not_lit() -> None:
    twice = machine(ONE, disk(2, hctl=ONE.hctl), enclosures=(shelf(1, 2),))
    assert locate.light_of(ONE, twice) == ""
    assert locate.light_of(ONE, machine(ONE, enclosures=(shelf(1, 1),))) == ""
    assert locate.light_of(disk(1, led=False, twins=("usb-other",)), machine()) == ""


def test_a_light_that_ledctl_has_for_the_disk_goes_before_its_activity() -> None:
    bay = disk(1, bay="A1", led=False, hctl=None, asleep=True)
    assert commands(locate.plan(ask(), machine(bay))) == [LedLight(disk=bay.link, on=True)]
    assert commands(locate.plan(ask(on=False), machine(bay))) == [LedLight(disk=bay.link, on=False)]
    both = disk(1, bay="A1", led=False)
    shelved = machine(both, enclosures=(shelf(1, None),))
    assert isinstance(commands(locate.plan(ask(), shelved))[0], SlotLight)


def test_one_that_blinks_already_begins_anew() -> None:
    inventory = msgspec.structs.replace(
        machine(ONE), units=(Unit(kind="blink", serial="WD-0001", state="running"),)
    )
    assert commands(locate.plan(ask(), inventory)) == [
        StopUnit(kind="blink", serial="WD-0001"),
        StartBlink(disk=ONE.link, serial="WD-0001", seconds=60),
    ]
    assert commands(locate.plan(ask(on=False), inventory)) == [StopUnit(kind="blink", serial="WD-0001")]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"serial": "WD-0002"}, "wrong-serial"),
        ({"bay": "A2"}, "wrong-bay"),
        ({"bay": None}, "wrong-bay"),
        ({"disk": "ata-none"}, "unknown-disk"),
    ],
)
def test_serial_and_bay_must_belong_to_the_disk(changes: dict[str, Any], code: str) -> None:
    inventory = machine(ONE, disk(2, bay="A2"), enclosures=(shelf(1, 2),))
    assert refused(locate.plan, ask(**changes), inventory) == [code]


def test_a_sleeping_disk_is_not_woken_to_blink() -> None:
    asleep = msgspec.structs.replace(ONE, asleep=True)
    assert refused(locate.plan, ask(), machine(asleep)) == ["asleep"]
    lit = locate.plan(ask(), machine(asleep, enclosures=(shelf(1, None),)))
    assert isinstance(commands(lit)[0], SlotLight)


def test_a_faulted_disk_is_not_read_to_blink() -> None:
    leaf = Vdev(guid="1", name="x", kind="disk", role="data", state="FAULTED", disk=ONE.id)
    inventory = msgspec.structs.replace(machine(ONE), pools=(made.pool(vdevs=(leaf,)),))
    assert refused(locate.plan, ask(), inventory) == ["faulted"]


def test_twins_do_not_blink_because_the_wrong_one_could() -> None:
    twin = msgspec.structs.replace(ONE, twins=("usb-other",))
    assert refused(locate.plan, ask(), machine(twin)) == ["twins"]


def test_a_disk_that_left_is_told_with_its_bay() -> None:
    left = Absent(id=ONE.id, serial="WD-0001", model="x", since="2026-11-21T12:00:00Z", bay="A1")
    inventory = msgspec.structs.replace(machine(), gone=(left,))
    with pytest.raises(Refused) as error:
        locate.plan(ask(), inventory)
    assert "missing from bay A1 since 2026-11-21T12:00:00Z" in error.value.findings[0].message


def test_a_self_test_says_how_long_it_takes() -> None:
    report = msgspec.structs.replace(ONE, short_test_minutes=2, long_test_minutes=413)
    long = smart_test.plan(RunSelfTest(disk=ONE.id, kind="long"), machine(report))
    assert long.steps[0].title.startswith("Start a long self-test (about 7 h), bay A1")
    short = smart_test.plan(RunSelfTest(disk=ONE.id, kind="short"), machine(report))
    assert short.steps[0].title.startswith("Start a short self-test (about 2 min)")
    assert commands(long) == [SmartTest(disk=ONE.link, kind="long")]


def test_a_self_test_goes_through_the_bridge_that_answered() -> None:
    usb = msgspec.structs.replace(ONE, transport="usb", bridge="sat")
    (command,) = commands(smart_test.plan(RunSelfTest(disk=ONE.id, kind="abort"), machine(usb)))
    assert command.argv() == ("smartctl", "-X", "-d", "sat", ONE.link)


def test_one_self_test_at_a_time() -> None:
    testing = machine(msgspec.structs.replace(ONE, test_remaining_percent=70))
    assert refused(smart_test.plan, RunSelfTest(disk=ONE.id, kind="short"), testing) == ["test-running"]
    abort = smart_test.plan(RunSelfTest(disk=ONE.id, kind="abort"), testing)
    assert commands(abort) == [SmartTest(disk=ONE.link, kind="abort")]


def test_a_burn_in_erases_first_and_is_confirmed_by_the_serial() -> None:
    holds = made.with_file_system(1)
    plan = burn_in.plan(BurnInDisk(disk=holds.id, serial="WD-0001"), machine(holds))
    assert commands(plan) == [
        WipeSignatures(disk=holds.link, partitions=(1,)),
        UdevSettle(),
        StartBurnIn(disk=holds.link, serial="WD-0001"),
    ]
    assert plan.confirm == "WD-0001"
    (loss,) = plan.destroys
    assert (loss.bay, loss.serial, loss.model) == ("A1", "WD-0001", "WDC WD30EFRX")
    assert loss.holds == "ntfs file system “Backup”, 2.7 TiB, not mounted"


def test_even_a_free_disk_needs_the_confirmation() -> None:
    plan = burn_in.plan(BurnInDisk(disk=ONE.id, serial="WD-0001"), machine(ONE))
    assert [loss.serial for loss in plan.destroys] == ["WD-0001"] and plan.confirm == "WD-0001"
    assert [finding.message for finding in plan.findings] == ["It takes about 13 h, in the background."]


@pytest.mark.parametrize(
    ("changed", "request_", "codes"),
    [
        (made.used(1, "pool", "member of pool tank"), {}, ["disk-in-use"]),
        (made.used(1, "burn-in", "a burn-in"), {}, ["disk-in-use"]),
        (disk(1, twins=("usb-other",)), {}, ["twins"]),
        (disk(1), {"serial": "WD-0002"}, ["wrong-serial"]),
        (disk(1, serial="a/b"), {"serial": "a/b"}, ["odd-serial"]),
    ],
)
def test_a_burn_in_is_refused(changed: Any, request_: dict[str, str], codes: list[str]) -> None:
    request = BurnInDisk(**({"disk": changed.id, "serial": "WD-0001"} | request_))
    assert refused(burn_in.plan, request, machine(changed)) == codes


@pytest.mark.parametrize("kind", ["exported-pool", "lvm", "luks", "md", "swap"])
def test_what_nothing_uses_now_can_be_erased_after_its_serial_was_typed(kind: str) -> None:
    holds = idle(1, kind, "something old")
    plan = wipe.plan(WipeDisk(disk=holds.id, serial="WD-0001"), machine(holds))
    assert commands(plan) == [WipeSignatures(disk=holds.link, partitions=(1,)), UdevSettle()]
    (loss,) = plan.destroys
    assert (loss.disk, loss.serial, loss.holds) == (holds.id, "WD-0001", "something old")
    assert (plan.confirm, plan.claims) == ("WD-0001", (f"disk:{holds.id}",))


def test_erasing_one_member_says_that_its_pool_loses_it() -> None:
    inventory = machine(*(idle(number, "exported-pool", "exported pool old") for number in (1, 2, 3)))
    plan = wipe.plan(WipeDisk(disk=disk(1).id, serial="WD-0001"), inventory)
    (finding,) = plan.findings
    assert (finding.code, finding.level) == ("pool-loses-member", "warning")
    assert finding.message.startswith("2 other disks in this machine belong to the same pool")


@pytest.mark.parametrize(
    ("changed", "request_", "codes"),
    [
        (made.used(1, "pool", "member of pool tank"), {}, ["disk-in-use"]),
        (made.used(1, "burn-in", "a burn-in"), {}, ["disk-in-use"]),
        (made.used(1, "mounted", "ext4 file system, mounted at /srv"), {}, ["disk-in-use"]),
        (ONE, {}, ["nothing-there"]),
        (idle(1, "lvm", "LVM physical volume"), {"serial": "WD-0002"}, ["wrong-serial"]),
        (idle(1, "lvm", "LVM physical volume"), {"serial": None}, ["required"]),
        (msgspec.structs.replace(idle(1, "md", "md"), twins=("ata-b",)), {}, ["twins"]),
    ],
)
def test_erasing_is_refused(changed: Any, request_: dict[str, Any], codes: list[str]) -> None:
    request = WipeDisk(**({"disk": changed.id, "serial": changed.serial} | request_))
    assert refused(wipe.plan, request, machine(changed)) == codes


def test_a_disk_without_a_serial_is_confirmed_by_its_name() -> None:
    nameless = msgspec.structs.replace(idle(1, "luks", "LUKS encrypted volume"), serial=None)
    plan = wipe.plan(WipeDisk(disk=nameless.id), machine(nameless))
    assert plan.confirm == nameless.id


def test_a_burn_in_that_runs_can_be_stopped() -> None:
    running = msgspec.structs.replace(
        machine(ONE), units=(Unit(kind="burn-in", serial="WD-0001", state="running"),)
    )
    request = StopBurnIn(disk=ONE.id)
    assert commands(stop_burn_in.plan(request, running)) == [StopUnit(kind="burn-in", serial="WD-0001")]
    assert refused(stop_burn_in.plan, request, machine(ONE)) == ["no-burn-in"]


def test_a_note_has_words_and_dates_that_make_sense() -> None:
    bought, until = date(2026, 11, 1), date(2031, 11, 1)
    fine = NoteDisk(
        disk=ONE.id, note="From the shop\nround the corner", purchased=bought, warranty_until=until
    )
    assert note.plan(fine, machine(ONE)).steps[0].title == "Save a note on the disk with serial WD-0001"
    odd = NoteDisk(disk=ONE.id, note="\x1b[2J", purchased=until, warranty_until=bought)
    assert refused(note.plan, odd, machine(ONE)) == ["bad-characters", "dates-reversed"]
    assert refused(note.plan, NoteDisk(disk="ata-none"), machine(ONE)) == ["unknown-disk"]


def test_forgetting_says_what_is_lost() -> None:
    left = Absent(
        id="ata-left",
        serial="WD-0009",
        model="x",
        since="2026-11-21T12:00:00Z",
        bay="A4",
        events=7,
        noted=True,
    )
    inventory = msgspec.structs.replace(machine(ONE), gone=(left,))
    plan = forget.plan(ForgetDisk(disk="ata-left"), inventory)
    assert [step.title for step in plan.steps] == ["Forget the disk with serial WD-0009: x, last in bay A4"]
    (warning,) = plan.findings
    assert warning.level == "warning"
    assert warning.message.startswith("Its history of 7 entries and the note on it, its SMART readings")
    assert commands(plan) == [] and plan.claims == ("disk:ata-left",)
    bare = msgspec.structs.replace(left, events=1, noted=False)
    again = forget.plan(ForgetDisk(disk="ata-left"), msgspec.structs.replace(inventory, gone=(bare,)))
    assert again.findings[0].message.startswith("Its history of 1 entry, its SMART readings")


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"disk": ONE.id}, "disk-present"),
        ({"disk": "ata-left", "serial": "WD-0001"}, "wrong-serial"),
        ({"disk": "ata-none"}, "unknown-disk"),
    ],
)
def test_only_a_disk_that_left_is_forgotten(request_: dict[str, str], code: str) -> None:
    left = Absent(id="ata-left", serial="WD-0009", model="x", since="2026-11-21T12:00:00Z")
    also_here = msgspec.structs.replace(left, id=ONE.id, serial="WD-0001")
    inventory = msgspec.structs.replace(machine(ONE), gone=(left, also_here))
    assert refused(forget.plan, ForgetDisk(**request_), inventory) == [code]


def test_a_note_can_be_made_on_a_disk_that_left() -> None:
    left = Absent(id="ata-left", serial="WD-0009", model="x", since="2026-11-21T12:00:00Z")
    plan = note.plan(NoteDisk(disk="ata-left"), msgspec.structs.replace(machine(), gone=(left,)))
    assert plan.claims == ("disk:ata-left",)
