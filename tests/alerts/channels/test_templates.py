"""Messages in the owner's own words: a closed set of placeholders, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from alerts.channels.sample import sample_message
from alerts.channels.templates import PLACEHOLDERS, BadTemplate, check, fill
from alerts.channels.words import Sender, Template
from jobs.planning.findings import Findings

SENDER = Sender(machine="nas", address="https://nas.local")
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
VALUES = {name: name.upper() for name in PLACEHOLDERS}


def test_placeholders_are_replaced_and_doubled_braces_are_braces() -> None:
    assert fill("{machine}: {title}", VALUES) == "MACHINE: TITLE"
    assert fill('{{"text": "{what}"}}', VALUES) == '{"text": "WHAT"}'
    assert fill("{{{title}}} {{title}}", VALUES) == "{TITLE} {title}"
    assert fill("no placeholder, 100 %", VALUES) == "no placeholder, 100 %"


def test_what_is_put_in_is_not_read_again() -> None:
    assert fill("{title}", VALUES | {"title": "{link} {x.y}"}) == "{link} {x.y}"


@pytest.mark.parametrize(
    "template",
    ["{title.__class__}", "{title[0]}", "{title!r}", "{title:>10}", "{0}", "{}", "{ title }", "{Title}", "{",
     "a } b", "{title", "{{title}", "{title}}", "{{{title}}", "{%if x%}", "{{}",
     "{machine.__init__.__globals__}"],
)  # fmt: skip
def test_anything_else_in_braces_is_refused(template: str) -> None:
    with pytest.raises(BadTemplate):
        fill(template, VALUES)
    findings = Findings()
    check(template, "text_template", findings, one_line=False)
    assert [(one.code, one.field) for one in findings.all()] == [("bad-template", "text_template")]


def test_an_unknown_name_is_told_with_those_that_there_are() -> None:
    with pytest.raises(BadTemplate) as caught:
        fill("{colour}", VALUES)
    assert "{colour}" in str(caught.value)
    assert all(f"{{{name}}}" in str(caught.value) for name in PLACEHOLDERS)


@pytest.mark.parametrize(("text", "one_line"), [("a\nb", True), ("a\x00", False), ("\x1b[1m", False)])
def test_control_characters_are_refused(text: str, one_line: bool) -> None:
    findings = Findings()
    check(text, "title_template", findings, one_line=one_line)
    assert [one.code for one in findings.all()] == ["bad-characters"]


def test_a_sample_alert_in_own_words_and_in_the_usual_ones() -> None:
    own = Template(title="{machine} {severity}", text="{title}\n{what}\n--\n{steps}\n{link}")
    made = sample_message(own, SENDER, NOW)
    assert made.subject == "nas critical"
    lines = made.text.split("\n")
    assert (lines[0], lines[-1]) == ("Bay A3: a disk of tank is gone", "https://nas.local/alerts/")
    assert "1. Check its cables and power, and put it back in." in lines
    usual = sample_message(Template(), SENDER, NOW)
    assert usual.subject == "[nas] Bay A3: a disk of tank is gone"
    assert usual.text.endswith("Details in the console: https://nas.local/alerts/")


def test_a_template_that_gives_nothing_or_is_of_another_version_leaves_the_usual_words() -> None:
    usual = sample_message(Template(), SENDER, NOW)
    assert sample_message(Template(title=" ", text="\n"), SENDER, NOW) == usual
    assert sample_message(Template(title="{gone}", text="{"), SENDER, NOW) == usual


def test_a_title_is_one_line_and_not_too_long() -> None:
    made = sample_message(Template(title="{what} " + "x" * 150), SENDER, NOW)
    assert "\n" not in made.subject
    assert len(made.subject) == 200
