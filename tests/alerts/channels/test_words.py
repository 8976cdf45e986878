"""The text of messages: which disk, where, what it means, what to do, where to read on."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from alerts.channels import words
from alerts.channels.decide import News
from alerts.channels.words import Item, Sender, items, message
from alerts.incidents.cause import Cause, Spot
from alerts.incidents.causes import causes
from tests.alerts.cases import AT, disks, memory, raidz2

SENDER = Sender(machine="nas", address="https://nas.local", time_zone="Europe/Berlin")
MEMBERS = disks(6)
MOMENT = datetime.fromisoformat(AT)
MEMORY = memory(MEMBERS, gone=[2])
(GONE,) = causes(raidz2(MEMBERS, gone=[2]), MEMORY)


def item(cause: Cause = GONE, **changes: object) -> Item:
    return msgspec.structs.replace(Item(act="opened", cause=cause, opened_at=MOMENT), **changes)


def test_a_disk_that_is_gone_is_named_by_bay_model_and_serial_with_what_to_do() -> None:
    report = message((item(),), SENDER, MEMORY.disks)
    disk = MEMBERS[2]
    assert (report.severity, report.subject) == ("critical", f"[nas] {GONE.title}")
    lines = report.text.split("\n")
    assert lines[:2] == [f"{GONE.title} (serious)", "Since 2026-11-21 13:00 CET."]
    assert f"Bay {disk.bay}" in report.text
    assert disk.model in report.text
    assert f"serial {disk.serial}" in report.text
    assert f"1. {GONE.steps[0].words}" in report.text
    assert lines[-1] == "Details in the console: https://nas.local/alerts/"


def test_a_disk_that_is_back_by_now_is_sent_without_steps() -> None:
    back = msgspec.structs.replace(GONE, steps=())
    text = message((item(back, well_since=MOMENT + timedelta(minutes=2)),), SENDER, MEMORY.disks).text
    assert "Healthy again since 2026-11-21 13:02 CET: there is nothing to do.\n" in text
    assert "What to do next" not in text


def test_steps_with_a_page_have_its_address() -> None:
    pages = [step.page for step in GONE.steps if step.page]
    text = message((item(),), SENDER, {}).text
    assert pages
    assert all(f"https://nas.local{page}" in text for page in pages)


def test_a_disk_that_the_words_do_not_name_is_named_from_memory() -> None:
    bare = Cause(
        key="x", kind="disk-errors", severity="warning", title="Bay A1: errors",
        details=("It counts errors.",),
        steps=(), subjects=(), spots=(Spot(id=MEMBERS[0].id, bay="A1"),),
    )  # fmt: skip
    text = message((item(bare),), SENDER, MEMORY.disks).text
    assert f"Disk: bay A1, {MEMBERS[0].model}, serial {MEMBERS[0].serial}." in text
    assert "(warning)" in text


def test_many_are_sent_in_one_message_the_worst_first() -> None:
    mild = msgspec.structs.replace(GONE, severity="warning", title="Bay A9: a warning")
    found = [News(incident=n, act="opened") for n in range(9)] + [News(incident=9, act="over")]
    known = {n: item(mild) for n in range(8)} | {8: item(), 9: item(closed_at=MOMENT + timedelta(hours=1))}
    report = items(found, known)
    text = message(report, SENDER, {})
    assert text.subject == f"[nas] {GONE.title}, and 9 more"
    assert text.text.startswith(f"{GONE.title} (serious)")
    assert text.text.count("(warning)") == 4
    assert "Also:\n- Bay A9: a warning\n" in text.text
    assert f"- Resolved: {GONE.title}" in text.text


def test_an_end_a_reminder_and_a_return_say_so() -> None:
    ended = message((item(act="over", closed_at=MOMENT + timedelta(minutes=90)),), SENDER, {})
    assert (ended.severity, ended.subject) == ("info", f"[nas] Resolved: {GONE.title}")
    assert "This lasted from 2026-11-21 13:00 CET until 2026-11-21 14:30 CET." in ended.text
    assert "What to do next" not in ended.text
    assert "not acknowledged" in message((item(act="reminder"),), SENDER, {}).text
    assert "It is back. Since" in message((item(act="back"),), SENDER, {}).text
    assert "more serious" in message((item(act="worse"),), SENDER, {}).text


def test_silent_news_are_not_sent() -> None:
    assert items([News(incident=1, act="over", silent=True)], {1: item()}) == ()


def test_a_long_title_leaves_room_for_how_many_there_are() -> None:
    long = msgspec.structs.replace(GONE, title="x" * 480)
    subject = message((item(long), item()), SENDER, {}).subject
    assert len(subject) == 200
    assert subject.endswith(", and 1 more")


def test_a_test_says_that_it_is_one() -> None:
    report = words.test_message("Anna", SENDER)
    assert report.subject == "[nas] A test of “Anna”"
    assert "Nothing is wrong" in report.text
