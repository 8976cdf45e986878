"""What the page shows of a scan: its state, and rows for folders, kinds, sizes and record sizes."""

from __future__ import annotations

import msgspec

from frontend.measured import RunView
from frontend.units import binary, span
from host.scan.requests import MOST_BYTES, RequestSize
from host.scan.values import Scanned
from jobs.wording import grouped
from pools.scan.records import RecordChoice

_SHOWN = 12  # folders; the CSV file has all
_USUAL = frozenset(1 << power for power in (14, 16, 17, 18, 20, 22, 24))  # record sizes; the API has all
_PHASES = {
    "scanning": "Scanning", "comparing": "Comparing large files of the same size", "done": "Done",
    "waiting": "Waiting until the pool has resilvered",
}  # fmt: skip
_ENDED = {
    "done": "Scanned", "stopped": "Stopped", "failed": "It did not finish", "empty": "Nothing to count",
}  # fmt: skip


class UseRow(msgspec.Struct, frozen=True, kw_only=True):
    """Some of the files, with the bytes that they take."""

    name: str
    files: str
    size_bytes: int
    share_percent: float
    share: str


class RecordRow(msgspec.Struct, frozen=True, kw_only=True):
    """One record size."""

    size: str
    blocks: str
    pointer_bytes: int
    rewrite_bytes: int
    padding_bytes: int
    note: str


class RequestRow(msgspec.Struct, frozen=True, kw_only=True):
    """Requests to the disks of about one size; shares are percent of all reads or writes."""

    size: str
    reads: str
    read_percent: float
    writes: str
    write_percent: float


class SameRow(msgspec.Struct, frozen=True, kw_only=True):
    """Files with the same content."""

    paths: tuple[str, ...]
    more: int  # that are not listed
    files: str
    size_bytes: int  # of each
    spare_bytes: int  # of all but one


class Duplicates(msgspec.Struct, frozen=True, kw_only=True):
    """What comparing found, in words and in rows, largest first."""

    words: str
    rows: tuple[SameRow, ...]


def run_view(run: Scanned) -> RunView:
    """Of the last scan."""
    counts = f"{grouped(run.files)} files and {grouped(run.folders)} folders"
    if run.others:
        counts += f", {grouped(run.others)} other {'entry' if run.others == 1 else 'entries'} such as links"
    if run.unread:
        counts += f"; {grouped(run.unread)} folders or files could not be read"
    if not run.whole:
        counts += "; not all of them were counted"
    going = _PHASES[run.phase]
    if run.left_s is not None and run.verdict is None:
        going += f", at most {span(run.left_s)} left"
    return RunView(
        goes_on=run.verdict is None, well=run.verdict == "done",
        state=going if run.verdict is None else _ENDED[run.verdict], words=run.words, since=run.started_at,
        counts=counts,
    )  # fmt: skip


def folders(run: Scanned) -> tuple[UseRow, ...]:
    """The largest; a folder and one within it both have a row."""
    return tuple(_use(one.path, one.files, one.bytes, run.disk_bytes) for one in run.largest_folders[:_SHOWN])


def kinds(run: Scanned) -> tuple[UseRow, ...]:
    """The largest first."""
    return tuple(_use(one.kind.capitalize(), one.files, one.bytes, run.disk_bytes) for one in run.kinds)


def duplicates(run: Scanned) -> Duplicates | None:
    """None where no files were compared."""
    if not run.compares or run.phase in {"scanning", "waiting"}:
        return None
    found = "No two are the same."
    if run.duplicates:
        spare = binary(run.duplicate_bytes)
        found = f"{grouped(run.duplicate_files)} files with {spare} are there more than once."
    words = f"{found} {binary(run.compared_bytes)} were read to compare files of 1 MiB and more."
    return Duplicates(
        words=words,
        rows=tuple(
            SameRow(
                paths=one.paths, more=one.files - len(one.paths), files=grouped(one.files),
                size_bytes=one.size_bytes, spare_bytes=one.size_bytes * (one.files - 1),
            )
            for one in run.duplicates
        ),
    )  # fmt: skip


def sizes(run: Scanned) -> tuple[UseRow, ...]:
    """The smallest first."""
    return tuple(
        _use(f"up to {_power(one.up_to_bytes)}", one.files, one.bytes, run.size_bytes) for one in run.sizes
    )


def records(
    found: tuple[RecordChoice, ...], *, current: int | None, recommended: int | None
) -> tuple[RecordRow, ...]:
    """The usual sizes and those that have a note, in their order."""
    return tuple(
        RecordRow(
            size=_power(one.record_bytes), blocks=grouped(one.blocks), pointer_bytes=one.pointer_bytes,
            rewrite_bytes=one.rewrite_bytes, padding_bytes=one.padding_bytes,
            note=", ".join(
                word for word, true in (
                    ("in use", one.record_bytes == current), ("recommended", one.record_bytes == recommended)
                ) if true
            ),
        )
        for one in found
        if one.record_bytes in {*_USUAL, current, recommended}
    )  # fmt: skip


def record_size(size_bytes: int) -> str:
    """As ZFS has it: `131072` → `128K`."""
    return f"{size_bytes >> 20}M" if size_bytes >= 1 << 20 else f"{size_bytes >> 10}K"


def _power(size_bytes: int) -> str:
    """A power of two in one unit: `131072` → `128 KiB`."""
    return binary(size_bytes).replace(".00", "").replace(".0 ", " ")


def _use(name: str, files: int, size: int, whole: int) -> UseRow:
    share = 100 * size / whole if whole else 0.0
    words = "< 1 %" if 0 < share < 1 else f"{share:.0f} %"
    return UseRow(name=name, files=grouped(files), size_bytes=size, share_percent=share, share=words)


def _sizes(from_bytes: int) -> str:
    more = "more" if from_bytes >= MOST_BYTES else _power(2 * from_bytes)
    return f"{_power(from_bytes)} to {more}"


def requests(found: tuple[RequestSize, ...]) -> tuple[RequestRow, ...]:
    """Without sizes that nothing had."""
    reads, writes = sum(one.reads for one in found), sum(one.writes for one in found)
    return tuple(
        RequestRow(
            size=_sizes(one.from_bytes), reads=grouped(one.reads), writes=grouped(one.writes),
            read_percent=100 * one.reads / reads if reads else 0.0,
            write_percent=100 * one.writes / writes if writes else 0.0,
        )
        for one in found if one.reads or one.writes
    )  # fmt: skip
