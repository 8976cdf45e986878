"""Ending a restore that goes on."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from host.commands.files import StopRestore
from host.files.answers import Restored
from host.inventory import Inventory
from jobs.needs import Needs
from jobs.plan import Refused
from pools.files.restores import Restores
from pools.files.stop_restore import QUESTION, StopOneRestore, needs, plan
from tests import made

ID, ANOTHER = "0123456789abcdef", "fedcba9876543210"
NOW = "2026-11-01T03:00:00+00:00"
WISH = StopOneRestore(dataset="tank/home", restore=ID)


def machine(verdict: Literal["restored", "failed", "stopped"] | None = None, words: str = "") -> Inventory:
    """A dataset into which one restore goes, or went."""
    home = made.dataset("tank/home", mounted="yes")
    one = Restored(
        restore=ID, dataset="tank/home", source="Letters", target="Letters (s1)", started_at=NOW,
        updated_at=NOW, verdict=verdict, words=words,
    )  # fmt: skip
    inventory = made.inventory(datasets=(home,))
    return msgspec.structs.replace(inventory, answers={QUESTION: Restores(results=(one,))})


def test_one_that_goes_on_is_stopped_and_what_goes_is_named() -> None:
    found = plan(WISH, machine())
    (step,) = found.steps
    assert step.commands == (StopRestore(restore=ID),)
    assert step.title == "Stop the restore of Letters (s1) and remove what it copied so far"
    assert (step.destroys, found.claims) == ((), (f"restore:{ID}",))


def test_how_restores_stand_is_asked_first() -> None:
    (wanted,) = needs(WISH, machine()).answers
    assert (wanted.question, wanted.data) == (QUESTION, {"dataset": "tank/home"})
    assert needs(msgspec.structs.replace(WISH, dataset="tank/gone"), machine()) == Needs()


@pytest.mark.parametrize(
    ("wish", "verdict", "code", "field"),
    [
        (WISH, "restored", "has-ended", "restore"),
        (WISH, "stopped", "has-ended", "restore"),
        (msgspec.structs.replace(WISH, restore=ANOTHER), None, "unknown-restore", "restore"),
        (msgspec.structs.replace(WISH, dataset="tank/gone"), None, "unknown-dataset", "dataset"),
    ],
)
def test_what_cannot_be_stopped_is_refused(
    wish: StopOneRestore, verdict: Literal["restored", "stopped"] | None, code: str, field: str
) -> None:
    with pytest.raises(Refused) as refused:
        plan(wish, machine(verdict, "It is back."))
    (finding,) = refused.value.findings
    assert (finding.code, finding.field) == (code, field)
