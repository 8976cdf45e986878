"""A whole burn-in on a disk that is a file, with SMART from a list."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.inventory import BurnIn, SmartReading
from host.probe.identity import disk_behind
from host.probe.whole import probe
from host.programs import burn_in, passes
from host.programs.burn_in import REFUSED, _to_the_end, carry_out, main, refuse_used
from host.programs.burn_in_report import BurnInReport
from host.programs.device import Unfit
from host.programs.pattern import BLOCK, CHUNK
from host.simulated import SimulatedHost
from tests.host.programs.bench import Smart, Stopping, clock, entry, open_disk, reading

SIZE = 6 * CHUNK
WELL = reading()
ENDED = reading(tests=(entry("passed"),))


@pytest.fixture
def disk() -> Iterator[int]:
    yield from open_disk(SIZE)


@pytest.fixture
def report(tmp_path: Path) -> BurnInReport:
    return BurnInReport(
        tmp_path / "WD-1.json",
        serial="WD-1",
        size_bytes=SIZE,
        clock=clock(),
        now=lambda: datetime(2026, 1, 2, tzinfo=UTC),
    )


def burn(disk: int, report: BurnInReport, smart: Smart, *, stop: Stopping | None = None) -> BurnIn:
    carry_out(disk, report, smart=smart, stop=stop or Stopping(), clock=clock(), seed=b"seed")
    return report.content


def test_a_good_disk_passes_and_the_file_says_so(disk: int, report: BurnInReport, tmp_path: Path) -> None:
    facts = burn(disk, report, Smart(WELL, ENDED, ENDED))
    assert (facts.verdict, facts.phase, facts.percent, facts.words, facts.mismatches) == (
        "passed",
        "done",
        100.0,
        "",
        0,
    )
    assert (len(facts.writing), len(facts.reading)) == (6, 6)
    assert msgspec.json.decode((tmp_path / "WD-1.json").read_bytes(), type=BurnIn) == facts
    assert facts.finished_at == facts.updated_at == "2026-01-02T00:00:00+00:00"
    assert [path.name for path in tmp_path.glob("*.new")] == []
    assert os.pread(disk, 8, 0) == os.pread(disk, 8, BLOCK) != bytes(8)  # the mark of the seed


def test_a_sleeping_disk_is_woken_before_it_is_asked(
    disk: int, report: BurnInReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    smart, events, read = Smart(WELL, ENDED, ENDED), list[str](), os.preadv
    answer = smart.read

    def noted_read(descriptor: int, buffers: Any, offset: int) -> int:
        events.append("read")
        return read(descriptor, buffers, offset)

    def noted_answer() -> SmartReading | None:
        events.append("asked")
        return answer()

    monkeypatch.setattr(os, "preadv", noted_read)
    monkeypatch.setattr(smart, "read", noted_answer)
    burn(disk, report, smart)
    assert events[:2] == ["read", "asked"]


def test_a_failed_self_test_spares_the_writing(disk: int, report: BurnInReport) -> None:
    failed = reading(tests=(entry("failed", first_error_lba=4711),))
    facts = burn(disk, report, Smart(WELL, failed))
    assert (facts.verdict, facts.phase) == ("failed", "self-test")
    assert facts.words == "The disk's own self-test failed at sector 4711: it failed."
    assert os.pread(disk, SIZE, 0) == bytes(SIZE)


def test_a_disk_without_a_self_test_is_written_all_the_same(disk: int, report: BurnInReport) -> None:
    facts = burn(disk, report, Smart(WELL, WELL, starts=False))
    assert (facts.verdict, facts.words) == ("passed", "The disk has no self-test that could be started.")


def test_blocks_that_changed_are_counted_and_named(
    disk: int, report: BurnInReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = passes.write_pass

    def forgetful(descriptor: int, *more: object) -> None:
        whole(descriptor, *more)  # type: ignore[arg-type]
        for offset in (CHUNK, 5 * CHUNK):
            os.pwrite(descriptor, bytes(BLOCK), offset)

    monkeypatch.setattr("host.programs.burn_in.write_pass", forgetful)
    facts = burn(disk, report, Smart(WELL, ENDED, ENDED))
    assert (facts.verdict, facts.phase, facts.mismatches) == ("failed", "done", 2)
    assert facts.words.startswith(
        "2 blocks of 4 KiB read back differently than written, first at byte 4194304 ("
    )


def test_a_disk_that_ends_early_fails_where_it_ends(
    disk: int, report: BurnInReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = passes.write_pass

    def shortened(descriptor: int, *more: object) -> None:
        whole(descriptor, *more)  # type: ignore[arg-type]
        os.ftruncate(descriptor, 3 * CHUNK)

    monkeypatch.setattr("host.programs.burn_in.write_pass", shortened)
    facts = burn(disk, report, Smart(WELL, ENDED, ENDED))
    assert (facts.verdict, facts.phase, facts.percent) == ("failed", "verify", 50.0)
    assert facts.words.startswith(
        "Reading back at byte 12582912 (0.0 GiB from the start) failed: The disk ends here."
    )


def test_sectors_replaced_meanwhile_fail_it(disk: int, report: BurnInReport) -> None:
    worse = reading(reallocated_sectors=8)
    facts = burn(disk, report, Smart(WELL, ENDED, worse))
    assert (facts.verdict, facts.words) == (
        "failed",
        "The disk replaced sectors by spare ones: 0 before, 8 after.",
    )


@pytest.mark.parametrize(
    ("check", "phase", "percent"), [(1, "self-test", 0.0), (4, "write", 50.0), (9, "verify", 33.333)]
)
def test_it_can_be_stopped_anywhere(
    disk: int, report: BurnInReport, check: int, phase: str, percent: float, tmp_path: Path
) -> None:
    smart = Smart(WELL, ENDED, ENDED)
    facts = burn(disk, report, smart, stop=Stopping(at=check))
    assert (facts.verdict, facts.phase, facts.percent) == ("stopped", phase, percent)
    assert smart.aborted == (1 if phase == "self-test" else 0)
    assert msgspec.json.decode((tmp_path / "WD-1.json").read_bytes(), type=BurnIn) == facts


def test_progress_reaches_the_file_every_few_seconds(tmp_path: Path) -> None:
    path = tmp_path / "WD-1.json"
    report = BurnInReport(path, serial="WD-1", size_bytes=SIZE, clock=clock(step=2.0))
    seen = []
    for percent in range(1, 7):
        report.note(percent=float(percent))
        seen.append(msgspec.json.decode(path.read_bytes(), type=BurnIn).percent)
    assert seen == [0.0, 0.0, 3.0, 3.0, 3.0, 6.0]
    report.note(phase="write", percent=0.0)
    assert msgspec.json.decode(path.read_bytes(), type=BurnIn).phase == "write"


def test_a_disk_with_anything_on_it_is_refused(tmp_path: Path) -> None:
    host = SimulatedHost(tmp_path / "machine.json", "home")
    link = f"/dev/disk/by-id/{host.machine().disks[0].ids[0]}"
    blank = disk_behind(host, link)
    assert blank is not None
    refuse_used(blank)
    host.occupy(link, "unmounted-ntfs")
    used = disk_behind(host, link)
    assert used is not None
    with pytest.raises(Unfit, match="is not blank: ntfs"):
        refuse_used(used)


def test_a_start_that_is_refused_leaves_the_last_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.programs.burn_in.Stop", Stopping)
    link = "/dev/disk/by-id/ata-nobody"
    status = main([f"--disk={link}", "--serial=WD-1", f"--reports={tmp_path}"])
    assert status == REFUSED
    assert capsys.readouterr().err == f"{link} cannot be opened. No such file or directory.\n"
    assert list(tmp_path.iterdir()) == []


class Whole:
    """`main` on a simulated machine whose first disk can really be opened: it is a file."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.host = SimulatedHost(folder / "machine.json", "home")
        self.disk, self.reports = probe(self.host).disks[0], folder / "reports"
        self.reports.mkdir()
        self.medium = folder / "medium"
        self.medium.write_bytes(bytes(CHUNK))
        self.events: list[str] = []
        self._open = os.open
        monkeypatch.setattr(os, "open", self.open)
        monkeypatch.setattr(burn_in, "Stop", Stopping)
        monkeypatch.setattr(burn_in, "confirm_open", lambda descriptor, path: self.events.append(path))
        monkeypatch.setattr(burn_in, "ready", lambda: self.events.append("ready"))
        monkeypatch.setattr(burn_in, "carry_out", self.carry_out)

    def open(self, link: Any, flags: int, *more: Any, **named: Any) -> int:
        if str(link) == self.disk.link:
            assert flags & (os.O_RDWR | os.O_EXCL | os.O_DIRECT) == os.O_RDWR | os.O_EXCL | os.O_DIRECT
            return self._open(self.medium, os.O_RDWR)
        return self._open(link, flags, *more, **named)

    def carry_out(self, descriptor: int, report: BurnInReport, **_: object) -> None:
        self.events.append(f"{report.content.size_bytes} bytes")
        report.end("passed", "")

    def run(self, *, serial: str | None = None) -> int:
        words = [f"--disk={self.disk.link}", f"--serial={serial or self.disk.serial}"]
        return main([*words, f"--reports={self.reports}"], host=self.host)


@pytest.fixture
def whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Whole:
    return Whole(tmp_path, monkeypatch)


def test_the_disk_is_held_exclusively_and_systemd_is_notified(whole: Whole) -> None:
    assert whole.run() == 0
    assert whole.events == [whole.disk.path, "ready", f"{CHUNK} bytes"]
    (file,) = whole.reports.iterdir()
    assert file.name == f"{whole.disk.serial}.json"
    assert msgspec.json.decode(file.read_bytes(), type=BurnIn).verdict == "passed"


def test_another_serial_is_refused_before_anything_is_written(
    whole: Whole, capsys: pytest.CaptureFixture[str]
) -> None:
    assert whole.run(serial="WD-ANOTHER") == REFUSED
    assert f"leads to the disk with serial {whole.disk.serial}, not to WD-ANOTHER" in capsys.readouterr().err
    assert (whole.events, list(whole.reports.iterdir())) == ([], [])


def test_a_disk_that_is_not_blank_is_refused_by_the_program(whole: Whole) -> None:
    whole.host.occupy(whole.disk.id, "exported-pool")
    assert whole.run() == REFUSED
    assert list(whole.reports.iterdir()) == []


def test_a_disk_under_a_loop_device_is_refused_by_the_program(
    whole: Whole, capsys: pytest.CaptureFixture[str]
) -> None:
    whole.host.occupy(whole.disk.id, "loop")
    assert whole.run() == REFUSED
    assert "is in use: held by loop device loop0" in capsys.readouterr().err
    assert list(whole.reports.iterdir()) == []


def test_what_breaks_in_the_program_is_not_held_against_the_disk(disk: int, report: BurnInReport) -> None:
    class Broken(Smart):
        def read(self) -> SmartReading | None:
            raise RuntimeError("a bug")

    with pytest.raises(RuntimeError):
        _to_the_end(disk, report, Broken(), Stopping())  # type: ignore[arg-type]
    assert report.content.verdict == "stopped"
    assert "says nothing of the disk: RuntimeError('a bug')" in report.content.words
