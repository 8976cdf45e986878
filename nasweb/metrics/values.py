"""Families of samples, and their text. Pure.

The text is that of OpenMetrics 1.0.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/) or of
Prometheus' own format 0.0.4; they differ in the names of counters and in the last line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

Kind = Literal["gauge", "counter", "info"]
Format = Literal["openmetrics", "text"]
MEDIA_TYPES: dict[Format, str] = {
    "openmetrics": "application/openmetrics-text; version=1.0.0; charset=utf-8",
    "text": "text/plain; version=0.0.4; charset=utf-8",
}
_UNITS = ("bytes", "seconds", "ratio", "celsius")
_SUFFIX: dict[Kind, str] = {"gauge": "", "counter": "_total", "info": "_info"}
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})
# A lone surrogate, of bytes that are no UTF-8, would make the whole answer impossible to encode.
_ODD = re.compile('[\\\\"\n\ud800-\udfff]')


class Sample(NamedTuple):
    """A value of a family. Labels are any text: they are escaped when written."""

    labels: Mapping[str, str]
    value: float


class Family(NamedTuple):
    """Samples of one name, without the prefix `nasweb_` and without `_total` or `_info`."""

    name: str
    kind: Kind
    help: str  # a plain sentence in one line
    samples: tuple[Sample, ...]


def gauge(name: str, words: str, samples: Iterable[tuple[Mapping[str, str], float | None]]) -> Family:
    """A value that goes up and down; what is None is left out."""
    return Family(name, "gauge", words, _known(samples))


def counter(name: str, words: str, samples: Iterable[tuple[Mapping[str, str], float | None]]) -> Family:
    """A count that only grows, until what counts starts anew."""
    return Family(name, "counter", words, _known(samples))


def info(name: str, words: str, labels: Iterable[Mapping[str, str]]) -> Family:
    """Words about a thing, as labels of the value 1."""
    return Family(name, "info", words, tuple(Sample(one, 1) for one in labels))


def one_of(
    states: Iterable[str], known: Mapping[str, str], now: str
) -> Iterator[tuple[Mapping[str, str], float]]:
    """A sample for each state, 1 for that which is the case."""
    for state in states:
        yield {**known, "state": state}, float(state == now)


def text(families: Iterable[Family], how: Format) -> str:
    """The exposition. A family without samples is left out; of samples with equal labels the first is kept,
    since a scrape that repeats one is refused whole."""
    lines: list[str] = []
    for family in families:
        if family.samples:
            lines += _lines(family, how)
    if how == "openmetrics":
        lines.append("# EOF")
    return "\n".join(lines) + "\n"


def _lines(family: Family, how: Format) -> Iterator[str]:
    whole = f"nasweb_{family.name}"
    written = whole + _SUFFIX[family.kind]
    head, kind = (whole, str(family.kind)) if how == "openmetrics" else (written, family.kind)
    if how == "text" and kind == "info":
        kind = "gauge"
    yield f"# HELP {head} {family.help}"
    yield f"# TYPE {head} {kind}"
    unit = family.name.rpartition("_")[2]
    if how == "openmetrics" and unit in _UNITS:
        yield f"# UNIT {head} {unit}"
    seen = set()
    for labels, value in family.samples:
        shown = ",".join(f'{name}="{_escaped(text)}"' for name, text in labels.items())
        if shown not in seen:
            seen.add(shown)
            yield f"{written}{{{shown}}} {_number(value)}" if shown else f"{written} {_number(value)}"


def _escaped(label: str) -> str:
    if _ODD.search(label) is None:
        return label
    return label.translate(_ESCAPES).encode("utf-8", "replace").decode()


def _number(value: float) -> str:
    if isinstance(value, int):  # True is 1
        return str(int(value))
    if math.isfinite(value):
        return repr(value)
    return "NaN" if math.isnan(value) else f"{'+' if value > 0 else '-'}Inf"


def _known(samples: Iterable[tuple[Mapping[str, str], float | None]]) -> tuple[Sample, ...]:
    return tuple(Sample(labels, value) for labels, value in samples if value is not None)
