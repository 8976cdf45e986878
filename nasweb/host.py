"""The machine that this installation manages, and how its inventory is taken."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from backups import stored as backups
from disks.known import complete
from host.base import Host
from host.client import HelperHost
from host.families import EVERYTHING, Families
from host.files.handover import Downloads, SocketDownloads
from host.files.places import HANDED_OUT
from host.files.receiving import SocketUploads, Uploads
from host.inventory import Inventory
from host.kernel.files import KernelFiles, LocalKernelFiles
from host.probe.cache import ProbeCache
from host.probe.whole import probe
from host.secrets import SecretStore
from host.simulated import SimulatedHost
from host.simulated.files.downloads import SimulatedDownloads
from host.simulated.files.upload_socket import SimulatedUploads
from host.simulated.kernel import SimulatedKernelFiles
from jobs.schedules import stored
from jobs.schedules.zone import usual_zone
from pools.care import history
from pools.care.defaults import defaults
from replication import stored as replication
from shares import stored as shares

_memory = ProbeCache()


def the_host() -> Host:
    """The helper's machine, or a simulated one. Only the worker may ask for it."""
    if settings.NASWEB_HOST == "helper":
        return HelperHost(Path(settings.NASWEB_HELPER_SOCKET))
    kept = SecretStore(Path(settings.NASWEB_SECRETS))
    return SimulatedHost(settings.NASWEB_MACHINE_STATE, settings.NASWEB_MACHINE, secrets=kept)


def the_kernel_files() -> KernelFiles:
    """In which the machine's kernel counts: read by the process that asks."""
    if settings.NASWEB_HOST == "helper":
        return LocalKernelFiles()
    return SimulatedKernelFiles(
        SimulatedHost(settings.NASWEB_MACHINE_STATE, settings.NASWEB_MACHINE).machine()
    )


def the_downloads() -> Downloads:
    """Where files that the worker had opened are collected, by the web process too."""
    if settings.NASWEB_HOST == "helper":
        return SocketDownloads(Path(HANDED_OUT))
    return SimulatedDownloads(SimulatedHost(settings.NASWEB_MACHINE_STATE, settings.NASWEB_MACHINE))


def the_uploads() -> Uploads:
    """Where files are sent to that people upload, by the web process alone."""
    if settings.NASWEB_HOST == "helper":
        return SocketUploads(Path(HANDED_OUT))
    return SimulatedUploads(SimulatedHost(settings.NASWEB_MACHINE_STATE, settings.NASWEB_MACHINE))


def take_inventory(host: Host, fresh: Families = EVERYTHING) -> Inventory:
    """An inventory of which `fresh` is read now, with what is remembered: disks, scrubs, schedules, shares,
    backups. Raises `HostError`."""
    inventory = history.complete(complete(probe(host, cache=_memory, fresh=fresh)))
    inventory = stored.complete(inventory, defaults(inventory, usual_zone(inventory)))
    return replication.complete(backups.complete(shares.complete(inventory)))


def forget_facts(touched: Families) -> None:
    """What a command has touched is read anew before it is reported again."""
    _memory.known.forget(touched)
