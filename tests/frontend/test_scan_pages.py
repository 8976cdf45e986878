"""The page of what files a dataset holds: begun at a click, followed, stopped, and read as a table."""

from __future__ import annotations

import msgspec
from django.test import Client

from frontend.scan import view
from host.scan.requests import RequestSize
from host.scan.scanning import begun
from host.scan.values import Duplicate
from host.simulated import SimulatedHost
from host.simulated.datasets.lifecycle import find
from tests.conftest import refresh
from tests.frontend.test_compression_pages import home
from tests.frontend.test_key_pages import text

__all__ = ["home"]

HERE = "/scan/tank/home/"


def test_a_click_begins_it_and_its_figures_are_shown(home: Client, simulated: SimulatedHost) -> None:
    assert "The files of this dataset have never been scanned." in text(home.get(HERE))
    assert home.post(HERE).headers["Location"] == HERE
    simulated.pass_time(20)
    during = text(home.get(HERE))
    assert "Scanning, started" in during and 'hx-trigger="tick from:body"' in during
    assert home.post("/stop-scan/tank/home/").headers["Location"] == HERE
    after = text(home.get(f"{HERE}?part=figures", headers={"HX-Request": "true"}))
    assert "Stopped, started" in after and "<html" not in after
    assert "Recommended record size: " in after and "/properties/tank/home/?edit=recordsize" in after
    assert "128 KiB <small>in use" in after
    assert "Requests to the disks of tank" in after and "128 KiB to 256 KiB" in after
    assert 'href="/scan/tank/home/"' in text(home.get("/datasets/tank/home/"))


def test_all_rows_come_as_a_file(home: Client, simulated: SimulatedHost) -> None:
    home.post(HERE)
    simulated.pass_time(60)
    answer = home.get(f"{HERE}?format=csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    lines = answer.content.decode().splitlines()
    assert lines[0] == "what,name,files,bytes"
    assert {line.partition(",")[0] for line in lines[1:]} == {"folder", "kind", "size up to"}


def test_the_file_is_offered_where_the_snapshot_is_gone(home: Client, simulated: SimulatedHost) -> None:
    home.post(HERE)
    simulated.pass_time(600)
    refresh()
    assert "By kind" in text(home.get(HERE))
    with simulated.change() as machine:
        find(machine, "tank/home")[1].snapshots.clear()
        find(machine, "tank/home")[1].snapshots_changed = int(machine.now())
    refresh()
    after = text(home.get(HERE))
    assert "this dataset has none" in after and f'href="{HERE}?format=csv"' in after


def test_files_with_the_same_content_are_listed() -> None:
    report = begun("2026-11-26T10:00:00+00:00", run="0" * 16, dataset="tank/a", snapshot="s", compares=True)
    assert view.duplicates(report) is None  # not yet
    paths = tuple(f"a/{number}" for number in range(10))
    found = Duplicate(size_bytes=3 << 30, files=12, paths=paths)
    done = msgspec.structs.replace(
        report, phase="done", duplicates=(found,), duplicate_files=11, duplicate_bytes=33 << 30,
        compared_bytes=40 << 30,
    )  # fmt: skip
    shown = view.duplicates(done)
    assert shown is not None
    assert shown.words == (
        "11 files with 33.0 GiB are there more than once. "
        "40.0 GiB were read to compare files of 1 MiB and more."
    )
    (row,) = shown.rows
    assert (row.more, row.files, row.spare_bytes) == (2, "12", 33 << 30)
    none = view.duplicates(msgspec.structs.replace(done, duplicates=()))
    assert none is not None and none.words.startswith("No two are the same.")
    going = msgspec.structs.replace(report, phase="comparing", left_s=90)
    assert view.run_view(going).state == "Comparing large files of the same size, at most 1 min 30 s left"


def test_what_is_no_file_system_has_no_such_page(home: Client) -> None:
    assert home.get("/scan/tank/none/").status_code == 404


def test_requests_to_disks_are_shown_by_size_with_their_shares() -> None:
    found = tuple(
        RequestSize(from_bytes=512 << power, reads=reads, writes=writes)
        for power, reads, writes in ((0, 0, 0), (3, 25, 0), (8, 75, 1000))
    )
    rows = view.requests(found)
    assert [(row.size, row.read_percent, row.writes, row.write_percent) for row in rows] == [
        ("4 KiB to 8 KiB", 25.0, "0", 0.0), ("128 KiB to 256 KiB", 75.0, "1\N{NO-BREAK SPACE}000", 100.0),
    ]  # fmt: skip
