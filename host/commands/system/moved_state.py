"""Moves /var and /home to a pool, and back. The program that does it is `host.programs.moved_state`.

What is wanted lies in files on the system's own disk, each put in place by one rename: `wanted` while the
first copy is made, `order` once the next start shall finish and switch, `place` from then on, `return` for
the way back. At each start the program reads them before anything writes to /var (nasweb-state.service);
where the pool is not there, the machine goes on with what the system's own disk has.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, Guid, PoolName
from host.system.own_datasets import STATE

Moved = Literal["var", "home"]

FOLDER = "/etc/nasweb/state"
WANTED, ORDER, PLACE, RETURN, FAILED = (
    f"{FOLDER}/{name}" for name in ("wanted", "order", "place", "return", "failed")
)
TOLD, NOT_RETURNED = "/run/nasweb-state/told", "/run/nasweb-state/not-returned"
CRYPTTAB = "/etc/crypttab"
PROGRAM = "/usr/local/libexec/nasweb-state"
COPY_UNIT = "nasweb-state-copy.service"
UNITS = ("nasweb-state-move.service", "nasweb-state.service", "nasweb-schema.service")

What = Annotated[tuple[Moved, ...], Meta(min_length=1, max_length=2)]


def dataset_of(pool: str, folder: Moved | None = None) -> str:
    """The dataset that holds /var or /home, or the parent of both."""
    return f"{pool}/{STATE}" if folder is None else f"{pool}/{STATE}/{folder}"


class StateFiles(Command, frozen=True, kw_only=True):
    """Every line, behind its path and NUL, of the files above. grep ends with 2 where one is missing."""

    reads = True
    good_exits = (0, 1, 2)

    def argv(self) -> tuple[str, ...]:
        how = ("--no-messages", "--text", "--null", "--with-filename", "--regexp=")
        return ("grep", *how, WANTED, ORDER, PLACE, RETURN, FAILED, TOLD, NOT_RETURNED, CRYPTTAB)


class StateSpace(Command, frozen=True, kw_only=True):
    """Where /, /var and /home are mounted, and how much is used and free there in bytes."""

    reads = True
    timeout_s = 20.0
    good_exits = (0, 1)  # 1: there is no /home

    def argv(self) -> tuple[str, ...]:
        return ("df", "--block-size=1", "--output=target,used,avail", "/", "/var", "/home")


class StateCopying(Command, frozen=True, kw_only=True):
    """Whether the first copy goes on: active, inactive, failed."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "show", "--property=ActiveState", "--value", COPY_UNIT)


class WantState(Command, frozen=True, kw_only=True):
    """Write down what is to be moved where."""

    pool: PoolName
    guid: Guid
    what: What

    def argv(self) -> tuple[str, ...]:
        return ("tee", WANTED)

    def input(self) -> str:
        return f"pool={self.pool}\nguid={self.guid}\nwhat={' '.join(self.what)}\n"


class StartStateCopy(Command, frozen=True, kw_only=True):
    """Copy while the machine is in use, in a unit of its own. Once that has succeeded, the next start moves.

    What it mounts is visible to itself alone, and unmounted when it ends.
    """

    timeout_s = 60.0

    def argv(self) -> tuple[str, ...]:
        return (
            "systemd-run", f"--unit={COPY_UNIT}", "--description=Nasweb: first copy of /var and /home",
            "--collect", "--service-type=exec", "--nice=10", "--property=IOSchedulingClass=idle",
            "--property=PrivateMounts=yes", PROGRAM, "copy",
        )  # fmt: skip


class StopStateCopy(Command, frozen=True, kw_only=True):
    """Stop it and wait until it has ended. Status 5: it has."""

    timeout_s = 180.0
    good_exits = (0, 5)

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", COPY_UNIT)


class WatchState(Command, frozen=True, kw_only=True):
    """Enable or disable the units that read these files at each start."""

    on: bool

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "enable" if self.on else "disable", *UNITS)


class OrderReturn(Command, frozen=True, kw_only=True):
    """Let the next start copy everything back, and switch."""

    def argv(self) -> tuple[str, ...]:
        return ("tee", RETURN)

    def input(self) -> str:
        return "The next start copies back.\n"


class ForgetState(Command, frozen=True, kw_only=True):
    """Remove requests and the place of the state: from the next start on it is on the system's own disk."""

    def argv(self) -> tuple[str, ...]:
        return ("rm", "--force", WANTED, ORDER, RETURN, FAILED, PLACE)


class SyncState(Command, frozen=True, kw_only=True):
    """Write these files through to the disk before anything relies on them."""

    def argv(self) -> tuple[str, ...]:
        return ("sync", "--file-system", FOLDER)


Commands = (
    StateFiles
    | StateSpace
    | StateCopying
    | WantState
    | StartStateCopy
    | StopStateCopy
    | WatchState
    | OrderReturn
    | ForgetState
    | SyncState
)
