"""What a plan shows, and what its digest is made of."""

from __future__ import annotations

from host.commands.disks.enclosure import SlotLight
from jobs.plan import Plan, Step

_PATH = "/sys/devices/pci0000:00/host0/target0:0:12/0:0:12:0/enclosure/0:0:12:0/Slot01"


def _plan(*, on: bool) -> Plan:
    return Plan(
        operation="disk.locate", steps=(Step(title="Light", commands=(SlotLight(path=_PATH, on=on),)),)
    )


def test_what_a_command_is_fed_is_shown_and_counts() -> None:
    (step,) = _plan(on=True).view()["steps"]
    assert step["commands"] == [["tee", f"{_PATH}/locate", "<<<", "1"]]
    assert _plan(on=True).digest == _plan(on=True).digest
    assert _plan(on=True).digest != _plan(on=False).digest
