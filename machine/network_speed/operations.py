"""The operations on measurements of the network."""

from __future__ import annotations

from typing import Any

from host.families import Family
from jobs.operation import Operation
from jobs.wording import Wording, at
from machine.network_speed import begin, stop

_PAGE = at("Network speed", "/network-speed/")
_FACTS = frozenset({Family.NETWORK, Family.NAMES})

OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="network.measure-speed",
        request=begin.MeasureSpeed,
        plan=begin.plan_measure,
        scope="system:write",
        effect="harmless",
        facts=_FACTS,
        needs=begin.needs,
        remember=begin.remember,
        wording=Wording(title="Measure the network to {host}", page=_PAGE),
    ),
    Operation(
        name="network.listen",
        request=begin.ListenForTests,
        plan=begin.plan_listen,
        scope="system:write",
        effect="changes",
        facts=_FACTS,
        needs=begin.needs,
        remember=begin.remember,
        wording=Wording(title="Let other machines measure the network", page=_PAGE),
    ),
    Operation(
        name="network.stop-speed",
        request=stop.StopSpeed,
        plan=stop.plan,
        scope="system:write",
        effect="harmless",
        facts=_FACTS,
        needs=stop.needs,
        remember=stop.remember,
        wording=Wording(title="Stop measuring the network", page=_PAGE),
    ),
)
