"""Charts of what was measured, on their pages and for the script that draws them."""

from __future__ import annotations

import csv
import html
import io
import re
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from alerts.models import ZfsEvent
from alerts.tasks import watch
from frontend.charts.kinds import KINDS, of
from host.simulated import SimulatedHost
from jobs import cache, series
from jobs.models import Job, JobStep
from jobs.series import Point
from tests.conftest import refresh
from tests.frontend.conftest import make_tank
from tests.frontend.test_key_pages import text
from tests.shares.sharing import smb

HOURS = "&range=hour"


@pytest.fixture
def now() -> int:
    """The beginning of these ten seconds."""
    return int(time.time()) // 10 * 10


def record(now: int, name: str, *values: float) -> None:
    """The last values of a series, the newest at `now`."""
    series.record(Point(name, now - 10 * back, value) for back, value in enumerate(reversed(values)))


def points(browser: Client, query: str) -> Any:
    answer = browser.get(f"/charts/points/?{query}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_lines_stand_side_by_side_at_common_times_and_one_without_points_is_left_out(
    browser: Client, now: int
) -> None:
    record(now, "cpu.user_percent", 1, 2, 3)
    record(now, "cpu.system_percent", 7)
    found = points(browser, f"chart=cpu{HOURS}")
    assert found == {
        "labels": ["Programs", "System"], "subjects": [0, 0], "times": [now - 20, now - 10, now],
        "values": [[1, 2, 3], [None, None, 7]],
    }  # fmt: skip


def test_two_disks_are_compared_over_one_another(browser: Client, now: int) -> None:
    record(now, "disk.busy_percent:A", 40)
    record(now, "disk.busy_percent:B", 90)
    found = points(browser, f"chart=disk-busy:A&with=B{HOURS}")
    assert (found["labels"], found["subjects"], found["values"]) == (["Busy", "Busy"], [0, 1], [[40], [90]])


def test_a_zoomed_span_is_read_as_fine_as_it_is_kept(browser: Client, now: int) -> None:
    record(now, "cpu.load", *range(30))
    found = points(browser, f"chart=load&from={now - 60}&to={now}")
    assert found["times"] == list(range(now - 60, now + 1, 10))


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "chart"), ("chart=nothing", "chart"), ("chart=cpu:sda", "chart"), ("chart=disk-busy", "chart"),
        ("chart=disk-busy:", "chart"), (f"chart=disk-busy:{'x' * 301}", "chart"),
        ("chart=cpu&with=B", "with"), ("chart=cpu&range=decade", "range"),
        ("chart=cpu&from=20&to=10", "from"), ("chart=cpu&from=10&to=10", "from"),
        ("chart=cpu&from=-1&to=10", "from"), ("chart=cpu&from=1", "to"), ("chart=cpu&to=1", "from"),
        ("chart=cpu&from=1e3&to=5", "from"), ("chart=cpu&from=1&to=99999999999999", "to"),
        ("chart=cpu&from=1&to=%D9%A3", "to"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_names_its_field(browser: Client, query: str, field: str) -> None:
    answer = browser.get(f"/charts/points/?{query}")
    assert (answer.status_code, answer.json()["field"]) == (422, field)
    table = browser.get(f"/charts/table/?{query}")
    assert table.status_code == 422 and f"<strong>{field}</strong>" in table.text


@pytest.mark.parametrize("name", ["%", "*", "a' OR 1=1 --", "<script>", "../x", "\x00"])
def test_a_strange_name_is_a_series_without_points(browser: Client, name: str, now: int) -> None:
    record(now, "disk.busy_percent:A", 40)
    answer = browser.get("/charts/points/", {"chart": f"disk-busy:{name}", "range": "hour"})
    assert (answer.status_code, answer.json()["times"]) == (200, [])
    table = browser.get("/charts/table/", {"chart": f"disk-busy:{name}", "range": "hour"})
    assert "<script>" not in table.text.partition("<h1>")[2]


def test_the_table_and_the_file_hold_the_same_figures(browser: Client, now: int) -> None:
    record(now, "pool.used_bytes:77", 1 << 40, 1 << 41)
    shown = text(browser.get(f"/charts/table/?chart=pool-used:77{HOURS}"))
    assert shown.index("2.00 TiB") < shown.index("1.00 TiB")
    answer = browser.get(f"/charts/table/?chart=pool-used:77{HOURS}&format=csv")
    assert answer["Content-Type"].startswith("text/csv")
    head, *rows = csv.reader(io.StringIO(answer.text))
    assert head == ["time", "Used"]
    assert [float(row[1]) for row in rows] == pytest.approx([1 << 40, 1 << 41], rel=1e-4)
    assert rows[-1][0] == time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))


def test_the_page_has_the_charts_of_what_is_chosen(browser: Client) -> None:
    make_tank(browser)
    inventory = cache.current()
    assert inventory is not None
    tank, disk = inventory.pools[0], inventory.disks[0]
    machine = browser.get("/charts/").text
    assert [f'data-chart="{kind.key}"' in machine for kind in of("machine")] == [True] * len(of("machine"))
    pool = browser.get("/charts/?of=pool:tank").text
    assert f'data-chart="pool-bytes:{tank.guid}"' in pool and "Compare with" not in pool
    one = browser.get(f"/charts/?of=disk:{disk.id}&with=disk:{inventory.disks[1].id}").text
    assert f'data-chart="disk-latency:{disk.serial}"' in one
    assert f'data-with="{inventory.disks[1].serial}"' in one
    assert f'href="/disks/{disk.id}/"' in one
    assert browser.get("/charts/?of=port:eno1").text.count("data-chart=") == len(of("port"))


@pytest.mark.parametrize("query", ["of=pool:gone", "of=x", "of=machine&range=x", "with=disk:gone"])
def test_what_is_not_here_is_said(browser: Client, query: str) -> None:
    assert browser.get(f"/charts/?{query}").status_code == 422


def test_jobs_and_incidents_are_marks_that_lead_to_their_pages(
    browser: Client, simulated: SimulatedHost
) -> None:
    make_tank(browser)
    watch()
    simulated.pull("WD-WMC4N0D2J7PA")
    refresh()
    watch()
    marks = browser.get("/charts/marks/?range=hour").json()["marks"]
    assert marks[0]["label"] == "Create pool tank"
    assert marks[0]["href"].startswith("/jobs/") and any(
        mark["href"].startswith("/alerts/#alert-") for mark in marks
    )
    for mark in marks:
        assert browser.get(mark["href"]).status_code == 200


def test_each_line_is_of_a_series_that_some_collector_records() -> None:
    """A misspelt name would be an empty chart for ever."""
    recorded = {
        "cpu.user_percent", "cpu.system_percent", "cpu.iowait_percent", "cpu.steal_percent", "cpu.celsius",
        "cpu.load", "memory.programs_bytes", "memory.available_bytes", "memory.swap_bytes", "arc.size_bytes",
        "arc.target_bytes", "arc.demand_hit_percent", "arc.prefetch_hit_percent", "l2arc.size_bytes",
        "l2arc.hit_percent", "pressure.cpu_percent", "pressure.io_percent", "pressure.memory_percent",
        "nfs.read_bytes", "nfs.write_bytes", "port.received_bytes", "port.sent_bytes", "port.errors",
        "port.drops", "port.mbit", "pool.read_bytes", "pool.write_bytes", "pool.reads", "pool.writes",
        "pool.read_ms", "pool.write_ms", "pool.used_bytes", "disk.read_bytes", "disk.write_bytes",
        "disk.reads", "disk.writes", "disk.read_ms", "disk.write_ms", "disk.busy_percent", "disk.temperature",
        "arc.metadata_percent", "pool.fragmentation_percent", "pool.dedup_table_bytes",
        "dataset.read_bytes", "dataset.write_bytes", "dataset.used_bytes", "smb.connections",
        "nfs.connections", "pool.commits", "memory.corrected_errors", "memory.uncorrected_errors",
    }  # fmt: skip
    assert {line.series for kind in KINDS.values() for line in kind.lines} == recorded


def test_tiles_say_what_the_machine_does_now(browser: Client, now: int) -> None:
    make_tank(browser)
    inventory = cache.current()
    assert inventory is not None
    guid, serial = inventory.pools[0].guid, inventory.disks[2].serial
    record(now, f"pool.read_bytes:{guid}", 20e6, 30e6)
    record(now, f"pool.write_bytes:{guid}", 10e6, 10e6)
    record(now, "cpu.user_percent", 4, 4)
    record(now, "memory.programs_bytes", 1 << 30, 1 << 30)
    record(now, "arc.size_bytes", 1 << 30, 1 << 30)
    record(now, f"disk.temperature:{serial}", 41, 42)
    shown = {tile.title: tile for tile in browser.get("/").context["tiles"]}
    assert shown["Pools"].value.endswith("MB/s") and shown["Pools"].curve is not None
    assert (shown["Processor"].value, shown["Memory"].value) == ("4 %", "2.00 GiB")
    assert shown["Memory"].detail == "1.00 GiB programs, 1.00 GiB ARC"
    assert (shown["Warmest disk"].value, shown["Network"].value) == ("42 °C", "")
    assert shown["Warmest disk"].href == f"/disks/{inventory.disks[2].id}/"


def test_a_pool_that_appears_is_added_to_those_of_the_whole_hour(browser: Client, now: int) -> None:
    make_tank(browser)
    inventory = cache.current()
    assert inventory is not None
    guid = inventory.pools[0].guid
    points = [Point(f"pool.read_bytes:{guid}", now - 10 * step, 500e6) for step in range(360)]
    series.record([*points, *(Point(f"pool.write_bytes:{guid}", now - 10 * step, 2e6) for step in range(6))])
    pools = next(tile for tile in browser.get("/").context["tiles"] if tile.title == "Pools")
    assert (pools.value, pools.detail) == ("502 MB/s", "500 MB/s read, 2.00 MB/s written")


def test_errors_of_a_memory_module_are_a_chart(browser: Client, now: int) -> None:
    record(now, "memory.corrected_errors:DIMM#A1", 2, 3)
    page = browser.get("/charts/").content.decode()
    assert '<option value="memory:DIMM#A1">DIMM#A1</option>' in " ".join(page.split())
    chart = browser.get("/charts/", {"of": "memory:DIMM#A1"}).content.decode()
    assert "Errors since the start" in chart and "memory-errors:DIMM#A1" in chart


def test_tiles_are_sent_anew_only_when_there_are_new_points(browser: Client) -> None:
    first = browser.get("/overview/tiles/")
    mark = first.context["tiles_mark"]
    again = browser.get(f"/overview/tiles/?seen={mark}", headers={"HX-Request": "true"})
    later = browser.get("/overview/tiles/?seen=0", headers={"HX-Request": "true"})
    assert later.status_code == 200 and 'id="tiles"' in later.text
    assert again.status_code in {204, 200}  # 200 where ten seconds began in between


def test_old_values_are_not_said_to_be_of_now(browser: Client, now: int) -> None:
    series.record([Point("cpu.user_percent", now - 600, 50.0), Point("cpu.user_percent", now - 610, 50.0)])
    processor = next(tile for tile in browser.get("/").context["tiles"] if tile.title == "Processor")
    assert processor.value == "" and processor.curve is not None


@pytest.mark.parametrize(
    ("href", "charts"),
    [
        ("/pools/tank/", {"pool-bytes", "pool-latency"}),
        ("/datasets/tank/files/", {"dataset-bytes", "dataset-used"}),
        ("/settings/network/eno1/", {"port-bytes", "port-errors", "port-speed"}),
    ],
)
def test_the_page_of_a_thing_has_its_charts(
    files: APIClient, browser: Client, href: str, charts: set[str]
) -> None:
    page = browser.get(href).content.decode()
    assert set(re.findall(r'data-chart="([^":]+):', page)) == charts
    (address,) = re.findall(r'href="(/charts/\?of=[^"&]+)">Charts of', page)
    assert browser.get(html.unescape(address)).status_code == 200


def test_a_share_has_the_throughput_of_its_dataset(files: APIClient, browser: Client) -> None:
    smb(files, "Files", write=["anna"])
    inventory = cache.current()
    assert inventory is not None
    (dataset,) = (one for one in inventory.datasets if one.name == "tank/files")
    page = browser.get("/shares/smb/Files/").content.decode()
    assert f'data-chart="dataset-bytes:{dataset.guid}"' in page and "dataset-used" not in page


def test_scans_and_runs_of_snapshots_are_marks_too(browser: Client) -> None:
    now = datetime.now(UTC)
    for number, (name, words) in enumerate({"start": "began", "finish": "ended"}.items()):
        at = now - timedelta(minutes=50 - 30 * number)
        ZfsEvent.objects.create(
            key=str(number), at=at, last_at=at, heard_at=at, pool="tank", pool_guid="7", what="tank",
            event=f"sysevent.fs.zfs.resilver_{name}", words=f"tank: a resilver {words}.",
        )  # fmt: skip
    done = {"plan": {}, "submitted_by": "schedule", "submitted_at": now, "state": "succeeded"}
    took, _idle = (
        Job.objects.create(operation="policy.run", request={"pool": "tank"}, started_at=now, **done)
        for _ in range(2)
    )
    JobStep.objects.create(job=took, index=0, title="Take 2 snapshots", state="succeeded", commands=[])

    def seen(span: str) -> list[tuple[str, str]]:
        marks = browser.get(f"/charts/marks/?range={span}").json()["marks"]
        return [(mark["label"], mark["href"]) for mark in marks]

    ends = [(f"tank: a resilver {word}.", "/pools/tank/") for word in ("began", "ended")]
    assert seen("hour") == [*ends, ("Scheduled snapshots of tank", f"/jobs/{took.pk}/")]
    assert seen("month") == ends, "of a month they would hide all else"
