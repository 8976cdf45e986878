"""Measures how fast a pool is, on a dataset that is there for nothing else.

`python -m host.programs.measuring.benchmark --run ID --pool NAME --profile NAME …`. It says READY=1 once its
dataset is mounted: until then to end with 3 is to refuse, and why is one line on its stderr. The dataset is
destroyed at its end, however it comes; what a power cut leaves is destroyed by the console, or by the next.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, cast, get_args

from host import local
from host.base import CommandFailed, Host
from host.benchmark.load import LoadMeter
from host.benchmark.running import Device, Running
from host.benchmark.values import Benchmark, Profile
from host.commands.pools.benchmark import CreateBenchmarkDataset, RemoveBenchmarkDataset, dataset_of
from host.files.copying import words_of
from host.kernel.files import KernelFiles, LocalKernelFiles
from host.local import LocalHost
from host.measuring.pausing import Asked
from host.measuring.places import REPORTS
from host.programs.measuring.snapshot import resilvers
from host.programs.report import Report
from host.programs.rights import refuse
from host.programs.signals import Stop, ready
from host.system.following import Follow
from host.system.mounts import HARMLESS, leave_alone, mount, unmount

_MESSAGES = 300


class Machine(NamedTuple):
    """What it finds there."""

    host: Host
    shown: Callable[[str, Path], AbstractContextManager[None]]  # a dataset, mounted for it alone
    device: Callable[[str], Device]  # what a disk's link leads to; raises OSError
    files: KernelFiles
    follow: Follow
    stop: Asked
    say_ready: Callable[[], None]
    busy: Callable[[str], bool]


def device_of(link: str) -> Device:
    """The block device behind a link, and its size. Raises `OSError`."""
    path = Path(link).resolve(strict=True)
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return Device(str(path), os.lseek(descriptor, 0, os.SEEK_END))
    finally:
        os.close(descriptor)


@contextmanager
def shown(dataset: str, at: Path) -> Iterator[None]:
    """Mount `dataset` for this process and those that it starts. Raises `OSError`."""
    leave_alone()
    at.mkdir(mode=0o700)
    mount(dataset.encode(), at, b"zfs", HARMLESS)
    try:
        yield
    finally:
        unmount(at)


def real() -> Machine:
    """The machine that it runs on."""
    return Machine(
        host=LocalHost(), shown=shown, device=device_of, files=LocalKernelFiles(), follow=local.follow,
        stop=Stop(), say_ready=ready, busy=resilvers,
    )  # fmt: skip


def main(arguments: list[str] | None = None, machine: Machine | None = None) -> int:
    """The exit status."""
    asked, here = _parser().parse_args(arguments), machine or real()
    create = CreateBenchmarkDataset(pool=asked.pool, record_bytes=asked.record, compression=asked.compression)
    try:
        devices = {link: here.device(link) for link in asked.disk}
        here.host.run(RemoveBenchmarkDataset(pool=asked.pool))
        here.host.run(create)
        with TemporaryDirectory(prefix="nasweb-benchmark-") as folder:
            _measure(asked, here, devices, Path(folder) / "files")
    except CommandFailed as error:
        return refuse(_first_line(error))
    except OSError as error:
        return refuse(words_of(error))
    return 0


def _measure(asked: argparse.Namespace, here: Machine, devices: dict[str, Device], folder: Path) -> None:
    report, verdict = None, ("failed", "It could not go on.")
    try:
        with here.shown(dataset_of(asked.pool), folder):
            report = Report(
                asked.reports / f"benchmark-{asked.run}.json",
                lambda moment: _begin(asked, moment),
                clock=time.monotonic,
            )
            here.say_ready()
            names = {link: Path(device.path).name for link, device in devices.items()}
            verdict = Running(
                report, devices, str(folder), follow=here.follow, meter=LoadMeter(here.files, names),
                clock=time.monotonic, stop=here.stop, busy=lambda: here.busy(asked.pool),
            ).carry_out()  # fmt: skip
            report.note(phase="removing", left_s=None)
    finally:
        if (left := _left(here.host, asked.pool)) is not None:
            said = verdict[1].removesuffix(".")
            verdict = "failed", f"{said}. {left}" if said else left
        if report is not None:
            report.note(phase="done", doing="", left_s=None)
            report.close(*verdict)


def _left(host: Host, pool: str) -> str | None:
    """Destroys the dataset; why it is still there, if it is. The console tries that again."""
    try:
        host.run(RemoveBenchmarkDataset(pool=pool))
    except CommandFailed as error:
        return f"{dataset_of(pool)} is still there: {_first_line(error)}"
    return None


def _first_line(error: CommandFailed) -> str:
    said = error.result.stderr.strip() or str(error)
    return said.partition("\n")[0][:_MESSAGES]


def _begin(asked: argparse.Namespace, moment: str) -> Benchmark:
    return Benchmark(
        run=asked.run, pool=asked.pool, profile=cast("Profile", asked.profile), record_bytes=asked.record,
        compression=asked.compression, clients=asked.clients, size_bytes=asked.size, started_at=moment,
        updated_at=moment,
    )  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="python -m host.programs.measuring.benchmark", description=__doc__)
    found.add_argument("--run", required=True, help="what the run and its report are called")
    found.add_argument("--pool", required=True, help="which pool is measured")
    found.add_argument("--profile", required=True, choices=get_args(Profile), help="what is done")
    found.add_argument("--record", required=True, type=int, help="the record size in bytes")
    found.add_argument("--compression", required=True, help="of the dataset")
    found.add_argument("--clients", required=True, type=int, help="how many streams at once")
    found.add_argument("--size", required=True, type=int, help="how large its files are together, in bytes")
    found.add_argument("--disk", action="append", default=[], help="a disk that is read alone first")
    found.add_argument("--reports", type=Path, default=Path(REPORTS), help="the folder of reports")
    return found


if __name__ == "__main__":
    raise SystemExit(main())
