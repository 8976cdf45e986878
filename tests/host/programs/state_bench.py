"""A machine of folders: its own disk, a pool, and what is mounted, for the program that moves /var and /home.

Mounts are links to the folder that is seen there; what they hide waits elsewhere. The power can go before any
step that changes something, or in the middle of one that is not done at once; a start begins without mounts
and with an empty /run, as a real one does.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from host.base import Result, check
from host.commands.base import Command
from host.commands.system.state_program import (
    BindFolder,
    ExchangeFolders,
    FindDataset,
    ImportedPools,
    Mirror,
    MountDataset,
    RemoveFolders,
    Unmount,
)
from host.commands.system.syncing import SyncFileSystem
from host.programs.mount_pools import Mount
from host.programs.moved_state.__main__ import main
from host.programs.moved_state.disk import Disk
from host.programs.moved_state.places import KEPT, Places

GUID = "1311768467463790320"
NOW = datetime(2026, 11, 24, 3, 4, 5, tzinfo=UTC)
WANTED = f"pool=tank\nguid={GUID}\nwhat=var home\n"
PLACE = f"{WANTED}since=2026-11-02T03:04:05Z\n"
DPKG = "lib/dpkg/status"  # of what stays on the own disk


class PowerCut(BaseException):
    """Nothing more is done until the next start."""


class Machine:
    """One that has /var and /home, and may have a pool with datasets for both."""

    kind = "local"

    def __init__(self, folder: Path) -> None:
        self.base = folder
        root = folder / "root"
        self.places = Places(root=root, etc=root / "etc/nasweb/state", run=root / "run")
        self.pool = folder / "pool"
        self.health, self.read_only, self.guid = "ONLINE", "off", GUID
        self.pool_missing = False
        self.steps: list[str] = []
        self.said: list[str] = []
        self.status: int | None = None
        self.cut_before: int | None = None  # the number of a step
        self.cut_at: str | None = None  # how a step begins
        self.halfway = False  # rather than before it, in its middle
        self.off = False
        self.fails: dict[str, Result] = {}  # steps by how they begin
        self.fails_once: dict[str, Result] = {}
        self._mounts: list[tuple[Mount, Path]] = []
        self._hidden = 0
        for path in (self.places.etc, self.places.run, root / "home", self.pool / "var", self.pool / "home"):
            path.mkdir(parents=True)
        put(root / "var", {"log/a": "own", "lib/db": "own", "lib/dpkg/status": "own", "lib/apt/lists": "own"})
        put(root / "home", {"note": "own", "more": "own"})

    # What the program is given.

    def run(self, command: Command) -> Result:
        self.step(" ".join(command.argv()), changes=not command.reads)
        known = self.fails | self.fails_once
        begin = next((one for one in known if self.steps[-1].startswith(one)), None)
        if begin is not None:
            self.fails_once.pop(begin, None)
        return check(command, self._answer(command) if begin is None else known[begin])

    def mounts(self) -> tuple[Mount, ...]:
        return tuple(mount for mount, _ in self._mounts)

    def step(self, words: str, *, changes: bool = True) -> None:
        """Something is about to be done."""
        if self.off:
            raise PowerCut
        self.steps.append(words.replace(f"{self.places.root}/", "/").replace(str(self.places.root), "/"))
        if self.cut_at is not None and self.steps[-1].startswith(self.cut_at):
            self.cut()
        if changes and self.cut_before is not None:
            self.cut_before -= 1
            # In the middle of it where it has one; the others are done at once.
            if self.cut_before < 0 and not (self.halfway and words.startswith(("rsync", "rm "))):
                self.cut()

    def cut(self) -> None:
        self.off = True
        raise PowerCut

    def start_program(self, *arguments: str) -> int:
        self.steps, self.said = [], []
        return main(
            list(arguments),
            host=self,
            places=self.places,
            disk=CountedDisk(self),
            mounts=self.mounts,
            now=lambda: NOW,
            say=self.said.append,
        )

    # What happens to it.

    def restart(self) -> None:
        """The start of the machine, as its units have it; `cut_before` counts from its beginning."""
        while self._mounts:
            self._unmount(Path(self._mounts[-1][0].place))
        shutil.rmtree(self.places.run)
        self.places.run.mkdir()
        self.off, self.steps, self.said = False, [], []
        steps: list[str] = []
        said: list[str] = []
        try:
            if self.places.order.exists() or self.places.way_back.exists():
                self.status = self.start_program("move")
                steps, said = self.steps, self.said
            if self.places.place.exists():
                self.status = self.start_program("start")
                self.steps, self.said = steps + self.steps, said + self.said
        finally:
            self.cut_before = self.cut_at = None

    def restart_cut(self, before: int | None = None, *, halfway: bool = False, at: str | None = None) -> bool:
        """A start with a power cut at a step, by its number or its words, and whether it came to that."""
        self.cut_before, self.halfway, self.cut_at = before, halfway, at
        with suppress(PowerCut):
            self.restart()
        return self.off

    def want(self, text: str = WANTED) -> None:
        self.places.wanted.write_text(text)

    def have_moved(self) -> None:
        """On the pool since some time: what is there is newer, and the own disk has what it had then."""
        put(self.pool / "var", {"log/a": "pool", "lib/db": "own", "lib/new": "pool"})
        for kept in ("lib/dpkg", "lib/apt"):
            (self.pool / "var" / kept).mkdir(parents=True)
        put(self.pool / "home", {"note": "pool", "more": "own"})
        same(self.places.root / "var/lib/db", self.pool / "var/lib/db")
        same(self.places.root / "home/more", self.pool / "home/more")
        self.places.place.write_text(PLACE)

    def files(self, folder: str) -> dict[str, str]:
        """What anybody sees below a folder of this machine."""
        return tree(self.places.root / folder)

    def report(self) -> dict[str, str]:
        """The report's values; empty without one."""
        if not self.places.report.exists():
            return {}
        return dict(line.split("=", 1) for line in self.places.report.read_text().splitlines())

    def orders(self) -> set[str]:
        """The files that say what is wanted."""
        return {path.name for path in self.places.etc.iterdir()}

    def beside(self) -> set[str]:
        """What lies in the root folder besides what a system has there."""
        return {path.name for path in self.places.root.iterdir()} - {"var", "home", "etc", "run"}

    def seen(self) -> dict[str, str]:
        """What is mounted where."""
        return {one.place.removeprefix(str(self.places.root)): one.source for one in self.mounts()}

    # How its programs answer.

    def _answer(self, command: Command) -> Result:
        match command:
            case ImportedPools():
                row = f"{self.guid}\t{self.health}\t{self.read_only}\ttank\n"
                return Result(exit=0, stdout=f"1\tONLINE\toff\tother\n{'' if self.pool_missing else row}")
            case FindDataset(name=name):
                exists = self.dataset(name).is_dir()
                return Result(exit=0 if exists else 1, stderr="" if exists else "dataset does not exist\n")
            case MountDataset(name=name, folder=folder):
                return self._mount(self.dataset(name), Path(folder), "zfs", name)
            case BindFolder(source=source, folder=folder) if Path(source) == self.places.root:
                return self._mount(self._own(), Path(folder), "ext4", "/dev/md/root")
            case BindFolder(source=source, folder=folder):
                return self._mount(Path(source).resolve(), Path(folder), "ext4", "/dev/md/root")
            case Unmount(folder=folder):
                self._unmount(Path(folder))
            case Mirror():
                self._mirror(command)
            case ExchangeFolders(one=one, other=other):
                assert (Path(one) / ".nasweb-complete").exists()
                between = self.base / "between"
                Path(one).rename(between)
                Path(other).rename(one)
                between.rename(other)
            case RemoveFolders(folders=folders):
                self._remove(folders)
            case SyncFileSystem():
                pass
            case _:
                raise AssertionError(command)
        return Result(exit=0)

    def dataset(self, name: str) -> Path:
        pool, parent, folder = name.split("/")
        assert (pool, parent) == ("tank", ".nasweb-state")
        return self.pool / folder

    def _own(self) -> Path:
        """The root file system as it is below all mounts: for a folder that is hidden, what hides there."""
        view = self.base / "own"
        shutil.rmtree(view, ignore_errors=True)
        view.mkdir()
        for name in ("var", "home"):
            (view / name).symlink_to(self.places.root / name)
        return view

    def _mount(self, shown: Path, at: Path, kind: str, source: str) -> Result:
        if not at.is_dir():
            return Result(exit=32, stderr=f"mount: {at}: mount point does not exist.\n")
        self._hidden += 1
        hidden = self.base / f"hidden-{self._hidden}"
        at.rename(hidden)
        at.symlink_to(shown)
        self._mounts.append((Mount(str(at), kind, source), hidden))
        if at.parent == self.places.root and (link := self.base / "own" / at.name).is_symlink():
            link.unlink()
            link.symlink_to(hidden)
        return Result(exit=0)

    def _unmount(self, at: Path) -> None:
        found = next(one for one in reversed(self._mounts) if one[0].place == str(at))
        self._mounts.remove(found)
        at.unlink()
        found[1].rename(at)

    def _mirror(self, command: Mirror) -> None:
        """rsync, as far as it matters: without `checksum` what has size and time of the other is the same."""
        source, target = Path(command.source), Path(command.target)
        assert source.is_dir()
        assert target.is_dir()
        wanted = {path for path in walk(source) if not within(path, command.leave_out)}
        for number, path in enumerate(sorted(wanted)):
            if self.cut_before is not None and self.cut_before < 0 and number >= len(wanted) // 2:
                self.cut()
            one, other = source / path, target / path
            if one.is_dir():
                other.mkdir(exist_ok=True)
            elif not equal(one, other, by_bytes=command.checksum):
                other.unlink(missing_ok=True)
                known = None if command.link_dest is None else Path(command.link_dest) / path
                if known is not None and equal(one, known, by_bytes=False):
                    os.link(known, other)
                else:
                    shutil.copy2(one, other)
        if self.cut_before is not None and self.cut_before < 0:
            self.cut()  # before anything is deleted
        if command.delete:
            for path in sorted(set(walk(target)) - wanted, reverse=True):
                if within(path, command.leave_out):
                    continue
                if (target / path).is_dir():
                    with suppress(OSError):  # what was left out is in it
                        (target / path).rmdir()
                else:
                    (target / path).unlink()

    def _remove(self, folders: Iterable[str]) -> None:
        halfway = self.cut_before is not None and self.cut_before < 0
        paths = [Path(folder) / path for folder in folders for path in walk(Path(folder))]
        if halfway:
            for path in [path for path in paths if path.is_file()][::2]:
                path.unlink()
            self.cut()
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


class CountedDisk(Disk):
    """The real one, but for the waiting; each step may be the one at which the power goes."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def make_folder(self, path: Path) -> None:
        self._machine.step(f"mkdir {path}")
        super().make_folder(path)

    def write(self, path: Path, content: bytes = b"") -> None:
        self._machine.step(f"write {path}")
        super().write(path, content)

    def append(self, path: Path, content: bytes) -> None:
        self._machine.step(f"append {path}")
        super().append(path, content)

    def rename(self, old: Path, new: Path) -> None:
        self._machine.step(f"rename {old} {new}")
        super().rename(old, new)

    def remove(self, *paths: Path) -> None:
        for path in paths:
            if path.exists():
                self._machine.step(f"remove {path}")
                super().remove(path)

    def sync_file(self, path: Path) -> None:
        self._machine.step(f"fsync {path}")

    def sync(self) -> None:
        self._machine.step("sync")


def put(folder: Path, files: dict[str, str]) -> None:
    """Write these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def same(one: Path, other: Path) -> None:
    """Let the second file have the time of the first one, as a copy has."""
    os.utime(other, ns=(one.stat().st_atime_ns, one.stat().st_mtime_ns))


def walk(folder: Path) -> Iterator[str]:
    """What is in a folder and in those in it; not what is mounted there."""
    if folder.is_dir():
        for path in sorted(folder.iterdir()):
            yield path.name
            if not path.is_symlink():
                yield from (f"{path.name}/{below}" for below in walk(path))


def tree(folder: Path) -> dict[str, str]:
    """The files below a folder, with those that are mounted there."""
    found: dict[str, str] = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.is_dir():
            found |= {f"{path.name}/{name}": text for name, text in tree(path).items()}
        else:
            found[path.name] = path.read_text()
    return found


def within(path: str, folders: tuple[str, ...]) -> bool:
    return any(path == one or path.startswith(f"{one}/") for one in folders)


def equal(one: Path, other: Path, *, by_bytes: bool) -> bool:
    """Whether rsync takes one file for the other."""
    if not other.is_file() or one.stat().st_size != other.stat().st_size:
        return False
    if by_bytes:
        return one.read_bytes() == other.read_bytes()
    return one.stat().st_mtime_ns == other.stat().st_mtime_ns


def without_kept(files: dict[str, str]) -> dict[str, str]:
    """Without what stays on the own disk."""
    return {name: text for name, text in files.items() if not within(name, KEPT)}


def each_cut(
    make: Callable[[str], Machine], act: Callable[[Machine], object]
) -> Iterator[tuple[str, Machine]]:
    """A new machine for each step at which the power can go in what `act` does, cut off there."""
    for halfway in (False, True):
        number = 0
        while True:
            machine = make(f"{'in' if halfway else 'before'}-{number}")
            machine.cut_before, machine.halfway = number, halfway
            with suppress(PowerCut):
                act(machine)
            if not machine.off:
                break
            machine.cut_before = None
            yield machine.steps[-1], machine
            number += 1
        assert number > 5
