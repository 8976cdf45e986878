"""The text of metrics, read back by Prometheus' own parsers."""

from __future__ import annotations

from typing import Any

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_text

from nasweb.metrics.endpoint import negotiated
from nasweb.metrics.values import Format, counter, gauge, info, one_of, text

HOSTILE = 'tank/"quo\\ted\n# EOF\n{x="1"} 1'


def parsed(written: str, parse: Any = parse_openmetrics) -> list[Any]:
    return list(parse(written))


def test_openmetrics_reads_it_back() -> None:
    written = text(
        (
            counter("disk_read_bytes", "Bytes read.", [({"disk": HOSTILE}, 12), ({"disk": "b"}, 1.5)]),
            gauge("pool_health", "Health.", one_of(("good", "bad"), {"pool": "tank"}, "bad")),
            info("build", "Versions.", [{"version": "1"}]),
            gauge("nothing", "Has no samples.", [({}, None)]),
        ),
        "openmetrics",
    )
    read, health, build = parsed(written)
    assert (read.name, read.type, read.unit) == ("nasweb_disk_read_bytes", "counter", "bytes")
    assert [(s.name, s.labels, s.value) for s in read.samples] == [
        ("nasweb_disk_read_bytes_total", {"disk": HOSTILE}, 12),
        ("nasweb_disk_read_bytes_total", {"disk": "b"}, 1.5),
    ]
    assert [(s.labels["state"], s.value) for s in health.samples] == [("good", 0), ("bad", 1)]
    assert (build.type, build.samples[0].name) == ("info", "nasweb_build_info")
    assert written.endswith("\n# EOF\n")


def test_the_older_format_reads_it_back() -> None:
    written = text(
        (counter("jobs", "Jobs.", [({"name": HOSTILE}, 1)]), info("a", "A.", [{"b": "c"}])), "text"
    )
    jobs, about = parsed(written, parse_text)
    assert (jobs.type, jobs.samples[0].name) == ("counter", "nasweb_jobs_total")
    assert jobs.samples[0].labels == {"name": HOSTILE}
    assert (about.type, about.samples[0].name) == ("gauge", "nasweb_a_info")
    assert "# EOF" not in written.splitlines()


def test_a_sample_that_repeats_another_does_not_spoil_the_scrape() -> None:
    written = text((gauge("a", "A.", [({"x": "1"}, 1), ({"x": "1"}, 2)]),), "openmetrics")
    (family,) = parsed(written)
    assert [sample.value for sample in family.samples] == [1]


def test_bytes_that_are_no_utf_8_and_odd_numbers_are_written() -> None:
    samples = [({"x": "\udcff"}, float("nan")), ({"x": "b"}, float("inf")), ({"x": "c"}, True)]
    written = text((gauge("a", "A.", samples),), "openmetrics")
    (family,) = parsed(written.encode().decode())
    assert [(s.labels["x"], str(s.value)) for s in family.samples] == [
        ("?", "nan"), ("b", "inf"), ("c", "1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("accept", "how"),
    [
        ("", "openmetrics"),
        ("*/*", "openmetrics"),
        ("text/plain", "text"),
        ("text/plain; version=0.0.4; charset=utf-8", "text"),
        ("application/openmetrics-text", "openmetrics"),
        # As Prometheus 3 sends it, and one that was told to prefer the older form
        ("application/openmetrics-text;version=1.0.0;q=0.6,text/plain;q=0.4,*/*;q=0.2", "openmetrics"),
        ("text/plain;version=0.0.4;q=0.5,application/openmetrics-text;version=1.0.0;q=0.4", "text"),
        ("text/plain;q=nan, application/openmetrics-text;q=-1", "openmetrics"),
        (";;q=,,;" * 900, "openmetrics"),
    ],
)
def test_the_form_is_what_is_accepted(accept: str, how: Format) -> None:
    assert negotiated(accept) == how
