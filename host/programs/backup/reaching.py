"""The way to a repository: its settings, the folder or the server, and what restic is given for it."""

from __future__ import annotations

import os
import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from host import typed
from host.addresses import problem_of_address
from host.mountpoints import Zone, zone
from host.repositories.places import (
    AUTHORITY,
    CACHE,
    KEPT,
    KEY,
    KNOWN_HOSTS,
    PASSWORD,
    SETTINGS,
    SSH_KEY,
    WORKSHOP,
)
from host.repositories.settings import (
    RepositorySettings,
    S3Storage,
    Server,
    SftpServer,
    known_hosts,
    not_here,
)
from host.repositories.words import RepositoryProblem, place_of, problem
from host.system import mounts

_HOLD = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OCTAL = re.compile(rb"\\([0-7]{3})")
_ANSWERS_S = 15.0
_settings = msgspec.json.Decoder(RepositorySettings)


class Folders(NamedTuple):
    """Where everything lies; others in tests."""

    kept: Path = Path(KEPT)
    cache: Path = Path(CACHE)
    workshop: Path = Path(WORKSHOP)


class Reached(NamedTuple):
    """What restic is given to find and open a repository. Secrets are in files and in `environment`."""

    settings: RepositorySettings
    arguments: tuple[str, ...]
    environment: dict[str, str]
    folder: Path | None  # where a local one lies, as seen from here

    @property
    def place(self) -> str:
        """As sentences name it."""
        return place_of(self.settings)


def settings_of(repository: str, folders: Folders) -> RepositorySettings:
    """Raises `RepositoryProblem`."""
    try:
        return typed.decode_by(_settings, (folders.kept / repository / SETTINGS).read_bytes())
    except (OSError, msgspec.DecodeError):
        raise RepositoryProblem(
            "other", "This machine does not know the repository (any more). Remove it and import it again."
        ) from None


@contextmanager
def reached(repository: str, folders: Folders, *, make: bool = False) -> Iterator[Reached]:
    """The way there, for as long as it is needed; `make`: a local folder that is missing. Raises
    `RepositoryProblem`, `OSError`."""
    settings = settings_of(repository, folders)
    kept = folders.kept / repository
    common: tuple[str, ...] = (
        f"--password-file={kept / PASSWORD}",
        f"--cache-dir={folders.cache / repository}",
        "--json",
    )
    folders.workshop.mkdir(mode=0o700, parents=True, exist_ok=True)
    if settings.local is not None:
        at = folders.workshop / "repository"
        with _shown(settings.local.path, at, make=make):
            yield Reached(settings, (f"--repo={at}", *common), {}, at)
        return
    server = settings.server
    if server is None:
        raise RepositoryProblem("other", "The repository has no place.")
    knock(server)
    if settings.tls_at is not None:
        check_certificate(*settings.tls_at, settings.authority)
    given: tuple[str, ...] = (f"--repo={settings.location}", *common)
    if isinstance(server, SftpServer):
        hosts = folders.workshop / f"{repository}-{KNOWN_HOSTS}"
        hosts.write_text(known_hosts(server))
        given = (*given, f"--option=sftp.command={ssh(server, kept / SSH_KEY, hosts)}")
        yield Reached(settings, given, {}, None)
        return
    if settings.authority:
        trusted = folders.workshop / f"{repository}-{AUTHORITY}"
        trusted.write_text(settings.authority)
        given = (*given, f"--cacert={trusted}")
    yield Reached(settings, given, _environment(settings, kept), None)


def ssh(server: SftpServer, key: Path, hosts: Path) -> str:
    """What restic starts for SFTP. It cuts this at spaces, and no part of it has any (`settings`)."""
    options = (
        f"UserKnownHostsFile={hosts}", "GlobalKnownHostsFile=/dev/null", "StrictHostKeyChecking=yes",
        "UpdateHostKeys=no", "BatchMode=yes", "IdentitiesOnly=yes", "ClearAllForwardings=yes",
        "ForwardAgent=no", "ConnectTimeout=20", "ServerAliveInterval=20", "ServerAliveCountMax=6",
    )  # fmt: skip
    words = ("ssh", "-F", "/dev/null", "-i", str(key), *(w for o in options for w in ("-o", o)))
    return " ".join((*words, "-p", str(server.port), "-l", server.user, "-s", server.host, "sftp"))


def _environment(settings: RepositorySettings, kept: Path) -> dict[str, str]:
    key = ""
    with suppress(FileNotFoundError):
        key = (kept / KEY).read_text().removesuffix("\n")
    if settings.s3 is not None:
        given = {"AWS_ACCESS_KEY_ID": settings.s3.access_key, "AWS_SECRET_ACCESS_KEY": key}
        return given | ({"AWS_DEFAULT_REGION": settings.s3.region} if settings.s3.region else {})
    if settings.rest is not None and settings.rest.user is not None:
        return {"RESTIC_REST_USERNAME": settings.rest.user, "RESTIC_REST_PASSWORD": key}
    return {}


def knock(server: Server) -> None:
    """Whether anything listens there, and that it is not this machine. restic itself would try for a quarter
    of an hour. Raises `RepositoryProblem`."""
    try:
        found = socket.getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM)
    except OSError:
        raise RepositoryProblem(
            "unreachable",
            f"The name {server.host} was not found. Check it, and whether this machine has a DNS server.",
        ) from None
    for address in {str(one[4][0]) for one in found}:
        if wrong := problem_of_address(address):
            raise RepositoryProblem("other", not_here(wrong))
    try:
        socket.create_connection((server.host, server.port), timeout=_ANSWERS_S).close()
    except OSError:
        host = f"{server.host}, port {server.port},"
        name = "the storage" if isinstance(server, S3Storage) else "the server"
        raise problem("unreachable", f"{name[:1].upper()}{name[1:]} {host}") from None


def check_certificate(name: str, port: int, authority: str) -> None:
    """Whether a server shows a certificate that is trusted here: of `authority`, or where that is empty of
    one that the system knows. restic itself would try again and again. Raises `RepositoryProblem`."""
    context = ssl.create_default_context(cadata=authority or None)
    # What Python is stricter about than restic, which has the last word, is no reason to refuse.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    try:
        with (
            socket.create_connection((name, port), timeout=_ANSWERS_S) as connection,
            context.wrap_socket(connection, server_hostname=name),
        ):
            pass
    except ssl.SSLCertVerificationError as error:
        raise problem("certificate", name, error.verify_message) from None
    except ssl.SSLError:
        raise RepositoryProblem(
            "other", f"{name}, port {port}, does not speak TLS. Check the port, or use it without TLS."
        ) from None
    except OSError:
        raise problem("unreachable", f"{name}, port {port},") from None


@contextmanager
def _shown(path: str, at: Path, *, make: bool) -> Iterator[None]:
    """The folder at `path`, opened name by name and never through a link, shown at `at` to this process
    alone."""
    descriptor = _open(path, at if make else None)
    try:
        if not _fits(mount_point(descriptor)):
            raise problem("no-disk", path)
        status = os.fstat(descriptor)
        if status.st_mode & 0o022:
            raise RepositoryProblem(
                "other",
                f"Others may write into {path}, so they could lead a backup elsewhere. Let nobody but its "
                "owner write there (chmod go-w).",
            )
        mounts.show_at(descriptor, at)
    finally:
        os.close(descriptor)
    try:
        yield
    finally:
        mounts.unmount(at)


def _open(path: str, making: Path | None) -> int:
    """`making`: where a folder is shown in which one is made, as all else is read-only here."""
    descriptor = os.open("/", _HOLD)
    for name in path.strip("/").split("/"):
        try:
            inner = _inner(descriptor, name, making)
        except FileNotFoundError:
            raise problem("not-found", path) from None
        except OSError as error:
            raise RepositoryProblem(
                "other", f"{path} cannot be opened: {error.strerror}. Links are not followed there."
            ) from None
        finally:
            os.close(descriptor)
        descriptor = inner
    return descriptor


def _inner(folder: int, name: str, making: Path | None) -> int:
    try:
        return os.open(name, _HOLD, dir_fd=folder)
    except FileNotFoundError:
        if making is None or not _fits(mount_point(folder)):
            raise
    mounts.show_at(folder, making)
    try:
        (making / name).mkdir(mode=0o700)
    finally:
        mounts.unmount(making)
    return os.open(name, _HOLD, dir_fd=folder)


def mount_point(descriptor: int) -> str:
    """Where the file system is mounted that an open folder lies on: proc_pid_fdinfo(5) and
    proc_pid_mountinfo(5)."""
    details = Path(f"/proc/self/fdinfo/{descriptor}").read_text()
    number = next(line.split()[1] for line in details.splitlines() if line.startswith("mnt_id:"))
    for line in Path("/proc/self/mountinfo").read_bytes().splitlines():
        fields = line.split(b" ")
        if fields[0] == number.encode():
            return os.fsdecode(_OCTAL.sub(lambda match: bytes([int(match[1], 8)]), fields[4]))
    return "/"


def _fits(place: str) -> bool:
    """A mount of somebody's, and none of the system's."""
    return place != "/" and zone(place) is not Zone.SYSTEM
