"""Several people with the code, or without it, at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from accounts import setup
from accounts.models import SetupCode, User

GOOD = "correct horse battery"
CROWD = 6


@pytest.fixture
def all_have_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everyone's code was found right before anyone's account is made: nobody is refused early."""
    together = Barrier(CROWD, timeout=60)
    monkeypatch.setattr(User, "set_password", lambda self, password: together.wait())


def outcome(claim: Callable[[], User]) -> str:
    try:
        return claim().username
    except setup.SetupRefused as refused:
        return str(refused)


def accounts() -> list[str]:
    return list(User.objects.values_list("username", flat=True))


def test_of_many_with_the_code_one_gets_the_machine(
    transactional_db: None, in_threads: Callable[..., list[Any]], all_have_hashed: None
) -> None:
    code = setup.issue_for_screen()
    people = [f"person{n}" for n in range(CROWD)]
    said = in_threads(
        *(
            partial(outcome, partial(setup.claim_by_screen, code, name, GOOD, address=f"10.0.0.{n}"))
            for n, name in enumerate(people)
        )
    )
    winners = [name for name in said if name in people]
    assert len(winners) == 1
    assert {text for text in said if text not in people} == {"There is an account already. Sign in with it."}
    assert in_threads(accounts) == [winners]
    assert in_threads(SetupCode.objects.count) == [0]


def test_the_link_and_the_screen_and_the_command_line_make_one_account_together(
    transactional_db: None, in_threads: Callable[..., list[Any]], all_have_hashed: None
) -> None:
    link, code = setup.issue(), setup.issue_for_screen()
    ways = [
        partial(setup.claim, link, "link", GOOD),
        partial(setup.claim_by_screen, code, "screen", GOOD, address="10.0.0.1"),
        partial(setup.create_first, "command", GOOD),
    ] * (CROWD // 3)
    said = in_threads(*(partial(outcome, way) for way in ways))
    assert len([name for name in said if name in {"link", "screen", "command"}]) == 1
    assert len(in_threads(accounts)[0]) == 1
