"""Copies of the settings without the database: listed and brought back by the machine itself, with no job."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from host.base import Host, HostError
from host.commands.copies import ForgetStaged
from host.inventory import Inventory
from host.probe.whole import probe
from jobs.plan import Plan
from machine.backup import listing, restore


def copies(host: Host) -> listing.Copies:
    """Those of all imported pools. Raises `HostError`."""
    return listing.copies_of(probe(host), host, origin=None)


def plan(host: Host, request: restore.RestoreConfiguration) -> Plan:
    """The plan of a restore, without the database. Raises `Refused`, `HostError`."""
    asked = listing.AskCopy(pool=request.pool, copy=request.copy, upload=request.upload)
    report = listing.read_copy(asked, host, origin=None)
    inventory: Inventory = msgspec.structs.replace(probe(host), answers={listing.COPY: report})
    return restore.plan(request, inventory)


def carry_out(host: Host, made: Plan) -> None:
    """Run each step; nothing stays staged where one fails. Raises `HostError`."""
    try:
        for step in made.steps:
            for command in step.commands:
                host.run(command)
    except HostError:
        with suppress(HostError):
            host.run(ForgetStaged())
        raise
