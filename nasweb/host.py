"""The machine that this installation manages, and how its inventory is taken."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from disks.present import complete
from host.base import Host
from host.client import HelperHost
from host.inventory import Inventory
from host.probe import Memory, probe
from host.simulated import SimulatedHost

_memory = Memory()


def the_host() -> Host:
    """The helper's machine, or a simulated one. Only the worker may ask for it."""
    if settings.NASWEB_HOST == "helper":
        return HelperHost(Path(settings.NASWEB_HELPER_SOCKET))
    return SimulatedHost(settings.NASWEB_MACHINE_STATE, settings.NASWEB_MACHINE)


def take_inventory(host: Host) -> Inventory:
    """A fresh inventory, completed by what is remembered: disks in their bays. Raises `HostError`."""
    return complete(probe(host, memory=_memory))
