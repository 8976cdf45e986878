"""Enter in a field presses the first button of its form that sends it: that has to be the main one."""

from __future__ import annotations

import re
from pathlib import Path

FRONTEND = Path(__file__).parents[2] / "frontend"
TEMPLATES = sorted(
    path
    for path in FRONTEND.rglob("*.html")
    if "node_modules" not in path.parts and "static" not in path.parts
)
_INCLUDE = re.compile(r'{% include "([^"]+)"[^%]*%}')
_INNERMOST = re.compile(r"<form\b(?:(?!<form\b).)*?</form>", re.DOTALL)
_FIELD = re.compile(r'<input\b(?![^>]*type="hidden")')
_BUTTON = re.compile(r"<button\b((?:[^>]|(?<=[-%])>)*?)>(.*?)</button>", re.DOTALL)


def whole(path: Path, depth: int = 4) -> str:
    """A template with what it includes."""

    def included(found: re.Match[str]) -> str:
        for folder in (FRONTEND, FRONTEND / "templates"):
            if depth and (folder / found[1]).is_file():
                return whole(folder / found[1], depth - 1)
        return ""

    return _INCLUDE.sub(included, path.read_text())


def senders(form: str) -> list[tuple[str, str, str]]:
    """Of each button that sends the form: its classes, what it sends along, its words."""
    found = []
    for attributes, words in _BUTTON.findall(form):
        if 'type="button"' in attributes or re.search(r"(?<![-\w])form=", attributes):
            continue
        classes = "".join(re.findall(r'class="([^"]*)"', attributes))
        sent = " ".join(re.findall(r'(?<![-\w])(?:name|value|formaction)="[^"]*"', attributes))
        found.append((classes, sent, re.sub(r"{% icon[^%]*%}|<[^>]+>", "", words).strip()))
    return found


def forms(text: str) -> list[str]:
    """Each form without those that an include puts into it (which it has only where that one is not)."""
    found = []
    while (form := _INNERMOST.search(text)) is not None:
        found.append(form[0])
        text = text.replace(form[0], "")
    return found


def test_the_first_button_of_each_form_is_its_main_one() -> None:
    wrong = []
    for path, form in ((each, form) for each in TEMPLATES for form in forms(whole(each))):
        buttons = senders(form)
        main = [button for button in buttons if re.search(r"\bprimary\b", button[0])]
        if not main or not _FIELD.search(form):
            continue
        first = buttons[0]
        if first not in main and (first[0] != "unseen" or first[1:] not in [one[1:] for one in main]):
            wrong.append((str(path.relative_to(FRONTEND)), buttons))
    assert wrong == []
