"""Questions: typed reads that the worker answers into a row, for one asker, for a while."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Annotated, Any

import msgspec
import pytest
from django.utils import timezone
from msgspec import Meta

from host.base import CommandFailed, Host, HostUnavailable, Result
from host.commands.datasets.zfs import ZfsVersion
from jobs import broker, questions
from jobs.models import AskedQuestion
from jobs.plan import Refused
from jobs.questions import NobodyAnswers, Question, ask, read, value
from jobs.submission import Forbidden
from tests.jobs.composition import Machine
from tests.jobs.conftest import Person


class Wish(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    word: Annotated[str, Meta(max_length=20)]


class Echo(msgspec.Struct, frozen=True, kw_only=True):
    said: str


ASKED: list[str] = []


def echo(wish: Wish, host: Host) -> Echo:
    ASKED.append(wish.word)
    if wish.word == "silent":
        raise HostUnavailable("nobody answers")
    if wish.word == "failing":
        raise CommandFailed(ZfsVersion(), Result(exit=1, stderr="no such thing"))
    if wish.word == "broken":
        raise LookupError("inner secret")
    return Echo(said=wish.word * (questions._LONGEST_ANSWER if wish.word == "long" else 1))


QUESTIONS = {
    "test.echo": Question(name="test.echo", request=Wish, shape=Echo, answer=echo, scope="pools:read")
}


@pytest.fixture
def sent(machine: Machine, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The tasks that were put on the queue."""
    settings.NASWEB_QUESTIONS = "tests.jobs.test_questions.QUESTIONS"
    tasks: list[str] = []

    def send(task: str, *_: int) -> bool:
        tasks.append(task)
        return True

    monkeypatch.setattr(broker, "send", send)
    ASKED.clear()
    yield tasks


@pytest.fixture
def eve() -> Person:
    return Person("pools:read", name="eve")


def test_the_worker_answers_what_was_asked(sent: list[str], machine: Machine, eve: Person) -> None:
    asked = ask("test.echo", {"word": "hello"}, eve)
    assert (asked.settled, sent) == (False, ["jobs.tasks.answer_questions"])
    questions.answer_waiting(machine)
    report = read(asked.row_id)
    assert report.settled and value("test.echo", report) == Echo(said="hello")


def test_to_ask_again_is_to_read_again(sent: list[str], machine: Machine, eve: Person) -> None:
    first = ask("test.echo", {"word": "hello"}, eve)
    questions.answer_waiting(machine)
    again = ask("test.echo", {"word": "hello"}, eve)
    assert again.row_id == first.row_id and value("test.echo", again) == Echo(said="hello")
    assert (ASKED, len(sent)) == (["hello"], 1)


def test_an_answer_is_not_given_for_ever(sent: list[str], machine: Machine, eve: Person) -> None:
    first = ask("test.echo", {"word": "hello"}, eve)
    questions.answer_waiting(machine)
    AskedQuestion.objects.update(expires_at=timezone.now())
    second = ask("test.echo", {"word": "hello"}, eve)
    assert second.row_id != first.row_id and not second.settled
    assert AskedQuestion.objects.count() == 1


def test_nobody_is_given_what_another_one_asked(sent: list[str], machine: Machine, eve: Person) -> None:
    ask("test.echo", {"word": "hello"}, eve)
    questions.answer_waiting(machine)
    assert not ask("test.echo", {"word": "hello"}, Person("pools:read", name="bob")).settled


def test_who_may_not_ask_is_refused(sent: list[str]) -> None:
    with pytest.raises(Forbidden):
        ask("test.echo", {"word": "hello"}, Person("disks:read"))
    assert not AskedQuestion.objects.exists()


def test_a_question_of_another_shape_is_refused(sent: list[str], eve: Person) -> None:
    with pytest.raises(Refused) as refused:
        ask("test.echo", {"word": "x" * 21, "more": 1}, eve)
    assert {finding.field for finding in refused.value.findings} == {"word", "more"}
    assert not AskedQuestion.objects.exists()


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("failing", "command-failed"),
        ("silent", "machine-silent"),
        ("broken", "internal-error"),
        ("long", "too-long"),
    ],
)
def test_what_goes_wrong_is_reported(
    sent: list[str], machine: Machine, eve: Person, word: str, code: str
) -> None:
    asked = ask("test.echo", {"word": word}, eve)
    questions.answer_waiting(machine)
    with pytest.raises(Refused) as refused:
        value("test.echo", read(asked.row_id))
    (finding,) = refused.value.findings
    assert finding.code == code and "secret" not in finding.message


def test_without_a_queue_nothing_is_left_behind(
    sent: list[str], eve: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "send", lambda task, *args: False)
    with pytest.raises(NobodyAnswers):
        ask("test.echo", {"word": "hello"}, eve)
    assert not AskedQuestion.objects.exists()


def test_what_nobody_waits_for_any_more_is_not_read(sent: list[str], machine: Machine, eve: Person) -> None:
    ask("test.echo", {"word": "hello"}, eve)
    AskedQuestion.objects.update(wanted_at=timezone.now() - timedelta(minutes=2))
    questions.answer_waiting(machine)
    assert ASKED == []


def test_no_more_than_two_are_read_at_a_time(
    sent: list[str], machine: Machine, eve: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask("test.echo", {"word": "hello"}, eve)
    taken = BoundedSemaphore(1)
    taken.acquire()
    monkeypatch.setattr(questions, "_slots", taken)
    questions.answer_waiting(machine)
    assert ASKED == []
    taken.release()
    questions.answer_waiting(machine)
    assert ASKED == ["hello"]


def test_a_row_that_is_gone_is_said_to_be(sent: list[str]) -> None:
    asked = read(12345)
    assert asked.refused is not None and asked.refused.findings[0].code == "expired"
