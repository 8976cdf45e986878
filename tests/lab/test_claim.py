"""Somebody in the same network wants to claim a machine before its owner does: without the code, by guessing
it, by racing the owner, by using what was used before. They get nothing, and the owner is not kept out.

All of it goes over real HTTPS, many requests at a time. The stranger sits outside of the machine, the owner
in a network of their own, as `tests.lab.clients` makes it; so they have different addresses.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.lab.builder import build_image, built_release
from tests.lab.clients import SERVER, Clients
from tests.lab.console import PASSWORD, Answer, request
from tests.lab.machine import Machine
from tests.lab.new_machine import another_code, claimed, code_on_screen, rows, wait_until_up

pytestmark = pytest.mark.drill
WRONG, OLD = "AAAA-CCCC-DDDD", "old-code"
AT_ONCE = 16
_OF_ONE = 10  # guesses a minute that are checked
ASKING = "grep -q 'Nobody has claimed' /run/issue.d/nasweb.issue"
_ACCOUNTS = "select username from accounts_user"


class Door:
    """The one machine that all of them stand before."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.owner = Clients(machine)
        self.known: dict[str, str] = {}  # codes that earlier drills learned

    def stranger(self, code: str | None, path: str = "setup/") -> Answer:
        """One try from outside."""
        body = {"username": "eve", "password": PASSWORD} | ({} if code is None else {"code": code})
        return request(self.machine, "POST", path, body)

    def owner_says(self, code: str, path: str = "setup/", name: str = "ada") -> Answer:
        """The same from the owner's own network."""
        body = json.dumps({"username": name, "password": PASSWORD, "code": code})
        line = (
            "curl --silent --insecure --max-time 120 --header 'Content-Type: application/json' --data @-"
            f" --write-out '\\n%{{http_code}}' https://{SERVER}/api/v1/{path} <<'END'\n{body}\nEND"
        )
        text, _, status = self.owner.run(line).stdout.rpartition("\n")
        return Answer(int(status), json.loads(text) if text else None)

    def flood(self, code: str | None, count: int = 40) -> list[Answer]:
        """Many tries of the stranger at a time."""
        return at_once([lambda: self.stranger(code)] * count)


def at_once(acts: list[Callable[[], Answer]]) -> list[Answer]:
    """What each of them was answered."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [one.result() for one in [pool.submit(act) for act in acts]]


def codes(answer: Answer) -> set[str]:
    """Of the findings in a refusal."""
    return {one["code"] for one in answer.body.get("findings", ())}


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    """A machine that is up, and that nobody has claimed."""
    with Machine(build_image(built_release())) as machine:
        machine.boot()
        wait_until_up(machine)
        found = Door(machine)
        found.owner.come()
        yield found


def nobody_got_in(door: Door) -> None:
    assert claimed(door.machine) is False
    assert rows(door.machine, _ACCOUNTS) == []
    for path in ("disks/", "system/", "system/first-boot/", "jobs/"):
        assert request(door.machine, "GET", path).status == 401


def test_without_a_code_nobody_claims_it(door: Door) -> None:
    code_on_screen(door.machine)
    assert {answer.status for answer in door.flood(None)} == {422}
    nobody_got_in(door)


def test_guesses_are_counted_and_then_not_even_checked(door: Door) -> None:
    code = code_on_screen(door.machine)
    answers = door.flood(WRONG)
    assert {answer.status for answer in answers} == {422, 429}, answers
    looked_at = [answer for answer in answers if answer.status == 422]
    # A minute may end in the middle of it.
    assert len(looked_at) <= 2 * _OF_ONE
    assert all(codes(answer) == {"wrong-code"} for answer in looked_at)
    # The code itself would not help whoever has guessed that often. Dry runs, as a minute may end.
    for _ in range(5):
        door.flood(WRONG, _OF_ONE + 2)
        if (said := door.stranger(code, "setup/?dry_run=true")).status == 429:
            break
    assert said.status == 429, said
    nobody_got_in(door)


def test_the_owner_is_heard_while_a_stranger_guesses(door: Door) -> None:
    code = code_on_screen(door.machine)
    acts: list[Callable[[], Answer]] = [lambda: door.stranger(WRONG)] * 60
    acts.insert(30, lambda: door.owner_says(code, "setup/?dry_run=true"))
    answers = at_once(acts)
    assert answers[30] == Answer(200, {"claimed": False})
    assert {answer.status for answer in answers[:30] + answers[31:]} <= {422, 429}
    nobody_got_in(door)


def test_each_start_has_a_code_of_its_own(door: Door) -> None:
    before = code_on_screen(door.machine)
    door.machine.reboot()
    wait_until_up(door.machine)
    door.owner.come()
    assert another_code(door.machine, before) != before
    refused = door.owner_says(before)
    assert (refused.status, codes(refused)) == (422, {"wrong-code"})
    door.known[OLD] = before
    nobody_got_in(door)


def test_of_all_who_race_one_gets_it_and_only_with_the_code(door: Door) -> None:
    code = code_on_screen(door.machine)
    strangers: list[Callable[[], Answer]] = [
        *([lambda: door.stranger(WRONG)] * 8),
        *([lambda: door.stranger(None)] * 8),
        *([lambda: door.stranger(door.known.get(OLD, WRONG))] * 4),
    ]
    # Whoever read the screen too, or one owner who clicked twice: one account comes of it.
    owners = [lambda name=name: door.owner_says(code, name=name) for name in ("ada", "bob", "cleo")]
    answers = at_once([*strangers[:10], *owners, *strangers[10:]])
    said = answers[10:13]
    assert sorted(answer.status for answer in said) == [201, 422, 422], said
    first = next(answer.body["username"] for answer in said if answer.status == 201)
    assert rows(door.machine, _ACCOUNTS) == [first]
    assert {answer.status for answer in answers[:10] + answers[13:]} <= {422, 429}
    door.known["used"] = code


def test_what_was_used_opens_nothing_any_more(door: Door) -> None:
    for code in (door.known["used"], door.known[OLD], WRONG):
        refused = door.owner_says(code, name="eve")
        assert (refused.status, codes(refused)) == (422, {"claimed"}), refused
    assert all(answer.status in {422, 429} for answer in door.flood(door.known["used"]))
    assert claimed(door.machine) is True
    assert len(rows(door.machine, _ACCOUNTS)) == 1
    assert rows(door.machine, "select count(*) from accounts_setupcode") == ["0"]
    door.machine.wait_until(f"! {ASKING}", timeout_s=120)


def test_after_another_start_there_is_no_code_at_all(door: Door) -> None:
    door.machine.reboot()
    wait_until_up(door.machine)
    door.owner.come()
    door.machine.wait_until("! systemctl is-active --quiet nasweb-setup", timeout_s=300)
    assert door.machine.run("ls -A /run/nasweb-screen").stdout == ""
    door.machine.wait_until(f"! {ASKING}", timeout_s=120)
    refused: Any = door.owner_says(door.known["used"], name="eve")
    assert (refused.status, codes(refused)) == (422, {"claimed"})
