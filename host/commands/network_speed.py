"""Measuring the network with iperf3, in a unit of its own."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.addresses import problem_of_host
from host.commands.base import Command
from host.commands.datasets.measuring import MeasurementSaid, RunId, started
from host.commands.starting import START_S, explained

HostText = Annotated[str, Meta(min_length=1, max_length=253, pattern=r"\A[A-Za-z0-9_.:\-]+\Z")]
UserPort = Annotated[int, Meta(ge=1024, le=65535)]


class _Speed(Command, frozen=True, kw_only=True):
    """One that begins; it goes on in the background."""

    timeout_s = START_S
    touches = frozenset()
    run: RunId
    port: UserPort

    def explained_by(self, said: str) -> Command | None:
        return explained(said, by=MeasurementSaid(what="network", run=self.run))


class MeasureNetworkSpeed(_Speed, frozen=True, kw_only=True):
    """Begin to measure to `host`, where iperf3 listens. Refuses this machine itself."""

    host: HostText

    def __post_init__(self) -> None:
        if self.host.startswith("-") or problem_of_host(self.host) is not None:
            raise ValueError("The name or address of another machine")

    def argv(self) -> tuple[str, ...]:
        return started("network", self.run, self.host, f"--host={self.host}", f"--port={self.port}")


class ListenForSpeedTests(_Speed, frozen=True, kw_only=True):
    """Begin to be the other end for those that measure; it ends by itself after ten minutes."""

    def argv(self) -> tuple[str, ...]:
        return started("network", self.run, "the network", f"--port={self.port}")


Commands = MeasureNetworkSpeed | ListenForSpeedTests
