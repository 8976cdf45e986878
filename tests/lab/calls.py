"""A program that is stopped in the middle of a call to the kernel: what the plug or a signal then meets."""

from __future__ import annotations

from tests.lab.machine import Machine

_UNIT = "watch"


def stop_at(machine: Machine, program: str, function: str) -> None:
    """Have the kernel report when `program` next enters one of its functions; it is stopped there.

    Asked for before a job begins, because a command is over sooner than one can ask for it. What is
    stopped ends the call that it is in, and does nothing after it.
    """
    machine.run(f"""
        cd /sys/kernel/tracing
        echo 'p:{_UNIT} {function}' > kprobe_events
        echo 'comm == "{program}"' > events/kprobes/{_UNIT}/filter
        echo 1 > events/kprobes/{_UNIT}/enable
        """)
    stop = 'set -- $(head -n 1 /sys/kernel/tracing/trace_pipe); kill -STOP "${1##*-}"'
    # Before all other programs: what is to be stopped goes on meanwhile.
    first = ["--property=CPUSchedulingPolicy=fifo", "--property=CPUSchedulingPriority=50"]
    unit = ["systemd-run", "--quiet", "--expand-environment=no", f"--unit={_UNIT}", *first]
    machine.run([*unit, "sh", "-c", stop])


def wait_until_stopped(machine: Machine) -> None:
    """Returns once it was stopped. Raises LabError after a minute without its call."""
    machine.wait_until(f"! systemctl is-active --quiet {_UNIT}")


def let_go(machine: Machine, program: str) -> None:
    """Have what was stopped go on. Raises CommandError where it had ended before the signal came."""
    machine.run(["pkill", "--signal", "CONT", "--exact", program])
