"""network.speed: the last measurement of the network, or the one that goes on."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.network_speed.values import NetworkSpeed
from host.probe.datasets.measured import read_network_speed

QUESTION = "network.speed"


class AskSpeed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask how the measurement stands."""


class SpeedFound(msgspec.Struct, frozen=True, kw_only=True):
    """None where there was none."""

    speed: NetworkSpeed | None = None


def answer(_request: AskSpeed, host: Host) -> SpeedFound:
    """Raises `HostError`."""
    return SpeedFound(speed=read_network_speed(host))
