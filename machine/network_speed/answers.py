"""How fast the network is and was, as the API answers it and the page shows it."""

from __future__ import annotations

import msgspec

from host import typed
from host.inventory import Inventory
from host.network_speed.values import NetworkSpeed, Transfer
from machine.network_speed.models import NetworkSpeedRow

_MOST_RESULTS = 200
_FULL, _BUSY = 0.88, 0.90  # of the link: Ethernet's and TCP's own bytes take 6 %; of a core
_SLOW_MBIT = 100


class TransferFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One direction, with what held it up. `of_link` is its share of the link's speed, from 0 to 1; null
    where that is not known.
    """

    transfer: Transfer
    of_link: float | None
    bottleneck: str


class PastSpeed(msgspec.Struct, frozen=True, kw_only=True):
    """One that has ended. `interface` is the one that it went through, `mbit` the speed of its link then."""

    id: int
    speed: NetworkSpeed
    interface: str
    mbit: int | None
    transfers: tuple[TransferFigures, ...]


class SpeedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`run` is the last measurement or the one that goes on: its `verdict` is null until it ends. `results`
    are the newest first.
    """

    run: NetworkSpeed | None
    results: tuple[PastSpeed, ...]
    as_of: str


def speed_answer(inventory: Inventory, run: NetworkSpeed | None) -> SpeedAnswer:
    """The answer, from the machine's report and the kept rows."""
    rows = NetworkSpeedRow.objects.filter(report__isnull=False).exclude(verdict="")[:_MOST_RESULTS]
    found = (_past(row) for row in rows)
    return SpeedAnswer(run=run, results=tuple(one for one in found if one.transfers), as_of=inventory.as_of)


def _past(row: NetworkSpeedRow) -> PastSpeed:
    speed = typed.convert(row.report, NetworkSpeed)
    return PastSpeed(
        id=row.pk, speed=speed, interface=row.interface, mbit=row.mbit,
        transfers=tuple(
            TransferFigures(
                transfer=one, of_link=_share(one, row.mbit), bottleneck=bottleneck(one, row.mbit)
            )
            for one in speed.transfers
        ),
    )  # fmt: skip


def _share(transfer: Transfer, mbit: int | None) -> float | None:
    return round(transfer.bytes_per_s * 8 / (mbit * 1e6), 3) if mbit else None


def bottleneck(transfer: Transfer, mbit: int | None) -> str:
    """What held this direction up, in a sentence."""
    share = _share(transfer, mbit)
    if share is not None and share >= _FULL:
        if mbit is not None and mbit <= _SLOW_MBIT:
            return f"The link, which has only {mbit} Mbit/s: mostly a damaged cable, or an old switch."
        return "The link: there is no faster way with this port."
    if transfer.processor_here >= _BUSY:
        return "The processor of this machine."
    if transfer.processor_there >= _BUSY:
        return "The processor of the other machine."
    if transfer.retransmits and transfer.retransmits > transfer.seconds * 10:
        return f"Lost packets: {transfer.retransmits} were sent again. Look at cables and switches."
    return "Something between: the other machine's link, a switch, or a wireless network."
