"""Requests with hostile values: a good request of each operation, and each of its texts replaced in turn.

Each hostile text holds `MARK`, by which it is found again in whatever a plan would do with it.
"""

from __future__ import annotations

import copy
import re
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin
from urllib.parse import quote

import msgspec
from drf_spectacular.generators import SchemaGenerator

MARK = "zzevil"
TEXTS = (
    f"/etc/cron.d/{MARK}",
    f"//etc/{MARK}",
    f"/mnt/../etc/{MARK}",
    f"/mnt/./../var/lib/nasweb/{MARK}",
    f"/opt/nasweb/{MARK}",
    f"/var/run/{MARK}",
    f"/{MARK}",
    f"../../etc/{MARK}",
    f"tank/../../etc/{MARK}",
    f"tank/{MARK}",
    f"tank/files@{MARK}",
    f"-o{MARK}",
    f"--{MARK}=1",
    f"--config=/etc/{MARK}",
    f"$({MARK})",
    f"`{MARK}`",
    f";{MARK}",
    f"|{MARK}&",
    f"{MARK}'\"",
    f"{MARK}\n    root preexec = {MARK}",
    f"{MARK}\r\nExecStart={MARK}",
    f"{MARK}\0",
    f"{MARK}%U%m",
    f"{MARK}\\",
    f"{MARK} -o exec",
    f"{MARK},rw,no_root_squash",
    f"10.0.0.0/8({MARK})",
    f"@{MARK}",
    f"{MARK}:0:0::/root:/bin/sh",
    f"<!ENTITY {MARK}>",
    f"{MARK}\u202e\u2028",
    f"ｚ{MARK}ſ",
    MARK * 3000,
    MARK,
)
# What has the wrong type wherever it stands.
OTHERS = (None, -1, 1 << 64, "", [MARK], {MARK: MARK})
_KEYS = ("mountpoint", "sharenfs", "sharesmb", "canmount", "nasweb:policy", "create mask", "root preexec")


class Hostile(NamedTuple):
    """A request, and what of it is hostile."""

    where: str
    value: Any
    data: dict[str, Any]


def requests(request: type[msgspec.Struct], good: dict[str, Any]) -> Iterator[Hostile]:
    """`good` with each place that takes a text holding each hostile one, and each place what fits nowhere."""
    for path, values in _places(request, good, ()):
        for value in values:
            yield Hostile(".".join(map(str, path)), value, _with(good, path, value))


def _places(kind: Any, good: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """Each place of a request, with what is tried there."""
    kinds = _flat(kind)
    for one in kinds:
        origin = get_origin(one)
        if isinstance(one, type) and issubclass(one, msgspec.Struct):
            known = good if isinstance(good, dict) else {}
            for field in msgspec.structs.fields(one):
                yield from _places(field.type, known.get(field.encode_name), (*path, field.encode_name))
        elif origin is tuple:
            first = good[0] if isinstance(good, list | tuple) and good else None
            yield from _places(get_args(one)[0], first, (*path, 0))
        elif origin is dict and str in _flat(get_args(one)[0]):
            yield from (((*path, key), TEXTS) for key in dict.fromkeys((*(good or {}), *_KEYS)))
            yield from (((*path, key), ("on",)) for key in TEXTS)
    if path:
        yield path, (*TEXTS, *OTHERS) if str in kinds else OTHERS


def _flat(kind: Any) -> list[Any]:
    """The kinds that a field may be, without what is said of them."""
    if get_origin(kind) is Annotated:
        return _flat(get_args(kind)[0])
    if get_origin(kind) in {Union, types.UnionType}:
        return [one for part in get_args(kind) for one in _flat(part)]
    return [str] if get_origin(kind) is Literal else [kind]


def _with(good: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy of `good` that has `value` at `path`."""
    key, *rest = path
    if isinstance(key, int):
        items = list(good) if isinstance(good, list | tuple) else []
        old = items[key] if len(items) > key else None
        return [*items[:key], _with(old, tuple(rest), value) if rest else value, *items[key + 1 :]]
    found = copy.deepcopy(good) if isinstance(good, dict) else {}
    found[key] = _with(found.get(key), tuple(rest), value) if rest else value
    return found


class Address(NamedTuple):
    """Where an operation is asked for, by HTTP."""

    method: str
    path: str  # below /api/v1/, with names in braces

    def filled(self, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """The path with the values that it takes out of `data`, and what stays for the body."""
        body, path = dict(data), self.path
        for name in re.findall(r"{(\w+)}", path):
            fields = (
                _FIELDS.get(name, name),
                "snapshot",
                "snapshots",
                "names",
                "id",
                "name",
                "repository",
                "dataset",
            )
            field = next(one for one in fields if one in body)
            value = body.pop(field)
            one = value[0] if isinstance(value, list) and value else value
            path = path.replace(f"{{{name}}}", quote(str(one), safe="/@"))
        return path, body


_FIELDS = {
    "schedule_id": "id", "share_id": "id", "alert_id": "id", "disk_id": "disk", "label": "bay",
}  # fmt: skip


def addresses() -> dict[str, Address]:
    """Of each operation that has one, as the API's description tells it."""
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return {
        described["operationId"].replace("_", ".", 1): Address(method.upper(), path.removeprefix("/api/v1/"))
        for path, methods in schema["paths"].items()
        for method, described in methods.items()
    }
