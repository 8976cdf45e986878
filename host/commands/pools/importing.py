"""Commands of zpool(8) that export, import and list pools.

Pools are always searched for in /dev/disk/by-id: that repairs one that was made with sdX or with links that
have vanished since. All of these read the labels of every disk, and so wake it: never in a periodic probe.
"""

from __future__ import annotations

from host.commands.base import Command, FolderPath, Guid, PoolName
from host.mountpoints import Zone, zone

_WHERE = ("-d", "/dev/disk/by-id")


class ZpoolExport(Command, frozen=True, kw_only=True):
    """Unmount everything of a pool and let its disks go. Fails, changing little, while a dataset is busy."""

    timeout_s = 300.0
    name: PoolName

    def was_read_from(self, said: str) -> bool:
        # As `zpool status` of a probe does. A folder that is in use is "cannot unmount" instead.
        return said.strip() == f"cannot export '{self.name}': pool is busy"

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "export", self.name)


class ZpoolImportable(Command, frozen=True, kw_only=True):
    """The pools on this machine's disks that are not imported, or those that were destroyed; as text.

    Nothing found is no failure on 2.3.9 (exit 0 and a line on stderr or stdout).
    """

    reads = True
    timeout_s = 300.0  # sleeping disks have to spin up
    destroyed: bool = False

    def argv(self) -> tuple[str, ...]:
        return ("zpool", "import", *_WHERE, *(("-D",) if self.destroyed else ()))


class ZpoolImport(Command, frozen=True, kw_only=True):
    """Import the pool with that guid, under another name if given, and mount nothing of it: `MountPool` does
    that, once it is known what the pool asks for.

    `force` takes a pool that another machine used last and did not export; `missing_log` goes on without a
    lost log device and what was in it; `rewind` gives up the last transactions (see `ZpoolImportLoss`);
    `to_checkpoint` gives up everything since the checkpoint; `altroot` puts all mountpoints below a folder,
    and the pool is then not imported again at the next start. Raises `ValueError` for a folder of the system.
    """

    timeout_s = 900.0
    guid: Guid
    new_name: PoolName | None = None
    readonly: bool = False
    missing_log: bool = False
    force: bool = False
    rewind: bool = False
    to_checkpoint: bool = False
    destroyed: bool = False
    altroot: FolderPath | None = None

    def __post_init__(self) -> None:
        if self.altroot is not None and zone(self.altroot) is not Zone.OPEN:
            raise ValueError(f"{self.altroot} is not below /mnt, /srv or /media.")

    def argv(self) -> tuple[str, ...]:
        words = ["zpool", "import", *_WHERE, "-N"]
        flags = {
            "-D": self.destroyed, "-f": self.force, "-m": self.missing_log, "-F": self.rewind,
            "--rewind-to-checkpoint": self.to_checkpoint,
        }  # fmt: skip
        words += [flag for flag, wanted in flags.items() if wanted]
        words += ["-R", self.altroot] if self.altroot is not None else []
        words += ["-o", "readonly=on"] if self.readonly else []
        return (*words, self.guid, *(() if self.new_name is None else (self.new_name,)))


class ZpoolImportLoss(Command, frozen=True, kw_only=True):
    """What a rewind would give up, without doing it: "Would discard approximately 12 seconds…".

    Status 1 with these words, or with none where ZFS finds no earlier state either. **A pool that needs no
    rewind is imported**, whatever `-n` may promise (seen on 2.3.9): so under a name of its own, for this
    time only, read-only, with nothing mounted and not remembered for the next start. Let it go again.
    """

    timeout_s = 900.0
    good_exits = (0, 1)
    guid: Guid
    force: bool = False

    @property
    def name(self) -> str:
        """What the pool is called if it is imported by this."""
        return f"look-{self.guid}"

    def argv(self) -> tuple[str, ...]:
        harmless = ("-N", "-o", "cachefile=none", "-o", "readonly=on")
        force = ("-f",) if self.force else ()
        return ("zpool", "import", *_WHERE, "-F", "-n", *harmless, *force, "-t", self.guid, self.name)


Commands = ZpoolExport | ZpoolImportable | ZpoolImport | ZpoolImportLoss
