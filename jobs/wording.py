"""What an operation is called, and the pages of the console that it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec

type Data = Mapping[str, Any]  # a request as JSON has it, of a form or a stored job: fields may be missing
_MANY = 10_000  # up to it a number is read at a glance
type Losses = Sequence[Mapping[str, Any]]  # as `jobs.plan.Loss` is shown


class Link(NamedTuple):
    """A page to go to."""

    title: str
    href: str


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """The words of one operation. A template names fields of the request: `Destroy pool {name}`.

    `page` is where it is asked for, `result` where to see what it made or left, if that is another page.
    `button` says what a click does, with what is lost by it. `editable`: its form can be filled in again.
    """

    title: str | Callable[[Data], str | None]
    page: Callable[[Data], Link]
    result: Callable[[Data], Link] | None = None
    button: Callable[[Data, Losses], str] | None = None
    editable: bool = False


def filled(template: str, data: Data) -> str | None:
    """`Destroy pool {name}` → `Destroy pool tank`; None where the request does not say all of it."""
    fields = {field for _, field, _, _ in Formatter().parse(template) if field}
    if not all(isinstance(data.get(field), str | int) for field in fields):
        return None
    return template.format_map(data)


def at(title: str, href: str) -> Callable[[Data], Link]:
    """The page of that title and address, both templates. Only `{name:/}` keeps its slashes."""

    def link(data: Data) -> Link:
        words = {field: str(data.get(field) or "") for _, field, _, _ in Formatter().parse(title) if field}
        return Link(title.format_map(words), address(href, data))

    return link


def address(template: str, data: Data) -> str:
    """`/pools/{name}/` with the name quoted; only `{name:/}` keeps its slashes."""
    parts = (
        text + (quote(str(data.get(field) or ""), safe=kept or "") if field else "")
        for text, field, kept, _ in Formatter().parse(template)
    )
    return "".join(parts)


def grouped(number: int) -> str:
    """`3000592982016` → `3 000 592 982 016`, with spaces that do not break."""
    return f"{number:,}".replace(",", "\u00a0")


def counted(number: int, noun: str, plural: str = "") -> str:
    """`2`, `disk` → `2 disks`; `1` → `1 disk`; `29039` → `29 039 disks`."""
    shown = grouped(number) if number >= _MANY else number
    return f"{shown} {noun if number == 1 else plural or noun + 's'}"


def listed(names: Sequence[str], most: int = 6) -> str:
    """`a, b and c`; of many the first, and how many more."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def capital(text: str) -> str:
    """`the disk in bay A3` → `The disk in bay A3`."""
    return f"{text[:1].upper()}{text[1:]}"
