"""A case as a YAML text, to keep and to carry to another machine."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import yaml
from msgspec import Meta

from disks.layout import MOST_BAYS, Layout, Teaching
from jobs.plan import Finding, Refused
from jobs.planning.shape import decode

LONGEST = 65_536  # characters: 102 bays with all their evidence are some 30 000
_DEEPEST = 8


class CaseFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the text holds."""

    chassis: Layout
    bays: Annotated[tuple[Teaching, ...], Meta(max_length=MOST_BAYS)] = ()


def write(layout: Layout, teachings: tuple[Teaching, ...]) -> str:
    """The text of a case."""
    file = CaseFile(chassis=layout, bays=teachings)
    return yaml.safe_dump(msgspec.to_builtins(file), sort_keys=False, allow_unicode=True)


def read(text: str, *, field: str = "") -> CaseFile:
    """The case in a text of anybody's. Raises `Refused` with all faults of its shape."""
    try:
        _check_events(text)
        data = yaml.load(text, Loader=_Strict)  # noqa: S506 - a SafeLoader
    except _Unwanted as error:
        raise _refused(field, f"This YAML cannot be used: {error}.") from None
    except yaml.YAMLError as error:
        problem = getattr(error, "problem", None) or "it cannot be read"
        mark = getattr(error, "problem_mark", None)
        raise _refused(field, f"This YAML cannot be used: {problem}{_line(mark)}.") from None
    except (ValueError, RecursionError):  # dates and numbers that are none
        raise _refused(field, "This YAML cannot be used.") from None
    return decode(CaseFile, data)


class _Unwanted(Exception):
    """Something that is YAML, and that no case needs."""


def _line(mark: Any) -> str:
    return f" in line {mark.line + 1}" if mark else ""


class _Strict(yaml.SafeLoader):
    """Refuses a key that is there twice, of which the second would win silently."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen if isinstance(key, yaml.ScalarNode) else True:
                raise _Unwanted(f"a key that is there twice in line {key.start_mark.line + 1}")
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def _check_events(text: str) -> None:
    """No aliases, which make little text huge, and no deep nesting, which costs the stack."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise _Unwanted(f"an alias (*name){_line(event.start_mark)}")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _DEEPEST:
                raise _Unwanted(f"deep nesting{_line(event.start_mark)}")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _refused(field: str, message: str) -> Refused:
    return Refused((Finding(level="error", code="bad-yaml", field=field, message=message),))
