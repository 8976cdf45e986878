"""Measurements: programs in units of their own. Those of a dataset's files read one snapshot of it."""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, DatasetName, SnapshotTag
from host.commands.starting import START_S, begun, explained, last_line, python
from host.measuring.places import REPORTS

RunId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
What = Literal["compression", "files", "dedup", "blocks", "benchmark", "network"]
UNITS = "nasweb-measure-"
RecordBytes = Literal[
    512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304,
    8388608, 16777216,
]  # fmt: skip


def run_of(dataset: str) -> str:
    """What a measurement of a dataset or a pool is called: there is one of each kind at a time."""
    return hashlib.sha256(dataset.encode()).hexdigest()[:16]


def unit_of(what: What, run: str) -> str:
    """The unit in which it runs."""
    return f"{UNITS}{what}-{run}.service"


def started(what: What, run: str, of: str, *options: str, memory_mib: int = 1024) -> tuple[str, ...]:
    """How the unit begins that measures `of`: it has begun once its program says READY=1.

    Its drop-ins do not limit the memory: what they set replaces what a transient unit is started with.
    """
    return (
        *begun(unit_of(what, run), f"Nasweb measures {what} of {of}", f"--property=MemoryMax={memory_mib}M"),
        *python(f"measuring.{what}"),
        f"--run={run}",
        *options,
    )


class _Measuring(Command, frozen=True, kw_only=True):
    """One that begins: it ends once the snapshot is mounted, where only the program sees it, and goes on in
    the background."""

    timeout_s = START_S
    touches = frozenset()
    run: RunId
    dataset: DatasetName
    tag: SnapshotTag

    def _started(self, what: What, *options: str) -> tuple[str, ...]:
        snapshot = (f"--dataset={self.dataset}", f"--snapshot={self.tag}")
        return started(what, self.run, self.dataset, *snapshot, *options)

    def _why(self, what: What, said: str) -> Command | None:
        return explained(said, by=MeasurementSaid(what=what, run=self.run))


class MeasureCompression(_Measuring, frozen=True, kw_only=True):
    """Begin to compress a sample of what a snapshot holds, in memory. Its files are only read."""

    record_bytes: RecordBytes
    ashift: Annotated[int, Meta(ge=9, le=16)]
    embeds: bool

    def argv(self) -> tuple[str, ...]:
        options = (f"--record={self.record_bytes}", f"--ashift={self.ashift}")
        return self._started("compression", *options, *(("--embeds",) if self.embeds else ()))

    def explained_by(self, said: str) -> Command | None:
        return self._why("compression", said)


class ScanFiles(_Measuring, frozen=True, kw_only=True):
    """Begin to add up the sizes of what a snapshot holds. No file is opened, but with `compare` large ones of
    one size are read."""

    compare: bool = False

    def argv(self) -> tuple[str, ...]:
        return self._started("files", *(("--compare",) if self.compare else ()))

    def explained_by(self, said: str) -> Command | None:
        return self._why("files", said)


class MeasurementSaid(Command, frozen=True, kw_only=True):
    """The last line that such a unit's program wrote: why it refuses."""

    reads = True
    timeout_s = 20.0
    what: What
    run: RunId

    def argv(self) -> tuple[str, ...]:
        return last_line(unit_of(self.what, self.run))


class StopMeasuring(Command, frozen=True, kw_only=True):
    """Ask for the end and wait for it. What was measured by then stays in the report."""

    timeout_s = 60.0
    touches = frozenset()
    good_exits = (0, 5)  # 5: it has ended
    what: What
    run: RunId

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", unit_of(self.what, self.run))


class ReadMeasured(Command, frozen=True, kw_only=True):
    """The report of the last measurement of a dataset, as JSON; status 1 where there is none."""

    reads = True
    good_exits = (0, 1)
    what: What
    run: RunId

    def argv(self) -> tuple[str, ...]:
        return ("cat", f"{REPORTS}/{self.what}-{self.run}.json")


class ListMeasurements(Command, frozen=True, kw_only=True):
    """The units of measurements that go on now, as JSON."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "list-units", "--all", "--type=service", "--output=json", f"{UNITS}*")


Commands = MeasureCompression | ScanFiles | MeasurementSaid | StopMeasuring | ReadMeasured | ListMeasurements
