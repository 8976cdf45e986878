"""What operations are called, what is found, and what trouble is told."""

from __future__ import annotations

import pytest

from frontend.findings import beside
from frontend.search.find import find
from frontend.states import disk_state, job_state
from jobs.operation import operation, title_of
from jobs.plan import Finding
from pools.links import dataset_href, pool_href
from tests import made
from tests.frontend import machines
from tests.frontend.anybody import ANYBODY


@pytest.mark.parametrize(
    ("operation", "data", "title"),
    [
        ("pool.create", {"name": "tank"}, "Create pool tank"),
        ("dataset.create", {"name": "tank/vm", "kind": "volume"}, "Create volume tank/vm"),
        ("snapshot.destroy", {"snapshots": ["tank@a", "tank@b"]}, "Destroy 2 snapshots"),
        ("snapshot.destroy", {"snapshots": ["tank@a"]}, "Destroy tank@a"),
        ("snapshot.destroy", {"snapshots": ["tank@a%b"]}, "Destroy snapshots"),
        ("snapshot.rollback", {"snapshot": "tank@a"}, "Roll back to tank@a"),
        ("snapshot.clone", {"snapshot": "tank@a", "name": "tank/b"}, "Clone tank@a to tank/b"),
        ("pool.destroy", {}, "pool.destroy"),
        ("some.thing", {"name": "x"}, "some.thing"),
    ],
)
def test_a_title_says_what_is_done_to_what(operation: str, data: dict[str, object], title: str) -> None:
    assert title_of(operation, data) == title


def button(name: str, data: dict[str, object], losses: list[dict[str, str]]) -> str:
    return operation(name).button(data, losses)


def test_the_button_says_how_many_disks_it_erases() -> None:
    losses = [{"disk": "a", "holds": "x"}, {"disk": "b", "holds": "y"}]
    assert button("pool.create", {"name": "tank"}, losses) == "Create tank, erase 2 disks"
    assert button("pool.create", {"name": "tank"}, []) == "Create tank"


def test_the_button_counts_what_goes_with_a_pool_or_dataset() -> None:
    pool = [{"pool": "tank", "holds": "all"}, {"dataset": "tank/a", "holds": "x"}]
    assert button("pool.destroy", {"name": "tank"}, pool) == "Destroy tank and 1 dataset"
    below = [{"dataset": "tank/a", "holds": "x"}, {"dataset": "tank/a/b", "holds": "y"}]
    assert button("dataset.destroy", {"name": "tank/a"}, below) == "Destroy 2 datasets"


def test_names_are_quoted_in_addresses() -> None:
    assert dataset_href("tank/my files") == "/datasets/tank/my%20files/"
    assert pool_href("a?b") == "/pools/a%3Fb/"


def test_an_error_stands_beside_its_field_and_the_most_exact_path_wins() -> None:
    found = beside(
        [
            Finding(level="error", code="a", field="vdevs[0].disks[2]", message="in use"),
            Finding(level="error", code="b", field="name", message="taken"),
            Finding(level="error", code="c", field="", message="no pool"),
            Finding(level="error", code="e", field="nameplate", message="other"),
            Finding(level="warning", code="d", field="name", message="short"),
        ],
        {"vdevs": "disks", "name": "name"},
    )
    assert found.by_field == {"disks": ("in use",), "name": ("taken",)}
    assert found.others == ("no pool", "other")


class Nobody:
    """May do nothing."""

    def has_perm(self, _perm: str) -> bool:
        return False


def test_a_disk_is_found_by_bay_serial_and_wwn() -> None:
    machine = machines.tank()
    for text in ("A3", "wd-0003", "0x50010003", "bay wd-0003"):
        assert [hit.href for hit in find(text, machine, ANYBODY)][:1] == [
            "/disks/ata-WDC_WD30EFRX_WD-0003/"
        ], text


def test_an_exact_name_comes_before_one_that_contains_it() -> None:
    assert [hit.title for hit in find("tank", machines.tank(), ANYBODY)][:2] == ["tank", "tank"]
    assert find("", machines.tank(), ANYBODY) == ()
    assert find("no such thing", None, ANYBODY) == ()
    assert [hit.title for hit in find("set", None, ANYBODY)] == [
        "Settings",
        "Settings for all shares",
        "Settings backup",
        "Set up this NAS",
        "Locked datasets",
        "Datasets",
        "Create a dataset",
        "Replicate a dataset",
    ]


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("user", "Add a user"),
        ("password", "Your password"),
        ("smtp", "Notifications"),
        ("log", "Audit log"),
        ("two factor", "Two-factor authentication"),
        ("2fa", "Two-factor authentication"),
        ("token", "API tokens"),
        ("undelete", "Snapshots"),
        ("samba", "Shares"),
        ("hostname", "Machine name"),
    ],
)
def test_pages_and_actions_are_found_by_what_people_call_them(typed: str, title: str) -> None:
    assert title in [hit.title for hit in find(typed, None, ANYBODY)], typed


def test_what_can_be_done_with_a_pool_is_found_by_those_who_may() -> None:
    found = {hit.title: hit.href for hit in find("scrub tank", machines.tank(), ANYBODY)}
    assert found["Scrub tank"] == "/pools/tank/#care"
    assert find("scrub tank", machines.tank(), Nobody()) == ()


def test_unknown_states_stay_as_they_are() -> None:
    assert job_state("paused").word == "paused"
    leaf = machines.leaf(made.disk(1), state="UNKNOWN")
    assert disk_state(made.disk(1), leaf).word == "unknown"
