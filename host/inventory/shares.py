"""What is shared, as plans and pages see it; kept in the database and filled in by `shares`.

The database is the truth here, the other way round than for pools: the files are rendered from these values.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Purpose = Literal["general", "homes", "time-machine", "public", "drop-box", "media"]
Guests = Literal["no", "read", "write"]
Encryption = Literal["off", "offered", "required"]
Squash = Literal["root", "all", "none"]
Security = Literal["sys", "krb5", "krb5i", "krb5p"]
SharingFile = Literal["samba", "exports", "nfs", "avahi"]
SharingService = Literal["smbd", "nfs-server", "wsdd2", "avahi-daemon"]


class SmbShare(msgspec.Struct, frozen=True, kw_only=True):
    """A share of SMB: the file system `guid`, which is called `dataset` unless it was renamed in a shell.

    `read` and `write` name people, and groups with a leading @ (`@nasweb-people` is everybody who has an
    account); who may write may read. Where guests may do something, so may everybody else.
    """

    id: int
    name: str
    guid: str
    dataset: str
    purpose: Purpose = "general"
    comment: str = ""
    enabled: bool = True
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    guests: Guests = "no"
    hidden: bool = False
    previous_versions: bool = True
    recycle_bin: bool = False
    audit: bool = False
    macos: bool = True
    case_sensitive: bool = False
    encryption: Encryption = "offered"
    most_bytes: int | None = None  # of a Time Machine: the space that is reported to Macs
    extra: dict[str, str] = {}  # parameters of `host.contents.smb_parameters.ALLOWED`


class NfsClient(msgspec.Struct, frozen=True, kw_only=True):
    """Who may mount an export, and how. `host` is a name, an address, a network (10.0.0.0/8) or *."""

    host: str
    read_only: bool = False
    squash: Squash = "root"
    security: tuple[Security, ...] = ("sys",)


class NfsShare(msgspec.Struct, frozen=True, kw_only=True):
    """An export of NFS; `below` exports the mounted file systems below it too, else they appear empty."""

    id: int
    guid: str
    dataset: str
    enabled: bool = True
    clients: tuple[NfsClient, ...] = ()
    below: bool = True


class SharingSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for all shares."""

    workgroup: str = "WORKGROUP"
    name: str = ""  # of the machine in SMB; empty: the first 15 characters of its host name
    smb2: bool = False  # allow SMB 2 beside SMB 3, for old clients; SMB 1 never
    signing: bool = False  # require it; SMB 3 offers it anyway
    interfaces: tuple[str, ...] = ()  # names or addresses that SMB answers on; none: all
    nfs3: bool = False  # serve NFS 3 beside 4


class Sharing(msgspec.Struct, frozen=True, kw_only=True):
    """All of it."""

    smb: tuple[SmbShare, ...] = ()
    nfs: tuple[NfsShare, ...] = ()
    settings: SharingSettings = SharingSettings()

    def smb_share(self, name: str) -> SmbShare | None:
        """The share of that name, whose case does not matter."""
        return next((one for one in self.smb if one.name.casefold() == name.casefold()), None)

    def nfs_share(self, share_id: int) -> NfsShare | None:
        """The export of that number."""
        return next((one for one in self.nfs if one.id == share_id), None)

    def in_drop_box(self, dataset: str) -> bool:
        """Whether what somebody puts into that dataset is theirs alone."""
        boxes = (one.dataset for one in self.smb if one.purpose == "drop-box")
        return any(f"{dataset}/".startswith(f"{box}/") for box in boxes)


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """What the machine says of it: our files as they are now, Debian's own smb.conf, and the services."""

    files: dict[SharingFile, str] = {}  # one that is missing or empty is left out
    smb_conf: str = ""
    services: dict[SharingService, str] = {}  # active, inactive, failed, activating…
    exported: tuple[str, ...] = ()  # paths that the NFS server serves now
