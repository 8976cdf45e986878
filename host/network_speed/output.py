"""Reads what iperf3(1) prints with `--json`: one text for each test."""

from __future__ import annotations

import msgspec

from host import typed
from host.network_speed.values import Direction, Transfer

_BITS = 8


class _Sum(msgspec.Struct):
    seconds: float = 0.0
    bits_per_second: float = 0.0
    retransmits: int | None = None


class _Processors(msgspec.Struct):
    host_total: float = 0.0  # percent of one core
    remote_total: float = 0.0


class _Connected(msgspec.Struct):
    local_host: str
    remote_host: str


class _Test(msgspec.Struct):
    reverse: int = 0


class _Start(msgspec.Struct):
    connected: list[_Connected] = []
    test_start: _Test = msgspec.field(default_factory=_Test)


class _End(msgspec.Struct):
    sum_sent: _Sum = msgspec.field(default_factory=_Sum)
    sum_received: _Sum = msgspec.field(default_factory=_Sum)
    cpu_utilization_percent: _Processors = msgspec.field(default_factory=_Processors)


class _Output(msgspec.Struct):
    start: _Start = msgspec.field(default_factory=_Start)
    end: _End = msgspec.field(default_factory=_End)
    error: str = ""


class Failed(ValueError):
    """It measured nothing; the message is iperf3's own."""


def parse(text: str, *, serves: bool) -> Transfer:
    """`serves`: it is the text of a server, whose clients send unless they ask for the reverse. The rate is
    what arrived. Raises `Failed`.
    """
    try:
        said = typed.decode(text, _Output)
    except msgspec.MsgspecError as error:
        raise Failed("it gave no figures") from error
    if said.error:
        raise Failed(said.error)
    if not said.start.connected:
        raise Failed("nothing was connected")
    arrives = bool(said.start.test_start.reverse) != serves
    direction: Direction = "received" if arrives else "sent"
    ends = said.start.connected[0]
    # A server knows only its own half.
    got, sent = said.end.sum_received, said.end.sum_sent
    counted = got if got.bits_per_second else sent
    return Transfer(
        direction=direction, peer=_plain(ends.remote_host), local=_plain(ends.local_host),
        bytes_per_s=counted.bits_per_second / _BITS, seconds=counted.seconds, retransmits=sent.retransmits,
        processor_here=said.end.cpu_utilization_percent.host_total / 100,
        processor_there=said.end.cpu_utilization_percent.remote_total / 100,
    )  # fmt: skip


def _plain(address: str) -> str:
    """A server that listens for both families writes IPv4 addresses as mapped ones."""
    return address.removeprefix("::ffff:")


class Texts:
    """Cuts the lines of a server into the texts of its tests: each ends with a brace alone."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def take(self, line: bytes) -> str | None:
        """The text that this line ends; None in the middle of one."""
        self._lines.append(line)
        if line.rstrip() != b"}" or line.startswith((b" ", b"\t")):
            return None
        text, self._lines = b"\n".join(self._lines).decode("utf-8", "replace"), []
        return text
