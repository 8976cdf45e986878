"""Every plan opens with what an owner wants to know."""

from __future__ import annotations

import re

import pytest

from host.commands.datasets.datasets import ZfsRename
from host.commands.datasets.zfs import ZfsUnmount
from host.commands.pools.importing import ZpoolExport
from host.commands.pools.zpool import ZpoolDestroy
from jobs.plan import Plan
from nasweb.operations import OPERATIONS
from tests.summaries.collected import EXAMPLES, FILE, plans, text


def test_the_file_of_summaries_is_that_of_the_code() -> None:
    assert FILE.read_text() == text(), "Run `python -m tests.summaries` and read the difference as an owner."


def test_every_operation_has_an_example() -> None:
    assert set(EXAMPLES) == set(OPERATIONS)


@pytest.mark.parametrize(("name", "plan"), [pytest.param(*one, id=one[0]) for one in plans()])
def test_a_summary_is_one_to_three_sentences(name: str, plan: Plan) -> None:
    assert plan.operation == name
    sentences = re.findall(r"[^.!?](?:\.|!|\?)(?= |$)", plan.summary)
    assert 1 <= len(sentences) <= 3, plan.summary
    assert plan.summary == plan.summary.strip()
    assert plan.summary[-1] == "."


@pytest.mark.parametrize(("name", "plan"), [pytest.param(*one, id=one[0]) for one in plans()])
def test_only_what_is_declared_to_destroy_has_losses(name: str, plan: Plan) -> None:
    effect = OPERATIONS[name].effect
    if plan.destroys:
        assert effect == "destroys" or callable(effect)


@pytest.mark.parametrize(("name", "plan"), [pytest.param(*one, id=one[0]) for one in plans()])
def test_what_takes_datasets_away_takes_their_shares_along(name: str, plan: Plan) -> None:
    commands = [command for step in plan.steps for command in step.commands]
    if any(isinstance(command, ZpoolExport | ZpoolDestroy | ZfsUnmount | ZfsRename) for command in commands):
        assert OPERATIONS[name].moves_datasets
