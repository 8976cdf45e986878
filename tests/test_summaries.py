"""Every plan opens with what an owner wants to know."""

from __future__ import annotations

import functools
import re

from host.commands.base import Command
from host.commands.datasets.datasets import ZfsRename
from host.commands.datasets.zfs import ZfsUnmount
from host.commands.pools.importing import ZpoolExport
from host.commands.pools.zpool import ZpoolDestroy
from jobs.plan import Plan
from nasweb.operations import OPERATIONS
from tests.summaries.collected import EXAMPLES, FILE, plans, text

TAKES_AWAY = (ZpoolExport, ZpoolDestroy, ZfsUnmount, ZfsRename)


def test_the_file_of_summaries_is_that_of_the_code() -> None:
    assert FILE.read_text() == text(), "Run `python -m tests.summaries` and read the difference as an owner."


def test_every_operation_has_an_example() -> None:
    assert set(EXAMPLES) == set(OPERATIONS)


def test_a_summary_is_one_to_three_sentences() -> None:
    for name, plan in _plans():
        assert plan.operation == name
        sentences = re.findall(r"[^.!?](?:\.|!|\?)(?= |$)", plan.summary)
        assert 1 <= len(sentences) <= 3, (name, plan.summary)
        assert plan.summary == plan.summary.strip(), name
        assert plan.summary[-1] == ".", (name, plan.summary)


def test_only_what_is_declared_to_destroy_has_losses() -> None:
    destroying = {name for name, plan in _plans() if plan.destroys}
    undeclared = {
        name
        for name in destroying
        if not callable(OPERATIONS[name].effect) and OPERATIONS[name].effect != "destroys"
    }
    assert undeclared == set()
    assert "pool.destroy" in destroying


def test_what_takes_datasets_away_takes_their_shares_along() -> None:
    taking = {name for name, plan in _plans() if any(isinstance(one, TAKES_AWAY) for one in _commands(plan))}
    assert {name for name in taking if not OPERATIONS[name].moves_datasets} == set()
    assert "pool.export" in taking


@functools.cache
def _plans() -> list[tuple[str, Plan]]:
    """All of them. They are checked in loops: a test each would take longer than what it checks."""
    return list(plans())


def _commands(plan: Plan) -> list[Command]:
    return [command for step in plan.steps for command in step.commands]
