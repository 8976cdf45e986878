"""What is measured every ten seconds, by the rooms that know what it means."""

from __future__ import annotations

import disks.activity
import machine.activity
import pools.activity
from jobs.series.collecting import Collector

COLLECTORS: tuple[Collector, ...] = (
    machine.activity.of_machine,
    machine.activity.of_ports,
    disks.activity.of_disks,
    pools.activity.of_pools,
)
