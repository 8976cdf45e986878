"""What each compression would make of a dataset's files: a program in a unit of its own for each dataset."""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command, DatasetName, SnapshotTag
from host.commands.files import RELEASE, START_S
from host.compression.places import REPORTS

RunId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
RUNS = "nasweb-compression-"
RecordBytes = Literal[
    512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304,
    8388608, 16777216,
]  # fmt: skip


def run_of(dataset: str) -> str:
    """What the measurement of a dataset is called: there is one at a time."""
    return hashlib.sha256(dataset.encode()).hexdigest()[:16]


def run_unit(run: str) -> str:
    """The unit in which it runs."""
    return f"{RUNS}{run}.service"


class MeasureCompression(Command, frozen=True, kw_only=True):
    """Begin to compress a sample of what a snapshot holds, in memory. Its files are only read.

    It ends once the snapshot is mounted, where only the program sees it, and goes on in the background.
    """

    timeout_s = START_S
    touches = frozenset()
    run: RunId
    dataset: DatasetName
    tag: SnapshotTag
    record_bytes: RecordBytes
    ashift: Annotated[int, Meta(ge=9, le=16)]
    embeds: bool

    def argv(self) -> tuple[str, ...]:
        return (
            "systemd-run",
            f"--unit={run_unit(self.run)}",
            f"--description=Nasweb compression of {self.dataset}",
            "--collect",
            "--service-type=notify",
            f"--working-directory={RELEASE}",
            f"{RELEASE}/.venv/bin/python",
            "-m",
            "host.programs.compression.measure",
            f"--run={self.run}",
            f"--dataset={self.dataset}",
            f"--snapshot={self.tag}",
            f"--record={self.record_bytes}",
            f"--ashift={self.ashift}",
            *(("--embeds",) if self.embeds else ()),
        )

    def explained_by(self, said: str) -> Command | None:
        return CompressionUnitSaid(run=self.run) if said.startswith("Job for ") else None


class CompressionUnitSaid(Command, frozen=True, kw_only=True):
    """The last line that such a unit's program wrote: why it refuses."""

    reads = True
    timeout_s = 20.0
    run: RunId

    def argv(self) -> tuple[str, ...]:
        since, unit = f"--since=-{START_S:.0f}s", f"_SYSTEMD_UNIT={run_unit(self.run)}"
        return ("journalctl", "--quiet", "--output=cat", since, "--lines=1", unit)


class StopMeasuringCompression(Command, frozen=True, kw_only=True):
    """Ask for the end and wait for it. What was measured by then stays in the report."""

    timeout_s = 60.0
    touches = frozenset()
    good_exits = (0, 5)  # 5: it has ended
    run: RunId

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", run_unit(self.run))


class ReadMeasuredCompression(Command, frozen=True, kw_only=True):
    """The report of the last measurement of a dataset, as JSON; status 1 where there is none."""

    reads = True
    good_exits = (0, 1)
    run: RunId

    def argv(self) -> tuple[str, ...]:
        return ("cat", f"{REPORTS}/{self.run}.json")


class ListCompressionRuns(Command, frozen=True, kw_only=True):
    """The units of measurements that go on now, as JSON."""

    reads = True

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "list-units", "--all", "--type=service", "--output=json", f"{RUNS}*")


Commands = (
    MeasureCompression
    | CompressionUnitSaid
    | StopMeasuringCompression
    | ReadMeasuredCompression
    | ListCompressionRuns
)
