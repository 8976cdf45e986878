"""Programs of our own in transient units: begun, to go on by themselves, or waited for."""

from __future__ import annotations

from host.commands.base import Command

RELEASE = "/opt/nasweb/current"
# A program of low priority may need minutes to load on a busy machine.
START_S = 300.0
AT_ONCE_S = 120.0  # where a person waits for it
# systemd gives it up that much before the time of the command ends: none begins that its job calls failed.
_BEFORE_S = 20.0
# Of itself systemd puts the values of variables into arguments: a file may be called `${PATH}`, or `a$$b`.
AS_GIVEN = "--expand-environment=no"


def python(program: str) -> tuple[str, ...]:
    """What runs one of `host.programs`."""
    return f"{RELEASE}/.venv/bin/python", "-m", f"host.programs.{program}"


def begun(unit: str, description: str, *options: str, within_s: float = START_S) -> tuple[str, ...]:
    """How a unit begins that goes on by itself; the program follows. `within_s` is the time of the command.

    systemd-run waits for READY=1: a program that refuses, or is not ready in time, is a failed command. It is
    not quiet: it would say nothing where the time was over.
    """
    return (
        "systemd-run",
        f"--unit={unit}",
        f"--description={description}",
        "--collect",  # a unit that failed would stand in the way of the next one
        "--service-type=notify",
        AS_GIVEN,
        f"--property=TimeoutStartSec={within_s - _BEFORE_S:.0f}",
        f"--working-directory={RELEASE}",
        *options,
    )


def waited(unit: str) -> tuple[str, ...]:
    """How a unit runs that is waited for, whose output is the command's; the program follows."""
    waits = ("--quiet", "--collect", "--pipe", "--wait", AS_GIVEN)
    return ("systemd-run", *waits, f"--unit={unit}", f"--working-directory={RELEASE}")


def last_line(unit: str) -> tuple[str, ...]:
    """What reads the last line that the unit's program wrote lately: before it is ready, why it refuses."""
    # What systemd says of the unit is systemd's own: only lines of its processes have this field.
    since, field = f"--since=-{START_S:.0f}s", f"_SYSTEMD_UNIT={unit}"
    return ("journalctl", "--quiet", "--output=cat", since, "--lines=1", field)


def explained[T: Command](said: str, by: T) -> T | None:
    """`by`, which reads that line, where systemd-run says no more than that the unit did not begin."""
    return by if said.startswith("Job for ") else None
