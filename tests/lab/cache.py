"""The lab's trees and images in the user's cache folder: whole or not there, and only the current ones."""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path


def cache_folder() -> Path:
    """The folder that holds the trees, the images and the SSH key; made when missing."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    folder = home / "nasweb" / "lab"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def lock() -> Iterator[None]:
    """One builder at a time."""
    with (cache_folder() / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def cached(name: str, fill: Callable[[Path], None]) -> Path:
    """The entry `name`; filled under another name first, so that a killed build leaves nothing half done."""
    entry = cache_folder() / name
    if not entry.exists():
        partial = cache_folder() / f"{name}.partial"
        fill(partial)
        partial.rename(entry)
    return entry


def prune(*, keep: Callable[[str], bool]) -> None:
    """Deletes the entries that `keep` does not want, and what killed builds left."""
    for folder in cache_folder().iterdir():
        wanted = keep(folder.name) and folder.suffix != ".partial"
        if folder.is_dir() and not wanted and not _is_booted(folder / "root.img"):
            shutil.rmtree(folder)


def digest(value: object) -> str:
    """A short name for a value that JSON can hold."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def digest_of_folder(folder: Path) -> str:
    """A short name for the files below a folder: their paths and contents."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    contents = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    return digest([[str(path.relative_to(folder)) for path in files], contents])


def _is_booted(disk: Path) -> bool:
    """Whether a machine holds its lock on the image: it may want to boot from it again."""
    if not disk.exists():
        return False
    with disk.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
