"""A measurement reads a sample of a tree's blocks, writes nothing but its report, and ends when asked."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.compression import sampling
from host.compression.codecs import NAMES, Timed
from host.compression.measuring import Measuring, begun
from host.compression.sampling import Block, File, Sample
from host.compression.values import Measured
from host.files.opening import Root
from host.measuring.pausing import Pausing
from host.programs.measuring import compression
from host.programs.measuring.snapshot import Around
from tests.host.asking import Asked
from tests.host.files.bench import root_at
from tests.host.reports import Kept

K = 1 << 10
RECORD = 16 * K
ID = "0123456789abcdef"


class Halves:
    """Codecs that make every block half as large, in a second."""

    def each(self, block: bytes, asked: Callable[[], bool]) -> dict[str, Timed] | None:
        if asked():
            return None
        half = Timed(packed_bytes=len(block) // 2, in_s=1.0, out_s=0.5)
        return {name: Timed(packed_bytes=None) if name == "off" else half for name in NAMES}


class Quarters:
    """Codecs that make a quarter of a block of `RECORD`, and nothing of a smaller one."""

    def each(self, block: bytes, asked: Callable[[], bool]) -> dict[str, Timed]:
        quarter = Timed(packed_bytes=len(block) // 4 if len(block) == RECORD else None, in_s=1.0, out_s=0.5)
        return {name: Timed(packed_bytes=None) if name == "off" else quarter for name in NAMES}


class Phased(Kept[Measured]):
    """Knows the phases that it was in, too."""

    def __init__(self) -> None:
        super().__init__(begun("2026-11-26T10:00:00+00:00", record_bytes=RECORD, ashift=12))
        self.phases: list[str] = []

    def note(self, **changes: Any) -> None:
        super().note(**changes)
        if not self.phases or self.phases[-1] != self.content.phase:
            self.phases.append(self.content.phase)


def measured(
    root: Root,
    *,
    stop: Asked | None = None,
    busy: Iterator[bool] | None = None,
    step_s: float = 0.001,
    codecs: Any = None,
) -> tuple[Measured, list[str]]:
    report, now = Phased(), iter(range(1 << 60))
    pausing = Pausing(
        report, clock=lambda: next(now) * step_s, stop=stop or Asked(),
        busy=lambda: next(busy, False) if busy else False,
    )  # fmt: skip
    codecs = codecs or Halves()
    Measuring(root, report, pausing, codecs, embeds=True, chance=random.Random(1)).carry_out()
    return report.content, report.phases


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Root]:
    top = tmp_path / "snapshot"
    (top / "docs").mkdir(parents=True)
    (top / "docs" / "letter").write_bytes(b"x" * 5000)
    (top / "film").write_bytes(b"y" * (10 * RECORD + 1))
    (top / "zeros").write_bytes(bytes(RECORD))
    with (top / "sparse").open("wb") as file:
        file.truncate(1 << 30)
        file.seek(512 << 20)
        file.write(b"z" * RECORD)
    Path(os.fsdecode(os.fsencode(top) + b"/b\xe4d\n")).mkdir()
    Path(os.fsdecode(os.fsencode(top) + b"/b\xe4d\n/n\xff")).write_bytes(b"q" * 512)
    (top / "empty").touch()
    (top / "out").symlink_to("/etc")
    os.mkfifo(top / "pipe")
    with root_at(top) as root:
        yield root


def _sums(top: int) -> dict[str, str]:
    folder = Path(f"/proc/self/fd/{top}")
    files = [
        one
        for one in folder.rglob("*")
        if one.is_file() and not one.is_symlink() and one.stat().st_size < 1 << 29
    ]
    return {str(one.relative_to(folder)): hashlib.sha256(one.read_bytes()).hexdigest() for one in files}


def test_every_block_of_a_small_tree_is_measured_and_holes_are_not(tree: Root) -> None:
    before = _sums(tree.descriptor)
    found, phases = measured(tree)
    assert (found.verdict, found.files, found.unread, found.whole) == ("done", 5, 0, True)
    # 11 blocks of the film, one of each other file; that of zeros is compressed by none.
    assert (found.measured_blocks, found.empty_blocks) == (15, 0)
    assert found.logical_bytes == 11 * RECORD + RECORD + RECORD + 5120 + 512
    assert phases == ["listing", "compressing", "done"]
    lz4 = next(one for one in found.choices if one.name == "lz4")
    assert (lz4.stored_bytes, lz4.raw_blocks, lz4.in_s) == (12 * 8 * K + 4 * K + 4 * K, 1, 14.0)
    assert _sums(tree.descriptor) == before


def test_zeros_that_were_written_take_space_where_nothing_is_compressed(tmp_path: Path) -> None:
    (tmp_path / "image").write_bytes(b"x" * RECORD + bytes(2 * RECORD))
    with (tmp_path / "holes").open("wb") as file:
        file.truncate(RECORD)  # one block, in which nothing was ever written
    with root_at(tmp_path) as root:
        found, _ = measured(root)
    assert (found.measured_blocks, found.empty_blocks, found.logical_bytes) == (3, 1, 3 * RECORD)
    plain, *others = found.choices
    assert (plain.name, plain.stored_bytes, plain.raw_blocks) == ("off", 3 * RECORD, 3)
    assert {(one.stored_bytes, one.raw_blocks) for one in others} == {(RECORD // 2, 0)}


def test_thousands_of_small_files_beside_one_large_leave_each_its_share(tmp_path: Path) -> None:
    (tmp_path / "film").write_bytes(b"y" * (100 * RECORD))
    for number in range(2000):
        (tmp_path / f"note{number}").write_bytes(b"x" * 512)
    with root_at(tmp_path) as root:
        found, _ = measured(root, codecs=Quarters())
    # All blocks of the film, and a sample of the others.
    assert (found.blocks, found.measured_blocks) == (1124, 1124)
    lz4 = next(one for one in found.choices if one.name == "lz4")
    whole = 100 * RECORD + 2000 * 512
    assert lz4.stored_bytes / found.logical_bytes == pytest.approx((2100 * 4 * K) / whole, rel=1e-5)
    assert lz4.in_s == pytest.approx(2100 * found.logical_bytes / whole)
    assert (lz4.raw_blocks, lz4.margin_percent) == (round(1124 * 2000 / 2100), 0.0)


def test_of_files_of_one_block_no_more_is_read_than_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        (tmp_path / f"photo{number}").write_bytes(b"x" * RECORD)
    monkeypatch.setattr("host.compression.measuring.SAMPLE_BYTES", 5 * RECORD)
    with root_at(tmp_path) as root:
        found, _ = measured(root)
    assert (found.files, found.blocks, found.measured_blocks) == (20, 5, 5)


def test_the_end_is_heard_and_what_was_measured_is_kept(tree: Root) -> None:
    found, _ = measured(tree, stop=Asked(looks=30))
    assert found.verdict == "stopped"
    assert 0 < found.measured_blocks < 14
    assert len(found.choices) == len(NAMES)


def test_nothing_is_read_while_the_pool_resilvers(tree: Root) -> None:
    found, phases = measured(tree, busy=iter([True, True, False]))
    assert phases == ["waiting", "listing", "compressing", "done"]
    assert found.verdict == "done"
    stopped, _ = measured(tree, busy=iter([True] * 9), stop=Asked(looks=2))
    assert (stopped.verdict, stopped.measured_blocks) == ("stopped", 0)


def test_listing_and_compressing_end_by_themselves(tree: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.compression.measuring.MOST_ENTRIES", 2)
    some, _ = measured(tree)
    assert (some.whole, some.files < 5) == (False, True)
    monkeypatch.undo()
    short, _ = measured(tree, step_s=90.0)
    assert short.whole is False


def test_an_empty_dataset_and_one_that_has_gone_are_told_apart(tmp_path: Path, tree: Root) -> None:
    (tmp_path / "none").mkdir()
    with root_at(tmp_path / "none") as root:
        assert measured(root)[0].verdict == "empty"
    with root_at(tmp_path / "none") as root:
        (tmp_path / "none").rmdir()
        assert measured(root)[0].verdict == "empty"


def test_files_that_vanish_are_counted_and_left_out(tree: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(root: Root, block: Block, size: int) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("host.compression.measuring.read", gone)
    found, _ = measured(tree)
    assert (found.verdict, found.measured_blocks, found.unread) == ("failed", 0, 15)


def test_each_block_is_as_likely_as_any_other() -> None:
    """Also behind a large file, of which most blocks are passed over at once."""
    hits = [0] * 40
    chance = random.Random(5)
    for _ in range(2000):
        sample = Sample(4, chance)
        for number in range(4):
            sample.offer(File(names=(b"%d" % number,), size_bytes=1, allocated_bytes=1), 0, 10)
        for block in sample.blocks:
            hits[int(block.names[0]) * 10 + block.number] += 1
    assert sum(hits) == 8000
    assert min(hits) > 140
    assert max(hits) < 260


def test_a_petabyte_is_passed_over_in_no_time() -> None:
    sample = Sample(512, random.Random(3))
    sample.offer(File(names=(b"huge",), size_bytes=1 << 50, allocated_bytes=1 << 50), 0, 1 << 33)
    assert len(sample.blocks) == 512
    assert len({block.number for block in sample.blocks}) > 500


def test_of_a_sparse_file_only_what_holds_data_is_offered(tree: Root) -> None:
    file = File(names=(b"sparse",), size_bytes=(512 << 20) + RECORD, allocated_bytes=RECORD)
    stretches = sampling.stretches(tree, file, RECORD)
    assert sum(count for _, count in stretches) <= 4
    assert any(first <= (512 << 20) // RECORD < first + count for first, count in stretches)


def _program(tmp_path: Path, opened: Callable[[str, Path], object]) -> int:
    return compression.main(
        [
            f"--run={ID}", "--dataset=tank/files", "--snapshot=s1", f"--record={RECORD}", "--ashift=12",
            f"--reports={tmp_path}",
        ],
        Around(opened=opened, stop=Asked(), say_ready=lambda: None, busy=lambda pool: False),  # type: ignore[arg-type]
    )  # fmt: skip


def test_the_program_refuses_what_is_locked_and_leaves_no_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextmanager
    def locked(snapshot: str, at: Path) -> Iterator[int]:
        raise PermissionError(13, "Permission denied")
        yield 0

    assert _program(tmp_path, locked) == 3
    assert capsys.readouterr().err == "The dataset is locked. Load its key first.\n"
    assert list(tmp_path.iterdir()) == []


def test_the_program_ends_with_a_report(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "letter").write_bytes(b"Dear Ada, " * 1600)

    @contextmanager
    def opened(snapshot: str, at: Path) -> Iterator[int]:
        assert snapshot == "tank/files@s1"
        with root_at(tmp_path / "files") as root:
            yield root.descriptor

    assert _program(tmp_path, opened) == 0
    report = msgspec.json.decode((tmp_path / f"compression-{ID}.json").read_bytes(), type=Measured)
    assert (report.verdict, report.run, report.snapshot, report.measured_blocks) == ("done", ID, "s1", 1)
    assert {one.name for one in report.choices} == set(NAMES)
    assert all(one.stored_bytes == 4 * K for one in report.choices if one.name.startswith("zstd"))
