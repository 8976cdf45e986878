"""No pool and no dataset gets a name that leads elsewhere in the API."""

from __future__ import annotations

import re

import pytest

from pools.api import urls
from pools.api.dataset_actions import Action
from pools.names import dataset_name_fault, pool_name_fault

ROUTES = [str(route.pattern) for route in urls.urlpatterns]
# What is only posted to an address leaves it to a dataset of that name (`Action`).
READ = sorted(
    found[1]
    for route in urls.urlpatterns
    if (found := re.fullmatch(r"datasets/<path:name>/([a-z-]+)/", str(route.pattern)))
    and not issubclass(vars(route.callback)["view_class"], Action)
)
WORDS = sorted(
    found[1] for route in ROUTES if (found := re.fullmatch(r"(?:pools|snapshot-policies)/([a-z-]+)/", route))
)


@pytest.mark.parametrize("word", READ)
def test_what_can_be_read_of_a_dataset_is_no_datasets_name(word: str) -> None:
    assert "reserved by the console" in (dataset_name_fault(f"tank/{word}") or "")
    assert dataset_name_fault(f"tank/{word}/below") is None


@pytest.mark.parametrize("word", WORDS)
def test_what_can_be_asked_of_all_pools_is_no_pools_name(word: str) -> None:
    assert "reserved by the console" in (pool_name_fault(word) or "")


def test_there_are_such_words() -> None:
    assert READ == ["quotas"]
    assert {"import", "run"} <= set(WORDS)
