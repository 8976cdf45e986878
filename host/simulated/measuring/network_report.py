"""What a measurement of the network reports on a simulated machine: a gigabit link that is nearly full."""

from __future__ import annotations

import msgspec

from host.commands.network_speed import ListenForSpeedTests, MeasureNetworkSpeed
from host.measuring.pausing import STOPPED
from host.network_speed.measuring import LISTENS_S, SECONDS
from host.network_speed.values import Direction, NetworkSpeed, Transfer
from host.simulated.state import Machine

_BYTES_PER_S = 117.6e6
_CLIENT, _CLIENT_AFTER_S = "192.168.1.77", 30.0


def lasts_s(asked: MeasureNetworkSpeed | ListenForSpeedTests) -> float:
    """Until it ends by itself."""
    return 2.0 * SECONDS if isinstance(asked, MeasureNetworkSpeed) else float(LISTENS_S)


def report(
    machine: Machine, asked: MeasureNetworkSpeed | ListenForSpeedTests, passed_s: float, *, ended: bool,
    stopped: bool,
) -> NetworkSpeed:  # fmt: skip
    """So many seconds after its start, without its times. Where it listens, somebody measures once."""
    whole = lasts_s(asked)
    share = min(1.0, passed_s / whole)
    host = asked.host if isinstance(asked, MeasureNetworkSpeed) else ""
    if isinstance(asked, MeasureNetworkSpeed):
        both: tuple[Direction, ...] = ("sent", "received")
        done = both[: int(2 * share)]
    else:
        done = ("received",) if passed_s >= _CLIENT_AFTER_S else ()
    found = NetworkSpeed(
        run=asked.run, host=host, port=asked.port, started_at="", updated_at="", share=share,
        left_s=whole * (1 - share), phase="listening" if not host else "receiving" if done else "sending",
        transfers=tuple(_transfer(machine, one, host or _CLIENT) for one in done),
    )  # fmt: skip
    if not ended:
        return found
    if stopped and host:
        verdict, words = "stopped", STOPPED
    else:
        verdict, words = "done", "" if found.transfers else "Nobody measured."
    return msgspec.structs.replace(found, verdict=verdict, words=words, phase="done", left_s=None)


def _transfer(machine: Machine, direction: Direction, peer: str) -> Transfer:
    return Transfer(
        direction=direction, peer=peer, local=_own(machine), bytes_per_s=_BYTES_PER_S, seconds=float(SECONDS),
        retransmits=12, processor_here=0.09, processor_there=0.14,
    )  # fmt: skip


def _own(machine: Machine) -> str:
    link = next((link for link in machine.network.links if link.carrier and link.lease), None)
    return link.lease.partition("/")[0] if link is not None else "192.168.1.10"
