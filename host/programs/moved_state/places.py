"""Where everything lies: the files that say what is wanted, and the folders that are moved."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, get_args

from host.commands.system.moved_state import (
    FAILED,
    FOLDER,
    NOT_RETURNED,
    ORDER,
    PLACE,
    RETURN,
    TOLD,
    WANTED,
    Moved,
)

FOLDERS: tuple[Moved, ...] = get_args(Moved)
# In /var, but about what is in /usr and /boot: that stays with them, whichever /var is used.
KEPT = (
    "lib/dpkg", "lib/apt", "lib/dkms", "lib/ucf", "lib/pam", "lib/initramfs-tools", "lib/shim-signed",
    "lib/systemd/deb-systemd-helper-enabled",
)  # fmt: skip
COMPLETE = ".nasweb-complete"  # in a folder that has been brought back whole


class Places(NamedTuple):
    """All of them; a test has its own."""

    root: Path = Path("/")
    etc: Path = Path(FOLDER)
    run: Path = Path(TOLD).parents[1]

    @property
    def wanted(self) -> Path:
        """What shall be moved, while the first copy is made."""
        return self.etc / Path(WANTED).name

    @property
    def order(self) -> Path:
        """The same, once the next start shall move it."""
        return self.etc / Path(ORDER).name

    @property
    def failed(self) -> Path:
        """The same, with the reason, where that start could not."""
        return self.etc / Path(FAILED).name

    @property
    def place(self) -> Path:
        """Where the state lies since it was moved."""
        return self.etc / Path(PLACE).name

    @property
    def way_back(self) -> Path:
        """Exists where the next start shall bring the state back."""
        return self.etc / Path(RETURN).name

    @property
    def ran_here(self) -> Path:
        """Exists where a start since the move has worked with the own disk's folders."""
        return self.etc / "ran-here"

    @property
    def report(self) -> Path:
        """What this start did, and why; read by the console's probe."""
        return self.run / Path(TOLD).parent.name / Path(TOLD).name

    @property
    def not_returned(self) -> Path:
        """Why the way back failed at this start."""
        return self.report.with_name(Path(NOT_RETURNED).name)

    @property
    def own(self) -> Path:
        """The system's own file system, without what is mounted on it."""
        return self.run / "nasweb-root"

    @property
    def new(self) -> Path:
        """Both datasets, while they are written or read."""
        return self.run / "nasweb-new"

    def folder(self, name: Moved) -> Path:
        """/var or /home."""
        return self.root / name

    def beside(self, name: Moved) -> Path:
        """On the own disk beside it: the one that is brought back, and after the exchange the old one."""
        return self.root / f".nasweb-{name}"

    def markers(self, name: Moved) -> tuple[Path, Path]:
        """One of these exists where a folder has been brought back whole: in its place, or beside it."""
        return self.folder(name) / COMPLETE, self.beside(name) / COMPLETE
