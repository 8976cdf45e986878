"""Input → typed request: every fault of shape at once, never an exception of another kind."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.plan import Refused
from jobs.planning.shape import decode, read
from pools.create_pool import CreatePool

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
_FIELDS = st.sampled_from(["name", "vdevs", "ashift", "properties", "mountpoint", "root_properties", "x"])


@given(st.dictionaries(_FIELDS, _JSON, max_size=6) | _JSON)
def test_any_json_becomes_a_request_or_findings(data: Any) -> None:
    shaped = read(CreatePool, data)
    assert shaped.findings or isinstance(shaped.value, CreatePool)
    assert all(finding.message and len(finding.field) <= 200 for finding in shaped.findings)


@given(_JSON)
def test_a_request_is_read_exactly_when_msgspec_reads_it(data: Any) -> None:
    try:
        expected = msgspec.convert(data, CreatePool)
    except msgspec.ValidationError:
        with pytest.raises(Refused):
            decode(CreatePool, data)
    else:
        assert decode(CreatePool, data) == expected


@pytest.mark.parametrize(
    "data",
    [
        dict.fromkeys(map(str, range(5000)), 0),
        {"name": "tank", "vdevs": [0] * 5000},
        {"name": "tank", "vdevs": [{"layout": "mirror", "disks": list(range(5000))}]},
        {"name": "tank", "vdevs": [], "properties": dict.fromkeys(map(str, range(5000)), 0)},
    ],
)
def test_more_faults_than_anybody_reads_are_not_all_named(data: Any) -> None:
    shaped = read(CreatePool, data)
    assert shaped.value is None
    assert len(shaped.findings) == 101
    assert shaped.findings[-1].code == "too-many-faults"
