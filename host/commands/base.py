"""What every command has, and the patterns its fields are held to."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

# A pool starts with a letter (man zpool-create); a space inside is legal in pools made elsewhere.
_POOL = r"[A-Za-z][A-Za-z0-9_.:\-]*(?: +[A-Za-z0-9_.:\-]+)*"
_COMPONENT = r"(?!\.{1,2}(?:/|@|\Z))[A-Za-z0-9_.:\-]+(?: +[A-Za-z0-9_.:\-]+)*"

PoolName = Annotated[str, Meta(pattern=rf"\A{_POOL}\Z", max_length=255)]
DatasetName = Annotated[str, Meta(pattern=rf"\A{_POOL}(?:/{_COMPONENT})*\Z", max_length=255)]
SnapshotTag = Annotated[str, Meta(pattern=rf"\A{_COMPONENT}\Z", max_length=255)]
SnapshotName = Annotated[str, Meta(pattern=rf"\A{_POOL}(?:/{_COMPONENT})*@{_COMPONENT}\Z", max_length=255)]
DiskLink = Annotated[str, Meta(pattern=r"\A/dev/disk/by-id/[A-Za-z0-9_.:+=@#\-]+\Z", max_length=255)]
PropertyName = Annotated[str, Meta(pattern=r"\A[a-z0-9][a-z0-9_.:@\-]*\Z", max_length=255)]
PropertyValue = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f]*\Z", max_length=8191)]
MountPoint = Annotated[
    str, Meta(pattern=r"\A(?:none|legacy|(?:/(?!\.{1,2}(?:/|\Z))[^/\x00-\x1f\x7f]+)+)\Z", max_length=1023)
]


class Command(msgspec.Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True):
    """One thing the machine can be asked to do. Subclasses are closed in `host.commands.AnyCommand`.

    `timeout_s` is the wall time in seconds after which its process group is killed;
    `good_exits` the exit statuses that count as success; `reads` is true where nothing changes.
    """

    timeout_s: ClassVar[float] = 60.0
    good_exits: ClassVar[tuple[int, ...]] = (0,)
    reads: ClassVar[bool] = False

    def argv(self) -> tuple[str, ...]:
        """The program and its arguments: exactly what is run."""
        raise TypeError(f"{type(self).__name__} does not say what to run")

    def input(self) -> str:
        """What is fed to its standard input. It is shown and stored like the arguments: never a secret."""
        return ""

    def explained_by(self, said: str) -> Command | None:
        """A read that tells why this failed with `said` on its stderr, where another program knows that."""
        return None

    def shown(self) -> tuple[str, ...]:
        """What would be typed: `argv()`, and its input as a here-string (`tee FILE <<< 1`)."""
        text = self.input()
        return (*self.argv(), "<<<", text.removesuffix("\n")) if text else self.argv()


def options(flag: str, properties: dict[str, str]) -> tuple[str, ...]:
    """`{"ashift": "12"}` → `("-o", "ashift=12")`, sorted by name so that equal requests print equally."""
    return tuple(word for name in sorted(properties) for word in (flag, f"{name}={properties[name]}"))
