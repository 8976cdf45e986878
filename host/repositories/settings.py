"""Where a repository is. The same rules hold at the edge, in the helper and in the program that uses it."""

from __future__ import annotations

import base64
import hashlib
from binascii import Error
from typing import Annotated

import msgspec
from msgspec import Meta

from host.addresses import UNKNOWN, Own, Problem, problem_of_host
from host.connections.authority import MOST, authority_fault
from host.mountpoints import Zone, path_fault, zone

_PART = r"(?!\.{1,2}(?:/|\Z))[A-Za-z0-9_.+@~\-]+"
HostName = Annotated[
    str,
    Meta(
        pattern=r"\A(?:[A-Za-z0-9_](?:[A-Za-z0-9_.\-]{0,251}[A-Za-z0-9_])?\.?|[0-9A-Fa-f:]{2,45})\Z",
        description="the name of a server, such as backup.example.org, or its address",
    ),
]
Port = Annotated[int, Meta(ge=1, le=65535)]
# Letters that mean the same in an address, to a shell and to restic.
RemotePath = Annotated[
    str,
    Meta(
        pattern=rf"\A/?{_PART}(?:/{_PART})*\Z", max_length=500,
        description="a path of letters, digits and . _ - + @ ~ between slashes",
    ),
]  # fmt: skip
Below = Annotated[
    str,
    Meta(
        pattern=rf"\A(?:{_PART}(?:/{_PART})*)?\Z", max_length=500,
        description="a path of letters, digits and . _ - + @ ~ between slashes, without one before it",
    ),
]  # fmt: skip
LoginName = Annotated[
    str,
    Meta(pattern=r"\A[A-Za-z_][A-Za-z0-9_.\-]{0,31}\Z", description="the name of an account on the server"),
]
HostKey = Annotated[
    str,
    Meta(
        pattern=r"\A(?:ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa) [A-Za-z0-9+/]{40,1500}={0,2}\Z",
        description="the server's public key: its kind, a space and base64",
    ),
]
Bucket = Annotated[
    str,
    Meta(pattern=r"\A[a-z0-9][a-z0-9.\-]{1,61}[a-z0-9]\Z", description="the name of a bucket"),
]
_Word = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_.\-]{1,64}\Z", description="a word")]
_AccessKey = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_.+/=\-]{1,128}\Z", description="the key's id")]
# Who signs the server's certificate, as PEM; empty: an authority that the system trusts.
Authority = Annotated[str, Meta(max_length=MOST)]
_RestUser = Annotated[
    str, Meta(pattern=r"\A[A-Za-z0-9_.@+\-]{1,64}\Z", description="the name of an account on the server")
]
_NOT_HERE: dict[Problem, str] = {
    "itself": "This leads to the NAS itself, and what lies here goes with it. Name another machine, or a "
    "folder on a disk that you unplug.",
    "link-local": "Link-local addresses mean something different on each network port. Use another one.",
    "no-name": "Enter the name of a server, such as backup.example.org, or its address.",
    "not-one": "This is not the address of one server.",
}


class LocalFolder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A folder of a mounted dataset or of a disk that is mounted below /mnt, /media or /srv."""

    path: Annotated[str, Meta(min_length=2, max_length=1023)]  # held to `folder_fault`


class SftpServer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Any machine with SSH. `path` without a slash before it begins in the home folder of `user`."""

    host: HostName
    user: LoginName
    path: RemotePath
    host_key: HostKey
    port: Port = 22


class RestServer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A machine with rest-server. `user` has a password, which is the repository's `key`."""

    host: HostName
    port: Port = 8000
    path: Below = ""
    user: _RestUser | None = None
    tls: bool = True
    authority: Authority = ""


class S3Storage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bucket of storage that speaks S3. The secret access key is the repository's `key`."""

    host: HostName
    bucket: Bucket
    access_key: _AccessKey
    port: Port = 443
    prefix: Below = ""
    region: _Word | None = None
    tls: bool = True
    authority: Authority = ""


type Server = SftpServer | RestServer | S3Storage


class RepositorySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Exactly one place. Raises ValueError for others, and for a place that no repository may be at."""

    local: LocalFolder | None = None
    sftp: SftpServer | None = None
    rest: RestServer | None = None
    s3: S3Storage | None = None

    def __post_init__(self) -> None:
        given = [one for one in (self.local, self.sftp, self.rest, self.s3) if one is not None]
        if len(given) != 1:
            raise ValueError("Give one place: local, sftp, rest or s3")
        if self.local is not None and (why := folder_fault(self.local.path)):
            raise ValueError(why)
        if self.server is not None and (why := server_fault(self.server)):
            raise ValueError(why)
        if self.authority and (fault := authority_fault(self.authority)):
            raise ValueError(fault)

    @property
    def server(self) -> Server | None:
        """The machine that it is on; None for a folder of this one."""
        return self.sftp or self.rest or self.s3

    @property
    def authority(self) -> str:
        """Who signs the server's certificate, as PEM; empty where the system knows."""
        return self._web.authority if self._web is not None else ""

    @property
    def tls_at(self) -> tuple[str, int] | None:
        """Where a certificate is shown: the server's name and port."""
        web = self._web
        return (web.host, web.port) if web is not None and web.tls else None

    @property
    def _web(self) -> RestServer | S3Storage | None:
        return self.rest or self.s3

    @property
    def kind(self) -> str:
        """`local`, `sftp`, `rest` or `s3`."""
        return next(name for name in ("local", "sftp", "rest", "s3") if getattr(self, name) is not None)

    @property
    def needs_key(self) -> bool:
        """Whether there is a secret beside the repository's password."""
        return self.s3 is not None or (self.rest is not None and self.rest.user is not None)

    @property
    def location(self) -> str:
        """As people write it and restic takes it, without any secret. Our own program opens folders."""
        if self.local is not None:
            return self.local.path
        if self.sftp is not None:
            return f"sftp://{self.sftp.user}@{_at(self.sftp.host, self.sftp.port)}/{self.sftp.path}"
        if self.rest is not None:
            path = f"{self.rest.path}/" if self.rest.path else ""
            return f"rest:{_scheme(self.rest.tls)}://{_at(self.rest.host, self.rest.port)}/{path}"
        if self.s3 is None:
            raise ValueError("There is no place")
        below = f"/{self.s3.prefix}" if self.s3.prefix else ""
        return f"s3:{_scheme(self.s3.tls)}://{_at(self.s3.host, self.s3.port)}/{self.s3.bucket}{below}"


def folder_fault(path: str) -> str:
    """Why no repository may be in that folder of this machine; empty where one may."""
    if fault := path_fault(path):
        return fault.replace("A mount point", "A folder")
    if zone(path) is Zone.SYSTEM:
        return f"{path} belongs to the system. Choose a folder of a dataset or of a disk below /mnt."
    return ""


def server_fault(server: Server, own: Own = UNKNOWN) -> str:
    """Why no repository may be there; empty where one may."""
    problem = problem_of_host(server.host, own)
    if problem:
        return _NOT_HERE[problem]
    if isinstance(server, SftpServer) and fingerprint(server.host_key) is None:
        return "The server's key is no base64."
    return ""


def not_here(problem: Problem) -> str:
    """That problem in words."""
    return _NOT_HERE[problem]


def fingerprint(host_key: str) -> str | None:
    """`SHA256:…` of a public key, as ssh shows it; None where it is none."""
    try:
        data = base64.b64decode(host_key.partition(" ")[2], validate=True)
    except (Error, ValueError):
        return None
    return f"SHA256:{base64.b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')}"


def known_hosts(server: SftpServer) -> str:
    """The one line of the file that ssh compares with: sshd(8), SSH_KNOWN_HOSTS FILE FORMAT."""
    name = server.host if server.port == 22 else f"[{server.host}]:{server.port}"
    return f"{name} {server.host_key}\n"


def _scheme(tls: bool) -> str:
    return "https" if tls else "http"


def _at(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
