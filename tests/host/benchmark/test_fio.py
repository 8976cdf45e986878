"""What fio printed, read."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.benchmark.fio import Unreadable, parse

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts" / "fio"


def test_one_direction_has_the_figures_of_fio() -> None:
    (found,) = parse((TRANSCRIPTS / "write.json").read_text())
    assert (found.kind, found.bytes, found.bytes_per_s) == ("write", 64 << 20, 932_067_555)
    assert found.operations_per_s == pytest.approx(888.89, abs=0.01)
    assert found.mean_s == pytest.approx(241.121e-6, rel=1e-4) and found.p99_s == 4145152e-9
    assert found.seconds == 0.072


def test_both_directions_are_apart() -> None:
    read, write = parse((TRANSCRIPTS / "mixed.json").read_text())
    assert (read.kind, read.bytes_per_s, write.kind, write.bytes_per_s) == (
        "read", 541_787_610, "write", 232_690_258,
    )  # fmt: skip
    assert read.bytes / (read.bytes + write.bytes) == pytest.approx(0.7, abs=0.01)


def test_warnings_before_the_figures_are_passed_over() -> None:
    said = "note: both iodepth >= 1 and synchronous I/O engine are selected\n"
    assert len(parse(said + (TRANSCRIPTS / "write.json").read_text())) == 1


@pytest.mark.parametrize("said", ["", "fio: failed parsing directory=/gone\n", "{", '{"jobs": 1}', "[]"])
def test_what_has_no_figures_is_said(said: str) -> None:
    with pytest.raises(Unreadable, match="no figures"):
        parse(said)


def test_a_failed_job_has_no_figures() -> None:
    text = (TRANSCRIPTS / "write.json").read_text().replace('"error" : 0', '"error" : 28')
    with pytest.raises(Unreadable, match="could not read or write"):
        parse(text)
