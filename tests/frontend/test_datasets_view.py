"""Datasets and the forms that change them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from frontend.datasets.new import DatasetForm, from_request, to_request
from frontend.datasets.row import Around, ShareMark
from frontend.datasets.tree import Tree, tree_rows
from frontend.datasets.view import changes, readable, settings
from host.inventory import Property
from jobs.index.reading import Tally
from tests import made

SETTINGS = settings(
    made.dataset(
        "tank/media",
        compression=made.inherited("lz4", "tank"),
        quota="500000000000",
        recordsize=Property(value="131072", source="default"),
        mountpoint=made.inherited("/mnt/tank/media", "tank"),
    )
)


def test_a_setting_says_its_value_and_where_it_comes_from() -> None:
    found = {setting.name: setting for setting in SETTINGS}
    assert (found["compression"].value, found["compression"].whence) == ("lz4", "inherited from tank")
    assert (found["recordsize"].value, found["recordsize"].whence) == ("128K", "default")
    assert (found["quota"].chosen, found["quota"].whence) == ("500000000000", "set here")


def test_only_what_was_changed_is_asked_for() -> None:
    sent = {"compression": "zstd", "quota": "500000000000", "recordsize": "", "csrfmiddlewaretoken": "x"}
    assert changes(SETTINGS, sent) == {"compression": "zstd"}


def test_an_emptied_field_inherits_again_and_an_emptied_quota_is_lifted() -> None:
    assert changes(SETTINGS, {"quota": ""}) == {"quota": "none"}
    local = settings(made.dataset("tank/media", compression="zstd"))
    assert changes(local, {"compression": ""}) == {"compression": None}


def test_a_volume_has_no_settings_of_file_systems() -> None:
    volume = made.dataset("tank/disk", kind="volume", compression="lz4", quota="0", recordsize="131072")
    assert [setting.name for setting in settings(volume)] == ["compression"]


def test_sizes_read_as_they_are_typed() -> None:
    assert readable("quota", str(500 << 30)) == "500G"
    assert readable("quota", "0") == "none"
    assert readable("recordsize", "131072") == "128K"
    assert readable("compression", "4096") == "4096"


def shown(tree: Tree, *names: str) -> list[tuple[str, int]]:
    machine = made.inventory(datasets=tuple(made.dataset(name) for name in names))
    return [(row.name or row.leaf, row.depth) for row in tree_rows(machine, tree)]


def test_children_stand_below_their_parents_where_they_are_open() -> None:
    names = ("tank", "tank/a-b", "tank/a", "tank/a/x")
    assert shown(Tree(), *names) == [("tank", 0), ("tank/a", 1), ("tank/a-b", 1)]
    assert shown(Tree(opened=("tank", "tank/a")), *names) == [
        ("tank", 0), ("tank/a", 1), ("tank/a/x", 2), ("tank/a-b", 1),
    ]  # fmt: skip
    assert shown(Tree(opened=()), *names) == [("tank", 0)]
    assert shown(Tree(opened=("tank/a",)), *names) == [("tank", 0)]


def test_a_level_is_drawn_a_page_at_a_time() -> None:
    names = ("tank", *(f"tank/d{number:03}" for number in range(250)))
    machine = made.inventory(datasets=tuple(made.dataset(name) for name in names))
    first = tree_rows(machine, Tree())
    assert (len(first), first[-1].leaf) == (102, "150 more datasets in tank")
    assert first[-1].href == "?in=tank&after=tank%2Fd099&open="
    second = tree_rows(machine, Tree(top="tank", after="tank/d099", opened=()))
    assert (second[0].name, second[-1].leaf) == ("tank/d100", "50 more datasets in tank")


def test_a_page_has_an_end_however_much_is_open() -> None:
    parents = tuple(f"tank/p{number}" for number in range(9))
    children = tuple(f"{parent}/c{number:02}" for parent in parents for number in range(60))
    machine = made.inventory(datasets=tuple(made.dataset(name) for name in ("tank", *parents, *children)))
    rows = tree_rows(machine, Tree(opened=("tank", *parents)))
    report = [row.leaf for row in rows if not row.name]
    assert len(rows) <= 155
    assert report == ["34 more datasets in tank/p2", "6 more datasets in tank"]
    rest = next(row.href for row in rows if row.leaf.startswith("34"))
    assert rest == "?in=tank%2Fp2&after=tank%2Fp2%2Fc25&open="


def test_a_row_opens_and_closes_its_branch_alone() -> None:
    names = ("tank", "tank/a", "tank/a/x", "tank/b")
    machine = made.inventory(datasets=tuple(made.dataset(name) for name in names))
    rows = {row.name: row for row in tree_rows(machine, Tree())}
    assert rows["tank/a"].href == "?open=tank&open=tank%2Fa"
    assert rows["tank"].href == "?open="
    assert rows["tank/b"].href == ""


def test_a_filter_shows_whole_names_wherever_they_are() -> None:
    names = ("tank", "tank/media", "tank/media/Films", "tank/old/films-2")
    assert shown(Tree(text="film"), *names) == [("tank/media/Films", 0), ("tank/old/films-2", 0)]
    assert shown(Tree(text="media film"), *names) == [("tank/media/Films", 0)]


def test_a_row_tells_of_its_quota_its_key_and_its_mount() -> None:
    full = made.dataset(
        "tank/full", quota="1000", used="960", refquota="1000", referenced="10", mounted="yes"
    )
    unimported = made.dataset("tank/away", canmount="on", mounted="no")
    shut = made.dataset("tank/shut", encryption="aes-256-gcm", keystatus="unavailable", mounted="no")
    rows = tree_rows(made.inventory(datasets=(full, unimported, shut)), Tree(text="tank"))
    report = {
        row.name: (row.quota and row.quota.tone, row.lock, row.state and row.state.word) for row in rows
    }
    assert report == {
        "tank/full": ("bad", "", None),
        "tank/away": (None, "", "not mounted"),
        "tank/shut": (None, "lock", "locked"),
    }


def test_a_volume_is_asked_for_in_bytes() -> None:
    form = DatasetForm(parent="tank", leaf="vm", kind="volume", size="1,5", unit="G", quota="5G")
    assert to_request(form) == {
        "name": "tank/vm", "kind": "volume", "properties": {}, "volume_bytes": 3 << 29, "sparse": False,
    }  # fmt: skip


def test_a_size_that_is_no_number_is_left_to_the_plan() -> None:
    for size in ("", "big", "inf", "nan", "1e400"):
        assert to_request(DatasetForm(parent="t", leaf="v", kind="volume", size=size))["volume_bytes"] is None


@pytest.mark.parametrize(("size", "unit"), [("3", "G"), ("1536", "M"), ("7", "T")])
def test_the_form_comes_back_from_its_request_as_it_was_typed(size: str, unit: str) -> None:
    form = DatasetForm(
        parent="tank/a", leaf="vm", kind="volume", size=size, unit=unit, compression="zstd", sparse=True
    )
    assert from_request(to_request(form)) == form


def test_a_fraction_comes_back_in_a_smaller_unit() -> None:
    form = from_request({"name": "tank/vm", "kind": "volume", "volume_bytes": 3 << 29})
    assert (form.size, form.unit) == ("1536", "M")
    assert (
        to_request(from_request({"name": "t/v", "kind": "volume", "volume_bytes": 1000}))["volume_bytes"]
        == 1000
    )


LISTED = (
    made.dataset("tank", used="900", mounted="yes"),
    made.dataset("tank/a", used="100", quota="200", compressratio="1.50", mounted="yes"),
    made.dataset("tank/b", used="500", quota="550", encryption="aes-256-gcm", mounted="yes"),
    made.dataset("tank/b/deep", used="300", encryption="aes-256-gcm", keystatus="unavailable"),
    made.dataset("tank/c", used="300", kind="volume", compressratio="10.00"),
)
AROUND = Around(
    tallies={
        LISTED[0].guid: Tally(count=0, newest=None),
        LISTED[1].guid: Tally(count=3, newest=1_790_000_000),
        LISTED[2].guid: Tally(count=12, newest=1_780_000_000),
    },
    shares={"tank/a": (ShareMark(protocol="SMB", name="films", href="/shares/smb/films/"),)},
)


def listed(**asked: Any) -> list[str]:
    rows = tree_rows(made.inventory(datasets=LISTED), Tree(**asked), AROUND)
    return [row.name for row in rows]


@pytest.mark.parametrize(
    ("sort", "children"),
    [
        ("-used", ["tank/b", "tank/c", "tank/a"]),
        ("used", ["tank/a", "tank/c", "tank/b"]),
        ("-name", ["tank/c", "tank/b", "tank/a"]),
        ("-quota", ["tank/b", "tank/a", "tank/c"]),  # without a quota last
        ("quota", ["tank/a", "tank/b", "tank/c"]),
        ("-count", ["tank/b", "tank/a", "tank/c"]),
        ("-newest", ["tank/a", "tank/b", "tank/c"]),
        ("shared", ["tank/a", "tank/b", "tank/c"]),
        ("-ratio", ["tank/c", "tank/a", "tank/b"]),
    ],
)
def test_a_tree_is_sorted_within_its_levels(sort: str, children: list[str]) -> None:
    assert listed(sort=sort) == ["tank", *children]


def test_a_sorted_list_of_matches_is_flat() -> None:
    assert listed(text="tank", sort="-used") == ["tank", "tank/b", "tank/b/deep", "tank/c", "tank/a"]


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({"kind": "volume"}, ["tank/c"]),
        ({"only": "encrypted"}, ["tank/b", "tank/b/deep"]),
        ({"only": "locked"}, ["tank/b/deep"]),
        ({"only": "shared"}, ["tank/a"]),
        ({"only": "unprotected"}, ["tank"]),  # the others have some, or are being listed
        ({"only": "tight"}, ["tank/b"]),
        ({"only": "encrypted", "text": "deep"}, ["tank/b/deep"]),
        ({"only": "shared", "kind": "volume"}, []),
    ],
)
def test_a_filter_leaves_what_it_names(asked: dict[str, str], names: list[str]) -> None:
    assert listed(**asked) == names


def test_the_rest_of_a_sorted_level_begins_behind_the_last_row() -> None:
    many = tuple(made.dataset(f"tank/d{number:03}", used=str(1000 - number)) for number in range(150))
    machine = made.inventory(datasets=(made.dataset("tank"), *many))
    rest = tree_rows(machine, Tree(top="tank", sort="used", after="tank/d050", opened=()))
    assert (rest[0].name, rest[-1].name, len(rest)) == ("tank/d049", "tank/d000", 50)
    first = tree_rows(machine, Tree(sort="used"))
    assert first[-1].href == "?in=tank&sort=used&after=tank%2Fd050&open="


def test_a_row_tells_its_snapshots_and_shares() -> None:
    rows = {row.name: row for row in tree_rows(made.inventory(datasets=LISTED), Tree(), AROUND)}
    assert (rows["tank/a"].count, rows["tank/b"].count, rows["tank/c"].count) == (3, 12, None)
    assert rows["tank/a"].newest == datetime.fromtimestamp(1_790_000_000, UTC)
    assert [share.name for share in rows["tank/a"].shares] == ["films"]
