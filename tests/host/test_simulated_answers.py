"""The simulator answers every command of the closed set, and each in one place."""

from __future__ import annotations

from typing import get_args

from host.commands.closed import AnyCommand
from host.commands.datasets.keys import ForgetSecrets
from host.simulated import answers


def test_each_command_has_one_answer() -> None:
    # Secrets are the helper's own, not the machine's.
    assert set(answers.HANDLERS) == set(get_args(AnyCommand)) - {ForgetSecrets}
    assert len(answers.HANDLERS) == sum(len(table) for table in answers._TABLES)
