"""Messages in the owner's own words: text with a closed set of placeholders in braces. Pure.

`{name}` stands for a value, `{{` and `}}` for a brace, and there is nothing else: no attributes, formats or
code. What is put in is not read again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from jobs.planning.findings import Findings

MOST_TITLE, MOST_TEXT = 200, 4000
_LONGEST_TEXT = 16_000  # of a message
PLACEHOLDERS: dict[str, str] = {
    "title": "what happened, in a line",
    "severity": "critical, warning or info",
    "machine": "the name of this machine",
    "what": "what happened and since when, with bay, model and serial of each disk",
    "steps": "what to do next",
    "link": "the address of the alerts in this console",
}
_NAMES = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_SHOWN = 40


class BadTemplate(ValueError):
    """Not a template that can be used; says why."""


def fill(template: str, values: Mapping[str, str]) -> str:
    """`template` with the values of all placeholders. Raises `BadTemplate`."""

    def piece(found: re.Match[str]) -> str:
        whole, name = found.group(), found.group(1)
        if whole in {"{{", "}}"}:
            return whole[0]
        if name in PLACEHOLDERS:
            return values[name]
        if name is None:
            raise BadTemplate(f"A single “{whole}” means nothing. Write “{whole * 2}” for a brace.")
        raise BadTemplate(f"There is no placeholder {{{name[:_SHOWN]}}}. There are {_NAMES}.")

    return _PIECE.sub(piece, template)


def title(template: str, values: Mapping[str, str], usual: str) -> str:
    """The title, in one line; `usual` where the template is empty or gives nothing."""
    return _filled(template, values, one_line=True)[:MOST_TITLE] or usual


def text(template: str, values: Mapping[str, str], usual: str) -> str:
    """The text; `usual` where the template is empty or gives nothing."""
    return _filled(template, values, one_line=False)[:_LONGEST_TEXT] or usual


def check(template: str, field: str, findings: Findings, *, one_line: bool) -> None:
    """Adds a finding on `field` where `template` cannot be used."""
    allowed = "" if one_line else "\n\t\r"
    if any(not letter.isprintable() and letter not in allowed for letter in template):
        kind = "characters, in one line" if one_line else "characters and line breaks"
        findings.error("bad-characters", field, f"Use printable {kind}.")
    try:
        fill(template, dict.fromkeys(PLACEHOLDERS, ""))
    except BadTemplate as bad:
        findings.error("bad-template", field, str(bad))


def _filled(template: str, values: Mapping[str, str], *, one_line: bool) -> str:
    try:
        made = fill(template, values)
    except BadTemplate:  # of another version: the usual words are better than no message
        return ""
    return " ".join(made.split()) if one_line else made.replace("\r\n", "\n").strip()
