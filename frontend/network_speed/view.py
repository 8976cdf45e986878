"""What the page shows of measurements of the network."""

from __future__ import annotations

from datetime import datetime

import msgspec

from frontend.measured import RunView
from frontend.units import moment, span
from host.network_speed.values import NetworkSpeed
from machine.network_speed.answers import PastSpeed, TransferFigures

_DIRECTIONS = {"sent": "Sent", "received": "Received"}
_ENDED = {"done": "Measured", "stopped": "Stopped", "failed": "It did not finish"}


class TransferRow(msgspec.Struct, frozen=True, kw_only=True):
    """One direction. `share` is of the link, for the bar; None where its speed is not known."""

    direction: str
    peer: str
    rate: str
    of_link: str
    share: float | None
    bottleneck: str


class ResultView(msgspec.Struct, frozen=True, kw_only=True):
    """One that has ended."""

    title: str
    through: str
    finished: datetime | None
    words: str
    transfers: tuple[TransferRow, ...]


def run_view(run: NetworkSpeed) -> RunView:
    """Of the last one."""
    return RunView(
        goes_on=run.verdict is None, well=run.verdict == "done", state=_state(run), words=run.words,
        since=run.started_at, counts="",
    )  # fmt: skip


def _state(run: NetworkSpeed) -> str:
    if run.verdict is not None:
        return _ENDED[run.verdict]
    left = span(run.left_s) if run.left_s is not None else ""
    if not run.host:
        return f"Other machines can measure for another {left}" if left else "Other machines can measure"
    what = f"Receiving from {run.host}" if run.phase == "receiving" else f"Sending to {run.host}"
    return f"{what}, about {left} left" if left else what


def results(found: tuple[PastSpeed, ...]) -> tuple[ResultView, ...]:
    """Newest first."""
    return tuple(
        ResultView(
            title=f"To {one.speed.host}" if one.speed.host else "From other machines",
            through=_through(one), finished=moment(one.speed.finished_at), words=one.speed.words,
            transfers=tuple(_row(part) for part in one.transfers),
        )
        for one in found
    )  # fmt: skip


def _through(one: PastSpeed) -> str:
    link = f", a link of {_bits(one.mbit * 1e6)}" if one.mbit else ""
    return f"Through {one.interface}{link}" if one.interface else ""


def _row(part: TransferFigures) -> TransferRow:
    transfer = part.transfer
    return TransferRow(
        direction=_DIRECTIONS[transfer.direction], peer=transfer.peer, rate=_bits(transfer.bytes_per_s * 8),
        of_link="" if part.of_link is None else f"{part.of_link:.0%}", share=part.of_link,
        bottleneck=part.bottleneck,
    )  # fmt: skip


def _bits(bits_per_s: float) -> str:
    """As links are sold: `940 Mbit/s`, `9.4 Gbit/s`."""
    for size, unit in ((1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s")):
        if bits_per_s >= size:
            value = bits_per_s / size
            return f"{value:.0f} {unit}" if value >= 99.5 or value == int(value) else f"{value:.3g} {unit}"
    return f"{bits_per_s:.0f} bit/s"
