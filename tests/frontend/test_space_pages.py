"""The page of what takes the space, and its map."""

from __future__ import annotations

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from frontend.space.page import tiles
from frontend.space.treemap import Rect, squarified
from host.simulated import SimulatedHost
from pools.space.use import DatasetSpace
from tests.backups.conftest import with_files  # noqa: F401  (a fixture)

WHOLE = Rect(0, 0, 1000, 420)


def row(name: str, data: int, snapshots: int = 0) -> DatasetSpace:
    return DatasetSpace(
        dataset=name, kind="filesystem", data_bytes=data, snapshots_bytes=snapshots, reserved_bytes=0,
        internal_bytes=0, used_bytes=data + snapshots,
    )  # fmt: skip


def test_the_map_of_the_paper_that_describes_it() -> None:
    found = squarified([6, 6, 4, 3, 2, 2, 1], Rect(0, 0, 6, 4))
    assert [(round(one.width, 2), round(one.height, 2)) for one in found] == [
        (3, 2), (3, 2), (1.71, 2.33), (1.29, 2.33), (1.2, 1.67), (1.2, 1.67), (0.6, 1.67),
    ]  # fmt: skip


@given(st.lists(st.integers(1, 1000), max_size=40))
def test_areas_are_as_the_numbers_and_nothing_sticks_out(values: list[int]) -> None:
    values.sort(reverse=True)
    found = squarified(values, WHOLE)
    whole = WHOLE.width * WHOLE.height
    assert len(found) == len(values)
    for value, one in zip(values, found, strict=True):
        assert one.width * one.height == pytest.approx(whole * value / sum(values), rel=1e-6)
        assert one.x >= -1e-6 and one.x + one.width <= WHOLE.width + 1e-6
        assert one.y >= -1e-6 and one.y + one.height <= WHOLE.height + 1e-6


def test_what_is_small_is_one_tile_and_what_has_no_room_has_no_label() -> None:
    rows = (row("tank/photos", 10**12, 10**11), row("tank/letters", 10**6), row("tank/empty", 0))
    large, snapshots, others = tiles(rows)
    assert (large.what, large.dataset, large.label) == ("data", "tank/photos", "tank/photos")
    assert (snapshots.what, snapshots.title) == ("snapshots", "tank/photos, snapshots: 93.1 GiB")
    assert (others.what, others.dataset, others.title) == ("others", "", "1 smaller: 977 KiB")
    assert tiles((row("tank", 0),)) == []


def test_a_tile_says_what_it_is_in_words_where_there_is_room() -> None:
    data, snapshots = tiles((row("tank/photos", 6 << 30, 4 << 30),))
    assert (data.size, snapshots.size) == ("6.00 GiB", "4.00 GiB in snapshots")
    _, narrow = tiles((row("tank/photos", 10**12, 10**11),))
    assert narrow.size == "93.1 GiB"
    (internal,) = tiles((structs.replace(row("tank", 0), internal_bytes=1 << 20),))
    assert internal.size == "1.00 MiB internal"


def test_many_datasets_are_eighty_tiles_and_a_rest() -> None:
    found = tiles(tuple(row(f"tank/d{number}", 1000) for number in range(500)))
    assert len(found) == 81 and found[-1].title.startswith("420 smaller")


def test_the_page_says_the_same_in_its_table_and_in_a_file(
    browser: Client,
    with_files: SimulatedHost,  # noqa: F811
) -> None:
    page = browser.get("/space/")
    assert page.context["pool"] == "tank"
    text = page.content.decode()
    assert 'class="treemap"' in text and "tank/photos" in text
    file = browser.get("/space/?pool=tank&format=csv").content.decode()
    assert file.splitlines()[0].startswith("dataset,kind,data_bytes")
    assert len(file.splitlines()) == 1 + len(page.context["rows"])
    assert browser.get("/space/?pool=none").status_code == 404


def test_what_files_and_snapshots_take_leads_to_them(
    browser: Client,
    with_files: SimulatedHost,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("frontend.space.page.space_of", lambda *_: (row("tank/photos", 5 << 30, 1 << 30),))
    text = browser.get("/space/").content.decode()
    assert 'href="/scan/tank/photos/"' in text
    assert 'href="/snapshots/tank/photos/"' in text and "tank/photos, snapshots: 1.00 GiB" in text


def test_a_machine_without_pools_says_so(browser: Client, simulated: SimulatedHost) -> None:
    assert "No pools yet" in browser.get("/space/").content.decode()
