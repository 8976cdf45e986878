"""From what a user sent to a typed request, with every fault of its shape at once."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from types import NoneType
from typing import Annotated, Any, NamedTuple, get_args, get_origin

import msgspec

from host import typed
from jobs.plan import Finding, Refused

_MOST = 100  # findings of one request: who sends half a million wrong fields is not answered about each


class Shaped(NamedTuple):
    """What could be read of a request, and what is wrong with its shape."""

    value: Any  # None where a finding makes it unreadable; unknown fields alone do not
    findings: tuple[Finding, ...]


class _Enough(Exception):
    """There are as many findings as anybody reads: the rest of the request is not read."""


def decode[T: msgspec.Struct](request: type[T], data: Any) -> T:
    """`data` as a `request`. Raises `Refused` with all faults of its shape."""
    shaped = read(request, data)
    if shaped.findings:
        raise Refused(shaped.findings)
    return shaped.value  # type: ignore[no-any-return]


def read(request: type[msgspec.Struct], data: Any) -> Shaped:
    """Like `decode`, but returns the findings, so that those of the content can join them."""
    findings: list[Finding] = []
    try:
        cleaned = _struct(request, data, "", findings)
    except _Enough:
        return Shaped(None, tuple(findings))
    if any(finding.code != "unknown-field" for finding in findings):
        return Shaped(None, tuple(findings))
    try:
        return Shaped(typed.convert(cleaned, request), tuple(findings))
    except msgspec.ValidationError as error:  # a rule across fields: no single field to name
        return Shaped(None, (*findings, _fault("", "invalid", str(error))))


def faults_of(kind: Any, data: Any, field: str) -> tuple[Finding, ...]:
    """What is wrong with `data` as one value of type `kind`."""
    findings: list[Finding] = []
    with suppress(_Enough):
        _value(kind, data, field, findings)
    return tuple(findings)


def struct_in(kind: Any) -> type[msgspec.Struct] | None:
    """The struct of a field that holds one, or one or null; None for all other fields."""
    found = [one for one in get_args(kind) or (kind,) if one is not NoneType]
    bare = found[0] if len(found) == 1 else None
    return bare if isinstance(bare, type) and issubclass(bare, msgspec.Struct) else None


@cache
def fields_of(kind: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """The fields of a struct by the names that they are sent by."""
    # msgspec evaluates the annotations anew each time, which takes longer than all else of a small request.
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def _fault(field: str, code: str, message: str) -> Finding:
    return Finding(level="error", code=code, field=field[:200], message=message[:500])


def _add(findings: list[Finding], field: str, code: str, message: str) -> None:
    """Raises `_Enough` after the last one that is listed, which says so."""
    if len(findings) == _MOST:
        message = f"More is wrong in this request than the {_MOST} things that are named here."
        findings.append(_fault("", "too-many-faults", message))
        raise _Enough
    findings.append(_fault(field, code, message))


def _struct(kind: type[msgspec.Struct], data: Any, path: str, findings: list[Finding]) -> Any:
    if not isinstance(data, dict):
        _add(findings, path, "wrong-type", "Expected an object with named fields.")
        return None
    fields = fields_of(kind)
    known = ", ".join(sorted(fields))
    for key in data:
        if key in fields:
            continue
        shown = str(key)[:60]
        message = f"There is no field “{shown}” here; known are {known}."
        _add(findings, _join(path, shown), "unknown-field", message)
    for name, field in fields.items():
        if field.required and name not in data:
            _add(findings, _join(path, name), "required", "This field is required.")
    return {
        name: _value(field.type, data[name], _join(path, name), findings)
        for name, field in fields.items()
        if name in data
    }


def _value(kind: Any, data: Any, path: str, findings: list[Finding]) -> Any:
    bare, metas = (get_args(kind)[0], get_args(kind)[1:]) if get_origin(kind) is Annotated else (kind, ())
    part = struct_in(bare)
    if part is not None and (data is not None or part is bare):
        return _struct(part, data, path, findings)
    if get_origin(bare) is tuple and isinstance(data, list | tuple):
        _leaf(Annotated[list[Any], *metas] if metas else list[Any], data, path, findings)
        item = get_args(bare)[0]
        return [_value(item, entry, f"{path}[{index}]", findings) for index, entry in enumerate(data)]
    if get_origin(bare) is dict and isinstance(data, dict):
        key_kind, value_kind = get_args(bare)
        for key in data:
            _leaf(key_kind, key, _join(path, str(key)[:60]), findings)
        return {
            key: _value(value_kind, value, _join(path, str(key)[:60]), findings)
            for key, value in data.items()
        }
    return _leaf(kind, data, path, findings)


def _leaf(kind: Any, data: Any, path: str, findings: list[Finding]) -> Any:
    try:
        return typed.convert(data, kind)
    except msgspec.ValidationError as error:
        # A pattern is said in the words that its type has for it.
        said = [m.description for m in get_args(kind)[1:] if isinstance(m, msgspec.Meta) and m.description]
        words = f"Give {said[0]}" if said and isinstance(data, str) else str(error).partition(" - at")[0]
        _add(findings, path, "invalid", f"{words}.")
        return data


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
