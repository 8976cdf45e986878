"""Reads the settings that differ between installations from the environment."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from zoneinfo import available_timezones


def text(name: str, default: str) -> str:
    """A variable's value; empty counts as not set."""
    return os.environ.get(name) or default


def flag(name: str) -> bool:
    """True for 1, true, yes and on."""
    return os.environ.get(name, "").lower() in {"1", "true", "yes", "on"}


def words(name: str) -> list[str]:
    """A list separated by commas."""
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


def folder(name: str, default: Path) -> Path:
    """A folder's absolute path, made (readable by its owner alone) when missing."""
    path = Path(os.environ.get(name) or default).expanduser().resolve()
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def address(path: Path) -> tuple[str, str]:
    """Address and port that the console listens on: `BIND` and `PORT`, else what `path` says.

    `make run` leaves them there, so that commands on the same data, which are not given it, know it.
    """
    try:
        bind, port = path.read_text().split()
    except (OSError, ValueError):
        bind, port = "127.0.0.1", "8000"
    return text("BIND", bind), text("PORT", port)


def machine_time_zone(localtime: Path = Path("/etc/localtime")) -> str:
    """The machine's time zone by its IANA name: `NASWEB_TIME_ZONE`, what `localtime` leads to, or UTC."""
    with suppress(OSError, ValueError):
        _, found, name = str(localtime.readlink()).partition("zoneinfo/")
        if found and name in available_timezones():
            return text("NASWEB_TIME_ZONE", name)
    return text("NASWEB_TIME_ZONE", "UTC")


def secret_key(path: Path) -> str:
    """The secret that signs sessions; written with mode 0600 when the file is missing.

    Web and worker start at once: the link decides which of them made it.
    """
    with suppress(FileNotFoundError):
        return path.read_text().strip()
    mine = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(64))
    try:
        with suppress(FileExistsError):
            os.link(mine, path)
    finally:
        mine.unlink()
    return path.read_text().strip()
