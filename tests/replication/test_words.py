"""What became of a run, in words."""

from __future__ import annotations

from datetime import datetime

import pytest

from host.replication.values import Replica, Replicated
from replication.replications.words import run_words

ENDED = "2026-11-20T12:00:00+00:00"


@pytest.mark.parametrize(("ahead_s", "said"), [(-60, False), (200, False), (7200, True)])
def test_a_snapshot_from_the_future_is_one_of_a_wrong_clock(ahead_s: int, said: bool) -> None:
    made = int(datetime.fromisoformat(ENDED).timestamp()) + ahead_s
    one = Replica(source="tank/photos", target="vault/photos", state="current", newest="a", newest_at=made)
    report = Replicated(
        task="0" * 16, started_at=ENDED, updated_at=ENDED, finished_at=ENDED, verdict="done", datasets=(one,)
    )
    words = run_words(report)
    assert words.startswith("1 dataset up to date.")
    assert ("is dated 120 minutes later than this run" in words) == said


def test_what_has_not_ended_says_nothing_of_clocks() -> None:
    assert run_words(Replicated(task="0" * 16, started_at="", updated_at="")) == "It is under way."
