"""Rights of a folder as values for the eye, and what was chosen in the editor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from host.files.answers import Applied
from host.inventory.people import EVERYBODY
from jobs.wording import counted
from shares.rights.table import RightsAnswer, Whose

CHOICES = ("none", "read", "write")
_FIELD = "right:"
_LEVELS = {"none": "nothing", "some": "single bits", "read": "reads", "write": "reads and writes"}


class EditorRow(msgspec.Struct, frozen=True, kw_only=True):
    """A person or group, or everybody: what is chosen, and what they may do now."""

    name: str
    shown: str
    kind: str
    field: str
    chosen: str
    now: str
    why: str


class RunView(msgspec.Struct, frozen=True, kw_only=True):
    """The last time that rights were set on all that lies in the folder."""

    goes_on: bool
    well: bool
    words: str
    counts: str
    since: str
    unset: tuple[tuple[str, str], ...]
    more_unset: int


def editor_rows(rights: RightsAnswer, sent: Mapping[str, str]) -> tuple[EditorRow, ...]:
    """Everybody with an account, groups, people, each as `sent` or as it is set."""
    return (_everybody(rights, sent), *(_row(one, sent) for one in (*rights.groups, *rights.people)))


def _everybody(rights: RightsAnswer, sent: Mapping[str, str]) -> EditorRow:
    name = f"@{EVERYBODY}"
    granted = "write" if name in rights.write else "read" if name in rights.read else "none"
    return EditorRow(
        name=name,
        shown="Everybody with an account",
        kind="",
        field=f"{_FIELD}{name}",
        chosen=sent.get(f"{_FIELD}{name}") or granted,
        now="",
        why="",
    )


def _row(one: Whose, sent: Mapping[str, str]) -> EditorRow:
    field = f"{_FIELD}{one.name}"
    return EditorRow(
        name=one.name,
        shown=one.name.removeprefix("@"),
        kind="group" if one.name.startswith("@") else "person",
        field=field,
        chosen=sent.get(field) or one.granted,
        now=_LEVELS[one.effective.level],
        why=one.effective.why,
    )


def chosen(sent: Mapping[str, str]) -> dict[str, Any]:
    """The request that the form stands for."""
    names = [(key.removeprefix(_FIELD), value) for key, value in sent.items() if key.startswith(_FIELD)]
    return {
        "read": [name for name, value in names if value == "read"],
        "write": [name for name, value in names if value == "write"],
        "everyone": sent.get("everyone", "none"),
        "apply_to_existing": sent.get("apply") == "yes",
    }


def run_view(run: Applied) -> RunView:
    """How far it is, or how it ended."""
    counts = f"{counted(run.files, 'file')} and {counted(run.folders, 'folder')} set"
    if run.skipped:
        counts += f", {run.skipped} left out (links, devices, other datasets)"
    return RunView(
        goes_on=run.verdict is None,
        well=run.verdict == "done",
        words=run.words,
        counts=counts,
        since=run.started_at,
        unset=tuple((one.path or "the folder itself", one.why) for one in run.first_unset),
        more_unset=max(0, run.unset - len(run.first_unset)),
    )
