"""The page of a dataset's compression: begun at a click, followed, stopped, and read in two ways."""

from __future__ import annotations

import msgspec
import pytest
from django.test import Client

from frontend.compression.view import HEIGHT, WIDTH, picture, rows, tables
from host.commands.datasets.snapshots import ZfsSnapshot
from host.compression.codecs import NAMES
from host.simulated import SimulatedHost
from pools.compression.recommend import Option
from tests.conftest import refresh
from tests.frontend.conftest import make_tank
from tests.frontend.test_key_pages import decided, text
from tests.prepared import made_once

HERE = "/compression/tank/home/"


@pytest.fixture
@made_once
def home(browser: Client, simulated: SimulatedHost) -> Client:
    """A browser on a machine with the dataset tank/home, its files and a snapshot."""
    make_tank(browser)
    made = browser.post("/create/dataset/", {"kind": "filesystem", "parent": "tank", "leaf": "home"})
    assert decided(browser, made).state == "succeeded"
    simulated.furnish("tank/home")
    simulated.run(ZfsSnapshot(names=("tank/home@zz",)))
    refresh()
    return browser


def test_a_click_begins_it_and_its_figures_are_shown(home: Client, simulated: SimulatedHost) -> None:
    before = text(home.get(HERE))
    assert "The files of this dataset have never been measured." in before
    assert home.post(HERE).headers["Location"] == HERE
    simulated.pass_time(20)
    during = text(home.get(HERE))
    assert "Compressing, about 40 s left" in during
    assert 'hx-trigger="tick from:body"' in during
    assert home.post("/stop-compression/tank/home/").headers["Location"] == HERE
    after = text(home.get(f"{HERE}?part=figures", headers={"HX-Request": "true"}))
    assert "Stopped, started" in after and "<html" not in after
    assert "Recommended: " in after and "zfs rewrite -r /mnt/tank/home" in after
    assert "zstd-19" in after and "<circle" in after
    assert "/properties/tank/home/?edit=compression" in after
    table = home.get(f"{HERE}?format=csv").content.decode().splitlines()
    assert table[0].startswith("name,ratio,saved_percent") and len(table) == 1 + len(NAMES)
    assert "/compression/tank/home/" in text(home.get("/datasets/tank/home/"))


@pytest.mark.parametrize(("here", "button"), [("/compression/tank/", "Measure"), ("/scan/tank/", "Scan")])
def test_where_no_snapshot_is_a_click_takes_one_first(home: Client, here: str, button: str) -> None:
    before = text(home.get(here))
    assert "Files are read from a snapshot, and this dataset has none." in before
    assert "Take a snapshot</button>" in before and f">{button}</button>" not in before
    assert home.post("/create/snapshot/", {"name": "tank", "back": here}).headers["Location"] == here
    after = text(home.get(here))
    assert "Take a snapshot</button>" not in after and f">{button}</button>" in after
    assert home.post(here).headers["Location"] == here


def test_what_is_no_file_system_has_no_such_page(home: Client) -> None:
    assert home.get("/compression/tank/none/").status_code == 404


def _option(name: str, saved: float, speed: float | None, *, front: bool = False) -> Option:
    return Option(
        name=name, ratio=None if saved == 100 else 100 / (100 - saved), saved_percent=saved,
        margin_percent=1.25, raw_percent=0.0, in_bytes_per_s=speed, out_bytes_per_s=None,
        saved_bytes_per_cpu_s=None, on_front=front,
    )  # fmt: skip


def test_the_picture_stays_in_its_box_and_says_what_it_shows() -> None:
    found = (
        _option("off", 0, None), _option("lz4", -0.5, 2e9, front=True),
        _option("zstd-19", 60, 1e6, front=True),
    )  # fmt: skip
    drawn = picture(found)
    assert drawn is not None
    assert [one.name for one in drawn.dots] == ["lz4", "zstd-19"]
    assert all(0 < one.x < WIDTH and 0 < one.y < HEIGHT for one in drawn.dots)
    assert [one.label for one in drawn.speeds] == ["1 MB/s", "10 MB/s", "100 MB/s", "1 GB/s"]
    assert [one.label for one in drawn.savings] == ["0 %", "20 %", "40 %", "60 %"]
    assert drawn.savings[0].at > drawn.savings[-1].at >= 0
    assert drawn.words.endswith(", zstd-19 60 %.")
    assert picture(found[:2]) is None
    with_disks = picture(found, 310e6)
    assert drawn.disks_x is None and with_disks is not None and with_disks.disks_x is not None
    assert with_disks.network_x < with_disks.disks_x < WIDTH


def test_a_row_says_what_is_in_use_under_any_of_its_names() -> None:
    found = (_option("lz4", 20, 1e9), _option("zstd-3", 100, 1e8))
    lz4, zstd = rows(found, current="zstd", recommended="lz4")
    assert (lz4.ratio, lz4.saved, lz4.margin, lz4.writing, lz4.reading) == (
        "1.25", "20.0 %", "± 1.2 %", "1\u00a0000 MB/s", "–",
    )  # fmt: skip
    assert (lz4.note, zstd.note, zstd.ratio) == ("recommended", "in use", "–")
    slow = msgspec.structs.replace(lz4, name="gzip-9", note="")
    assert tables((lz4, slow, zstd)) == (
        ("", (lz4, zstd)),
        ("Others: 1", (slow,)),
    )
    assert tables((lz4, zstd)) == (("", (lz4, zstd)),)
