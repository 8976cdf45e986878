"""Carries a benchmark out: each disk alone, then the parts of its profile, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from host.benchmark.fio import Figures, Unreadable, parse
from host.benchmark.load import LoadMeter
from host.benchmark.profiles import Part, parts, read_disk
from host.benchmark.values import Benchmark, DiskRead, PartResult
from host.measuring.pausing import STOPPED, Asked, Writing
from host.system.following import Follow

RESILVERS = "It was stopped, as the pool began to resilver. Measure again when that has finished."
PLACES, DISK_S = (0.0, 0.5, 0.95), 3  # of each disk; seconds at each
_GUESSED_BYTES_PER_S = 100e6  # until something was measured
_NEVER_MORE = 0.95  # of a part's time, as long as it has not ended
_BUSY_EVERY_S = 10.0


class Device(NamedTuple):
    """A disk, or the part of one that a pool has: where it is, and how large."""

    path: str
    size_bytes: int


class _Place(NamedTuple):
    """Where a disk is read alone."""

    link: str
    device: Device
    share: float


class _EndedEarly(Exception):
    """Before its time, with this verdict."""

    def __init__(self, verdict: str, words: str) -> None:
        super().__init__(words)
        self.verdict, self.words = verdict, words


class Running:
    """One benchmark, in `folder`. `clock` is monotonic; `busy` says whether the pool resilvers."""

    def __init__(
        self,
        report: Writing[Benchmark],
        devices: Mapping[str, Device],
        folder: str,
        *,
        follow: Follow,
        meter: LoadMeter,
        clock: Callable[[], float],
        stop: Asked,
        busy: Callable[[], bool],
    ) -> None:
        self._report, self._folder, self._follow, self._meter = report, folder, follow, meter
        self._clock, self._stop, self._busy = clock, stop, busy
        asked = report.content
        places = (_Place(link, device, share) for link, device in devices.items() for share in PLACES)
        self._todo: list[_Place | Part] = [*places, *parts(asked.profile, asked.size_bytes, asked.clients)]
        self._done_s, self._rate = 0.0, _GUESSED_BYTES_PER_S
        self._asked_at, self._resilvers = clock(), False

    def carry_out(self) -> tuple[str, str]:
        """The verdict, and why it is so."""
        try:
            while self._todo:
                step = self._todo.pop(0)
                if isinstance(step, Part):
                    self._run(step)
                else:
                    self._read(step)
        except _EndedEarly as end:
            return end.verdict, end.words
        return "done", ""

    def _read(self, place: _Place) -> None:
        self._report.note(phase="disks", doing=place.link)
        offset = int(place.device.size_bytes * place.share) >> 20 << 20
        figures, _ = self._fio(read_disk(place.device.path, offset, DISK_S), DISK_S)
        rate = next((one.bytes_per_s for one in figures if one.kind == "read"), 0.0)
        before = {one.disk: one.bytes_per_s for one in self._report.content.disks}
        before[place.link] = (*before.get(place.link, ()), rate)
        self._report.note(disks=tuple(DiskRead(disk=link, bytes_per_s=all_) for link, all_ in before.items()))

    def _run(self, part: Part) -> None:
        self._report.note(phase="files", doing=part.name)
        self._meter.begin()
        argv = part.argv(self._folder)
        figures, took_s = self._fio(argv, self._lasts_s(part))
        # Until it has started fio asks nothing of the disks.
        load = self._meter.end(max((one.seconds for one in figures), default=took_s))
        if part.bytes is not None and figures:
            self._rate = max(1.0, *(one.bytes_per_s for one in figures))
        if not part.shown:
            return
        results = tuple(
            PartResult(
                part=part.name, kind=one.kind, bytes_per_s=one.bytes_per_s,
                operations_per_s=one.operations_per_s, mean_s=one.mean_s, p99_s=one.p99_s,
                seconds=one.seconds, processor_share=load.processor, busy=load.busy, command=argv,
            )
            for one in figures
        )  # fmt: skip
        self._report.note(parts=(*self._report.content.parts, *results))

    def _fio(self, argv: tuple[str, ...], lasts_s: float) -> tuple[tuple[Figures, ...], float]:
        """What it measured, and how long it took. Raises `_EndedEarly`."""
        said: list[bytes] = []
        begun = self._clock()

        def asked() -> bool:
            self._note_progress(min(self._clock() - begun, lasts_s * _NEVER_MORE), lasts_s)
            return self._ends()

        result = self._follow(argv, environment={}, line=said.append, asked=asked)
        if self._ends():
            raise _EndedEarly("stopped", RESILVERS if self._resilvers else STOPPED)
        took_s = self._clock() - begun
        self._done_s += took_s
        if result.exit != 0:
            raise _EndedEarly("failed", f"fio says: {_why(result.stderr, said)}")
        try:
            return parse(b"\n".join(said).decode("utf-8", "replace")), took_s
        except Unreadable as error:
            raise _EndedEarly("failed", f"{error} It says: {_why(result.stderr, said)}") from error

    def _lasts_s(self, step: _Place | Part) -> float:
        """As far as that is known before: at most, or by its bytes at the rate of what came before."""
        if isinstance(step, _Place):
            return float(DISK_S)
        by_size = step.bytes / self._rate if step.bytes is not None else float(step.seconds or 0)
        return by_size if step.seconds is None else min(by_size, step.seconds)

    def _note_progress(self, here_s: float, lasts_s: float) -> None:
        left = lasts_s - here_s + sum(self._lasts_s(step) for step in self._todo)
        done = self._done_s + here_s
        self._report.note(share=done / max(1e-9, done + left), left_s=left)

    def _ends(self) -> bool:
        now = self._clock()
        if now - self._asked_at >= _BUSY_EVERY_S:
            self._asked_at = now
            self._resilvers = self._resilvers or self._busy()
        return self._resilvers or self._stop.asked()


def _why(errors: str, said: list[bytes]) -> str:
    """fio's own words: of a job that failed they are among its figures."""
    lines = [line for line in errors.splitlines() if line.strip()]
    lines = lines or [line.decode("utf-8", "replace") for line in said if line.startswith(b"fio:")]
    return lines[-1][:300] if lines else "nothing"
