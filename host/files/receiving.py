"""What the console asks of the program that makes files for a person, and how both talk (a unix socket).

One message and one answer for each connection: a line of JSON, and behind an `Append` its bytes. Folders and
names are text as `host.files.names` writes them.
"""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, Protocol

import msgspec
from msgspec import Meta

CHUNK_BYTES = 4 << 20  # of one message
LARGEST_BYTES = 1 << 60
TIMEOUT_S = 30.0
_ANSWER_S = 60.0  # less than nginx waits for the console
_LONGEST_LINE = 1 << 16
Existing = Literal["refuse", "rename", "replace"]
UploadId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
_Size = Annotated[int, Meta(ge=0, le=LARGEST_BYTES)]


class _Message(msgspec.Struct, frozen=True, kw_only=True, tag=True, forbid_unknown_fields=True):
    folder: str  # of the dataset; empty: its own


class MakeFolder(_Message, frozen=True, kw_only=True):
    """Make a folder; a `private` one is its owner's alone."""

    name: str
    private: bool = False


class Begin(_Message, frozen=True, kw_only=True):
    """Make an empty file that grows to `size_bytes`, under a name of its own until it is whole; a `private`
    one is its owner's alone."""

    upload: UploadId
    name: str
    size_bytes: _Size
    existing: Existing  # what happens where there is a file called `name` already
    private: bool = False


class Append(_Message, frozen=True, kw_only=True):
    """The bytes behind the first `offset`; `length` of them follow the message."""

    upload: UploadId
    size_bytes: _Size
    offset: _Size
    length: Annotated[int, Meta(ge=1, le=CHUNK_BYTES)]
    sha256: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class See(_Message, frozen=True, kw_only=True):
    """How much has arrived."""

    upload: UploadId


class Finish(_Message, frozen=True, kw_only=True):
    """All has arrived: write it to the disks and give it its name."""

    upload: UploadId
    name: str
    size_bytes: _Size
    existing: Existing


class Abandon(_Message, frozen=True, kw_only=True):
    """Remove what has arrived."""

    upload: UploadId


Message = MakeFolder | Begin | Append | See | Finish | Abandon


class Received(msgspec.Struct, frozen=True, kw_only=True, tag="received"):
    """It is done: so many bytes are there, or something is called so now."""

    offset: int = 0
    name: str = ""


class Declined(msgspec.Struct, frozen=True, kw_only=True, tag="refused"):
    """It is not done. `field` is that of the message that has to be another."""

    code: str
    field: str
    message: str


class UploadRefused(Exception):
    """The program refused; `why` is for programs and for people."""

    def __init__(self, why: Declined) -> None:
        self.why = why
        super().__init__(why.message)


class NotRunning(Exception):
    """No such program runs, or it ended before it answered."""


class Uploads(Protocol):
    """Where the programs that make files are reached."""

    def call(self, ticket: str, message: Message, data: bytes = b"") -> Received:
        """What came of it. Raises `UploadRefused`, `NotRunning`."""
        ...


_messages: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_answers: msgspec.json.Decoder[Received | Declined] = msgspec.json.Decoder(Received | Declined)


class SocketUploads:
    """A folder of sockets, one for each ticket (`host.programs.uploads.receive`)."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def call(self, ticket: str, message: Message, data: bytes = b"") -> Received:
        """As `Uploads.call`."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.settimeout(TIMEOUT_S)
                connection.connect(str(self._folder / ticket / "socket"))
                connection.sendall(msgspec.json.encode(message) + b"\n" + data)
                connection.settimeout(_ANSWER_S)
                with connection.makefile("rb") as file:
                    line = file.readline(_LONGEST_LINE)
        except TimeoutError:  # it may be done all the same, so it is not asked for twice
            busy = Declined(code="slow", field="", message="The disks are busy. Try again in a minute.")
            raise UploadRefused(busy) from None
        except OSError as error:
            raise NotRunning(f"Nobody takes the file: {error}") from None
        return understood(line)


def understood(line: bytes) -> Received:
    """The answer in a line. Raises `UploadRefused`, `NotRunning`."""
    try:
        answer = _answers.decode(line)
    except msgspec.DecodeError:
        raise NotRunning("Whoever takes the file ended before it answered.") from None
    if isinstance(answer, Declined):
        raise UploadRefused(answer)
    return answer


def read_message(file: BinaryIO) -> tuple[Message, bytes]:
    """A message, and the bytes that belong to it. Raises `msgspec.DecodeError`, `OSError`, `EOFError`."""
    message = _messages.decode(file.readline(_LONGEST_LINE))
    length = message.length if isinstance(message, Append) else 0
    data = file.read(length)
    if len(data) < length:
        raise EOFError
    return message, data


def written(answer: Received | Declined) -> bytes:
    """An answer as a line."""
    return msgspec.json.encode(answer) + b"\n"
