"""The named profiles: what fio(1) is asked to do, part after part.

What is written cannot be compressed, and the dataset has its metadata cached alone, so that reads come from
the disks. Without a cache for data ZFS reads nothing ahead: requests for large files are of many records,
which it reads side by side.
"""

from __future__ import annotations

from typing import NamedTuple

from host.benchmark.values import Profile

_MIB, _GIB = 1 << 20, 1 << 30
SMALL_FILE = 16 << 10
_MOST_SMALL_FILES = 50_000
_MIXED_JOBS, _SYNC_JOBS = 4, 16
READS_S, LASTS_S = 60, 30  # at most; for as long
LEAST_BYTES, MOST_BYTES = 64 * _MIB, 1 << 40

_ALWAYS = (
    "--ioengine=psync", "--thread", "--group_reporting", "--refill_buffers", "--randrepeat=0",
    "--fallocate=none", "--filename_format=benchmark.$jobnum.$filenum", "--output-format=json", "--eta=never",
)  # fmt: skip


class Part(NamedTuple):
    """One run of fio. `bytes` is how much it writes or reads where that decides how long it lasts, `seconds`
    how long it lasts at most. One that is not `shown` makes the files that the next one reads.
    """

    name: str
    options: tuple[str, ...]
    bytes: int | None = None
    seconds: int | None = None
    shown: bool = True

    def argv(self, folder: str) -> tuple[str, ...]:
        """What is run, with its files in `folder`."""
        return ("fio", f"--name={self.name}", f"--directory={folder}", *_ALWAYS, *self.options)


def parts(profile: Profile, size_bytes: int, clients: int) -> tuple[Part, ...]:
    """In their order. Files take `size_bytes` in all, in whole MiB of each job."""
    if profile == "small-files":
        return _small_files(size_bytes)
    if profile == "mixed":
        files = _files(size_bytes, _MIXED_JOBS)
        mix = ("--rw=randrw", "--rwmixread=70", "--bs=16k")
        return (
            Part("files", (*files, "--rw=write", "--bs=1M"), bytes=size_bytes, shown=False),
            Part("mixed", (*files, *mix, *_for(LASTS_S)), seconds=LASTS_S),
        )
    if profile == "sync-writes":
        write = ("--rw=write", "--bs=4k", "--sync=1", *_for(LASTS_S))
        one, many = _files(size_bytes // 2, 1), _files(size_bytes // 2, _SYNC_JOBS)
        return (
            Part("one-writer", (*one, *write), seconds=LASTS_S),
            Part("sixteen-writers", (*many, *write), seconds=LASTS_S),
        )
    jobs = clients if profile == "streams" else 1
    files = _files(size_bytes, jobs)
    block = "--bs=1M" if profile == "streams" else "--bs=16M"
    written, read = ("--rw=write", "--bs=1M", "--end_fsync=1"), ("--rw=read", block, f"--runtime={READS_S}")
    return (
        Part("write", (*files, *written), bytes=size_bytes),
        Part("read", (*files, *read), bytes=size_bytes, seconds=READS_S),
    )


def _small_files(size_bytes: int) -> tuple[Part, ...]:
    number = max(1, min(_MOST_SMALL_FILES, size_bytes // SMALL_FILE))
    files = (
        f"--nrfiles={number}", f"--filesize={SMALL_FILE}", f"--bs={SMALL_FILE}", "--openfiles=64",
        "--file_service_type=sequential",
    )  # fmt: skip
    held = number * SMALL_FILE
    return (
        Part("create", (*files, "--rw=write", "--create_on_open=1"), bytes=held),
        Part("read", (*files, "--rw=read", f"--runtime={READS_S}"), bytes=held, seconds=READS_S),
    )


def _files(size_bytes: int, jobs: int) -> tuple[str, ...]:
    each = max(1, size_bytes // jobs // _MIB)
    return f"--numjobs={jobs}", f"--size={each}M"


def _for(seconds: int) -> tuple[str, ...]:
    return "--time_based", f"--runtime={seconds}"


def read_disk(device: str, offset_bytes: int, seconds: int) -> tuple[str, ...]:
    """What reads a disk alone, past the cache: nothing is ever written (`--readonly`)."""
    return (
        "fio", "--name=disk", "--readonly", f"--filename={device}", "--rw=read", "--bs=1M", "--direct=1",
        "--ioengine=psync", "--thread", "--invalidate=0", f"--offset={offset_bytes}", f"--runtime={seconds}",
        "--output-format=json", "--eta=never",
    )  # fmt: skip


def written_bytes(profile: Profile, size_bytes: int) -> int:
    """What such a run writes at least; synchronous writes are as many as there is time for."""
    return _small_files(size_bytes)[0].bytes or 0 if profile == "small-files" else size_bytes
