"""Runs restic and reads what it says: JSON by the line, and what its exit status means.

Exit statuses and messages: restic's manual, "Scripting". What it does not name is looked at here (does the
server answer, is there space left), and never guessed from its sentences.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from host import local
from host.base import Result
from host.programs.backup.reaching import Reached, knock
from host.repositories.answers import Code
from host.repositories.words import RepositoryProblem, problem
from host.system.following import Follow

INCOMPLETE, WRONG_PASSWORD, STOPPED = 3, 12, 130
_STATUSES: dict[int, Code] = {
    10: "not-found", 11: "locked", WRONG_PASSWORD: "wrong-password", STOPPED: "stopped",
}  # fmt: skip
_FULL_BYTES = 32 << 20  # where less is left, nothing more was written
_MOST_NAMED = 20
_AGAIN = " returned error, retrying after "
_messages = msgspec.json.Decoder(dict[str, Any])


class Ended(NamedTuple):
    """How restic ended: with what summary, and which files it could not read or write."""

    exit: int
    said: str  # of its error
    summary: dict[str, Any]
    unread: tuple[str, ...]
    unread_count: int
    tried: str = ""  # why it was still trying when somebody ended it


class Restic:
    """restic, for one repository that was reached."""

    def __init__(self, to: Reached, asked: Callable[[], bool], follow: Follow | None = None) -> None:
        self.to, self.asked = to, asked
        self._follow: Follow = follow or local.follow

    def run(
        self,
        *arguments: str,
        at: str = "/",
        message: Callable[[dict[str, Any]], None] = lambda message: None,
    ) -> Ended:
        """Run it in the folder `at`, and hand over each of its messages."""
        summary: dict[str, Any] = {}
        errors = 0

        def take(line: bytes) -> None:
            nonlocal errors
            found = parse(line)
            if found.get("message_type") == "summary":
                summary.update(found)
            errors = max(errors, number(found, "error_count"))
            message(found)

        result = self.raw(*arguments, at=at, line=take)
        said, unread = read_errors(result.stderr)
        count = max(errors, len(unread))
        return Ended(result.exit, said, summary, unread[:_MOST_NAMED], count, last_try(result.stderr))

    def raw(self, *arguments: str, at: str, line: Callable[[bytes], None]) -> Result:
        """The same, by lines."""
        environment = {"TZ": "UTC", "RESTIC_PROGRESS_FPS": "0.5", "TMPDIR": "/var/tmp"} | self.to.environment  # noqa: S108
        argv = ("env", f"--chdir={at}", "restic", *self.to.arguments, *arguments)
        return self._follow(argv, environment=environment, line=line, asked=self.asked)

    def check(self, ended: Ended | Result) -> None:
        """Raises `RepositoryProblem` where it did not succeed."""
        if ended.exit == 0:
            return
        said = ended.said if isinstance(ended, Ended) else read_errors(ended.stderr)[0]
        if self.asked():
            tried = ended.tried if isinstance(ended, Ended) else last_try(ended.stderr)
            raise problem("stopped", self.to.place, tried)
        if code := _STATUSES.get(ended.exit):
            raise problem(code, self.to.place, said)
        if self._is_full():
            raise problem("full", self.to.place)
        if (server := self.to.settings.server) is not None:
            knock(server)
            if (sftp := self.to.settings.sftp) is not None and sftp.host_key not in self.server_keys():
                raise problem("host-key", self.to.place)
        raise RepositoryProblem("other", str(problem("other", self.to.place, said)))

    def server_keys(self) -> tuple[str, ...]:
        """What the SSH server shows now."""
        sftp = self.to.settings.sftp
        return () if sftp is None else scan_keys(sftp.host, sftp.port, self._follow, self.asked)

    def _is_full(self) -> bool:
        if self.to.folder is None:
            return False
        with suppress(OSError):
            found = os.statvfs(self.to.folder)
            return found.f_bavail * found.f_frsize < _FULL_BYTES
        return False


def scan_keys(host: str, port: int, follow: Follow, asked: Callable[[], bool]) -> tuple[str, ...]:
    """The keys that an SSH server shows, best first, without knowing whether it is the right one."""
    found: list[bytes] = []
    argv = ("ssh-keyscan", "-T", "15", "-p", str(port), "-t", "ed25519,ecdsa,rsa", host)
    follow(argv, environment={}, line=found.append, asked=asked)
    lines = (line.decode("ascii", "replace").split() for line in found if not line.startswith(b"#"))
    keys = {f"{parts[1]} {parts[2]}" for parts in lines if len(parts) >= 3}
    return tuple(sorted(keys, key=lambda key: ("ed25519" not in key, "ecdsa" not in key, key)))


def parse(line: bytes) -> dict[str, Any]:
    """A message; empty for what is none."""
    try:
        return _messages.decode(line)
    except msgspec.DecodeError:
        return {}


def number(message: dict[str, Any], name: str) -> int:
    """A number of a message; 0 where it has none."""
    value = message.get(name, 0)
    return int(value) if isinstance(value, int | float) else 0


def last_try(text: str) -> str:
    """Of what it tries again and again, for a quarter of an hour, the last reason; such as that a bucket is
    not there."""
    lines = [line for line in text.splitlines() if _AGAIN in line]
    return lines[-1].rpartition(_AGAIN)[2].partition(": ")[2] if lines else ""


def read_errors(text: str) -> tuple[str, tuple[str, ...]]:
    """Why it ended, and the files that it names: from the messages on its stderr, or else the last line."""
    said, last, items = "", "", list[str]()
    for line in text.splitlines():
        message = parse(line.encode())
        if message.get("message_type") == "exit_error":
            said = str(message.get("message", ""))
        elif message.get("message_type") == "error":
            items += [item] if (item := str(message.get("item", ""))) else []
            last = str((message.get("error") or message).get("message", "")) or last
        elif line.strip() and not message:
            last = line
    return said or last, tuple(dict.fromkeys(items))
