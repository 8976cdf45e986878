"""No page and no message falls back to wording that was put into plain English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("frontend", "alerts", "pools", "shares", "backups", "machine", "disks", "jobs", "accounts", "nasweb")

# What may stand nowhere in a text, whatever is around it.
PHRASES = {
    "Show the plan": "Review changes",
    "otherwise than": "Checksum errors: ZFS detected and repaired corrupted data",
    "right as it is": "Keep current settings",
    "stand before the machine": "Enter the code shown on the NAS's screen",
    "Make the account": "Create account",
    "It may do everything": "Full access",
    "Call the machine": 'Rename to "…"',
    "Live in": "Set time zone to …",
    "Nothing that is stored now": "No data will be deleted",
    "What they said": "Output",
    "Copies of the settings": "Settings backup",
    "Copy of the settings": "Settings backup",
    "by the clock": "scheduled",
    "Shut out from": "Account expires",
    "Name to sign in with": "User name",
    "The same again": "Confirm password",
    "belong to the number": "UID …",
    "belong to that number": "UID …",
    "Teach the bays": "Map bays",
    "Teach bay": "Map bay",
    "Bay is known": "… of … disks mapped",
    "have a bay": "… of … disks mapped",
    "Holds everything": "Boot copy up to date",
    "What it counts": "SMART counters",
    "Under power": "Power-on time",
    "% to go": "% done",
    "Refers to": "Referenced",
    "Restore beside": "Restore as copy",
    "as the purpose has it": "Default for this type",
    "Tell upper from lower case": "Case-sensitive names",
    "may stay so": "Ignore",
    "Tokens for scripts": "API tokens",
    "Make a token": "Create token",
    "Nobody could look": "Could not be read",
    "Kept by": "Held by",
    "youngest": "newest",
    "is younger": "is newer",
    "What would be free\\?": "How much would be freed?",
    "ticked snapshots": "selected snapshots",
    "each alone holds": "Show space used by each",
    "these alone hold": "… used only by these snapshots",
    "first look": "Waiting for the first probe",
    "worker looks at": "The worker reads …",
    "Nobody is told": "No notifications configured",
    "Mend the links": "Repair device links of …",
    "Choose the swap": "Set up swap",
    "Try the key": "Test key of …",
    "Nothing to complain of": "No findings",
    "Somebody knows of": "Acknowledged",
    "somebody knows of": "Acknowledged",
    "The machine is being asked": "Reading from the machine…",
    "Heeded when": "Takes effect when …",
    "called off": "cancelled",
    "call off": "cancel",
    "stands in for": "has taken over for",
    "Let go of": "Remove",
    "go on with": "continue with",
    "goes on with": "continues with",
    "hang on ": "are on",
    "at each start": "at every start",
    "after each start": "after every start",
    "is not here": "is missing",
    "that are here": "that are present",
    "names that stay": "stable names",
    "until that has ended": "until that has finished",
    "What is stored": "Existing data",
    "Set recursive": "Confirm that too",
    "switched off": "turned off",
    "Bring back": "Recover",
    "Rights of": "Permissions of",
}
# What may not be all of a text on a page. In Python such short words are mostly values of a field.
WHOLE = {
    "I know": "Acknowledge",
    "Leave it": "Cancel",
    "It may": "Scopes",
    "over": "Overwrite",
    "May": "Access",
    "Do": "Actions",
    "Seen": "Updated",
    "Tell": "Show",
    "Over": "Resolved",
}
# Nearly no text has any of them: to look for each in each takes ten times as long.
ANY_PHRASE = re.compile(rf"\b(?:{'|'.join(PHRASES)})")
HIDDEN = re.compile(r"\{%\s*comment.*?endcomment\s*%\}|\{#.*?#\}|<!--.*?-->|<script.*?</script>", re.DOTALL)
SHOWN_ATTRIBUTES = re.compile(r"""<[^>]*?((?:title|placeholder|aria-label)="([^"]*)")[^>]*>""")
JS_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)
JS_TEXT = re.compile(r'"([^"\n]*)"|\'([^\'\n]*)\'|`([^`]*)`')


def in_template(source: str) -> Iterator[str]:
    """The texts of a template, with a blank for what it fills in."""
    source = re.sub(r"\{[{%].*?[}%]\}", " ", HIDDEN.sub("", source), flags=re.DOTALL)
    yield from (found.group(2) for found in SHOWN_ATTRIBUTES.finditer(source))
    source = re.sub(r"</?(?:b|strong|em|code|a|span)\b[^>]*>", "", source)
    yield from re.sub(r"<[^>]*>", "\n", source).splitlines()


def in_python(source: str) -> Iterator[str]:
    """The string literals of a module, without its docstrings."""
    tree = ast.parse(source)
    silent = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.value


def in_script(source: str) -> Iterator[str]:
    yield from ("".join(found.groups(default="")) for found in JS_TEXT.finditer(JS_COMMENT.sub("", source)))


READERS = {".html": in_template, ".py": in_python, ".js": in_script}


def files(room: str) -> Iterator[Path]:
    for path in sorted((ROOT / room).rglob("*")):
        if path.suffix in READERS and not {"node_modules", "static", "migrations"} & set(path.parts):
            yield path


def refused(texts: Iterator[str], whole: dict[str, str] = WHOLE) -> list[str]:
    """Each phrase of the lists that stands in one of the texts, and what to say instead."""
    found = []
    for text in texts:
        said = " ".join(text.split())
        if ANY_PHRASE.search(said):
            found += [f"{old!r}: say {new!r}" for old, new in PHRASES.items() if re.search(rf"\b{old}", said)]
        found += [f"{said!r}: say {whole[said]!r}"] if said in whole else []
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_every_text_is_in_plain_words(room: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {hit}"
        for path in files(room)
        for hit in refused(
            READERS[path.suffix](path.read_text(encoding="utf-8")), {} if path.suffix == ".py" else WHOLE
        )
    ]
    assert not found, "\n".join(found)


def test_texts_are_found_and_comments_and_names_are_not() -> None:
    template = (
        '{# youngest #}<p title="The same again">Kept <b>by</b> {{ youngest }}</p>'
        '<a class="youngest">I know</a>'
    )
    assert refused(in_template(template)) == [
        "'The same again': say 'Confirm password'",
        "'Kept by': say 'Held by'",
        "'I know': say 'Acknowledge'",
    ]
    module = '"""Teach the bays"""\n# youngest\nyoungest = f"The youngest of {youngest}"\n'
    assert refused(in_python(module)) == ["'youngest': say 'newest'"]
    assert refused(in_script('// youngest\nsay("Leave it"); youngest()')) == ["'Leave it': say 'Cancel'"]
