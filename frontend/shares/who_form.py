"""Who may read and write a share: a choice for everybody, for each group and for each person."""

from __future__ import annotations

from typing import Literal

import msgspec
from django.http import QueryDict

from host.inventory import Accounts
from host.inventory.people import EVERYBODY
from shares.purposes import PURPOSES

Level = Literal["", "none", "read", "write"]  # empty: as the purpose has it, which only everybody can be

ALL = f"@{EVERYBODY}"
FIELDS = {"read": "who", "write": "who"}  # of the findings, to where they are shown
_LEVELS: dict[str, Level] = {"": "", "none": "none", "read": "read", "write": "write"}
_STARTS = "who."
_MOST_ROWS = 60  # people; the others are added by name


class WhoForm(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the form: levels by name, groups with a leading @. Further names are typed."""

    levels: dict[str, Level] = {}
    more_read: str = ""
    more_write: str = ""


class WhoRow(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who can be chosen."""

    name: str
    title: str
    detail: str
    level: Level


class WhoRows(msgspec.Struct, frozen=True, kw_only=True):
    """All who can be chosen; `more` people are left out, and can be typed."""

    everybody: WhoRow
    groups: tuple[WhoRow, ...]
    people: tuple[WhoRow, ...]
    more: int


def of_lists(read: tuple[str, ...], write: tuple[str, ...]) -> WhoForm:
    """The form of a share's two lists; who may write may read."""
    levels: dict[str, Level] = dict.fromkeys(read, "read")
    return WhoForm(levels=levels | dict.fromkeys(write, "write"))


def of_post(post: QueryDict) -> WhoForm:
    """What was sent; who has no rights is left out."""
    sent = {name[len(_STARTS) :]: str(post[name]) for name in post if name.startswith(_STARTS)}
    levels = {name: _LEVELS.get(level, "none") for name, level in sent.items()}
    return WhoForm(
        levels={name: level for name, level in levels.items() if level != "none" or name == ALL},
        more_read=post.get("more_read", "").strip()[:2000],
        more_write=post.get("more_write", "").strip()[:2000],
    )


def lists(form: WhoForm, purpose: str) -> tuple[list[str], list[str]]:
    """Who may read and who may write; everybody as the purpose has it, unless that was chosen."""
    levels = _all_levels(form)
    if levels.get(ALL) == "":
        levels[ALL] = level_of(purpose)
    read = [name for name, level in levels.items() if level == "read"]
    return read, [name for name, level in levels.items() if level == "write"]


def changed_lists(form: WhoForm, read: tuple[str, ...], write: tuple[str, ...]) -> dict[str, list[str]]:
    """The two lists where somebody's level differs from what `read` and `write` say."""
    before = of_lists(read, write).levels
    after = {name: level for name, level in _all_levels(form).items() if level in {"read", "write"}}
    if before == after:
        return {}
    ordered = [*(name for name in before if name in after), *(name for name in after if name not in before)]
    return {
        "read": [name for name in ordered if after[name] == "read"],
        "write": [name for name in ordered if after[name] == "write"],
    }


def level_of(purpose: str) -> Level:
    """What everybody with an account may do in a share of that purpose, unless somebody says otherwise."""
    values = next((one.values for one in PURPOSES if one.name == purpose), {})
    if ALL in values.get("write", ()):
        return "write"
    return "read" if ALL in values.get("read", ()) else "none"


def who_rows(form: WhoForm, accounts: Accounts) -> WhoRows:
    """The choices, those who have rights among them for certain."""
    groups = [_row(f"@{one.name}", one.name, _members(len(one.members)), form) for one in accounts.groups]
    people = [_row(one.name, one.name, one.full_name, form) for one in accounts.people]
    known = {row.name for row in (*groups, *people)} | {ALL}
    names = (name for name in form.levels if name not in known)
    gone = [_row(name, name.removeprefix("@"), "not there any more", form) for name in names]
    if len(people) > _MOST_ROWS:
        chosen = [row for row in people if row.level != "none"]
        free = max(0, _MOST_ROWS - len(chosen))
        shown = {row.name for row in (*chosen, *[row for row in people if row.level == "none"][:free])}
    else:
        shown = {row.name for row in people}
    return WhoRows(
        everybody=_row(ALL, "Everybody with an account", "", form),
        groups=tuple(groups),
        people=(*gone, *(row for row in people if row.name in shown)),
        more=len(people) - len(shown),
    )


def _row(name: str, title: str, detail: str, form: WhoForm) -> WhoRow:
    return WhoRow(name=name, title=title, detail=detail, level=form.levels.get(name, "none"))


def _all_levels(form: WhoForm) -> dict[str, Level]:
    levels = dict(form.levels)
    levels |= dict.fromkeys(_names(form.more_read), "read")
    return levels | dict.fromkeys(_names(form.more_write), "write")


def _names(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _members(count: int) -> str:
    return "1 person" if count == 1 else f"{count} people"
