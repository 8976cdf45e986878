"""The operations on disks, bays and the chassis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from disks.bays import import_case, set_bays, set_chassis, teach_bay
from disks.drives import burn_in, forget, locate, note, smart_test, stop_burn_in, wipe
from disks.links import disk_href
from disks.self_tests import schedule_disk, set_schedule
from jobs.operation import Asked, Operation
from jobs.wording import Data, Link, Wording, at

_TESTS = {"short": "Short self-test", "long": "Long self-test", "abort": "Abort the self-test"}


def _words(data: Data) -> str:
    return (
        f"bay {data['bay']}" if data.get("bay") else str(data.get("serial") or data.get("disk") or "a disk")
    )


def _about(done: str) -> Callable[[Data], str]:
    return lambda data: f"{done} {_words(data)}"


def _named(done: str) -> Callable[[Data], str | None]:
    """Of what loses something the serial is named, as it is printed on the disk."""

    def title(data: Data) -> str | None:
        named = data.get("serial") or data.get("disk")
        return f"{done} {named}" if isinstance(named, str) else None

    return title


def _locating(data: Data) -> str:
    return f"Turn the light of {_words(data)} {'on' if data.get('on') else 'off'}"


def _light_off(data: Data) -> Asked | None:
    named = {field: data.get(field) for field in ("disk", "serial", "bay")}
    return Asked("disk.locate", named | {"on": False}) if data.get("on") else None


def _test_abort(data: Data) -> Asked | None:
    named = {field: data.get(field) for field in ("disk", "serial")}
    return Asked("disk.smart-test", named | {"kind": "abort"}) if data.get("kind") != "abort" else None


def _testing(data: Data) -> str:
    return f"{_TESTS.get(str(data.get('kind')), 'Self-test')} of {_words(data)}"


def _disk_page(data: Data) -> Link:
    return Link("The disk", disk_href(str(data["disk"]))) if data.get("disk") else Link("Overview", "/")


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="chassis.set",
        request=set_chassis.SetChassis,
        plan=set_chassis.plan,
        scope="disks:write",
        effect="changes",
        remember=set_chassis.remember,
        wording=Wording(title="Set the chassis", page=at("Chassis", "/chassis/edit/")),
    ),
    Operation(
        name="chassis.import",
        request=import_case.ImportCase,
        plan=import_case.plan,
        scope="disks:write",
        effect="changes",
        remember=import_case.remember,
        wording=Wording(title="Set the chassis and bay mapping", page=at("Map bays", "/teach/")),
    ),
    Operation(
        name="bays.set",
        request=set_bays.SetBays,
        plan=set_bays.plan,
        scope="disks:write",
        effect="changes",
        remember=set_bays.remember,
        wording=Wording(title="Set the bay mapping", page=at("Map bays", "/teach/")),
    ),
    Operation(
        name="bays.teach",
        request=teach_bay.TeachBay,
        plan=teach_bay.plan,
        scope="disks:write",
        effect="harmless",
        remember=teach_bay.remember,
        wording=Wording(title="Map bay {bay}", page=at("Map bays", "/teach/")),
    ),
    Operation(
        name="disk.locate",
        request=locate.LocateDisk,
        plan=locate.plan,
        scope="disks:write",
        effect="harmless",
        remember=locate.remember,
        undo=_light_off,
        listed=False,
        wording=Wording(title=_locating, page=_disk_page),
    ),
    Operation(
        name="disk.smart-test",
        request=smart_test.RunSelfTest,
        plan=smart_test.plan,
        scope="disks:write",
        effect="harmless",
        remember=smart_test.remember,
        undo=_test_abort,
        routine=True,
        wording=Wording(title=_testing, page=_disk_page),
    ),
    Operation(
        name="disk.schedule-self-tests",
        request=schedule_disk.ScheduleSelfTests,
        plan=schedule_disk.plan,
        scope="disks:write",
        effect="harmless",
        remember=schedule_disk.remember,
        wording=Wording(title=_about("Schedule the self-tests of"), page=_disk_page),
    ),
    Operation(
        name="self-tests.set",
        request=set_schedule.SetSelfTests,
        plan=set_schedule.plan,
        scope="disks:write",
        effect="harmless",
        remember=set_schedule.remember,
        wording=Wording(title="Set the self-tests of disks", page=at("Self-tests", "/self-tests/")),
    ),
    Operation(
        name="disk.burn-in",
        request=burn_in.BurnInDisk,
        plan=burn_in.plan,
        scope="disks:write",
        effect="destroys",
        remember=burn_in.remember,
        wording=Wording(title="Burn in {serial}", page=_disk_page),
    ),
    Operation(
        name="disk.stop-burn-in",
        request=stop_burn_in.StopBurnIn,
        plan=stop_burn_in.plan,
        scope="disks:write",
        effect="changes",
        wording=Wording(title=_about("Stop the burn-in of"), page=_disk_page),
    ),
    Operation(
        name="disk.wipe",
        request=wipe.WipeDisk,
        plan=wipe.plan,
        scope="disks:write",
        effect="destroys",
        remember=wipe.remember,
        wording=Wording(title=_named("Erase"), page=_disk_page),
    ),
    Operation(
        name="disk.forget",
        request=forget.ForgetDisk,
        plan=forget.plan,
        scope="disks:write",
        effect="destroys",
        remember=forget.remember,
        wording=Wording(title=_named("Forget"), page=_disk_page, result=at("Disks", "/disks/")),
    ),
    Operation(
        name="disk.note",
        request=note.NoteDisk,
        plan=note.plan,
        scope="disks:write",
        effect="harmless",
        remember=note.remember,
        wording=Wording(title=_about("Note on"), page=_disk_page),
    ),
)
