"""configuration.keep: write a copy of the console's settings to pools."""

from __future__ import annotations

from typing import Annotated

import msgspec
from django.utils import timezone
from msgspec import Meta

from host.backup.manifest import Manifest
from host.backup.store import KEPT, KEPT_WEEKS
from host.base import Host
from host.commands.closed import AnyCommand
from host.commands.copies import KeepCopy, SaveSambaAccounts
from host.commands.datasets.zfs import ZfsCreate
from host.inventory import Inventory, Pool
from host.system.own_datasets import SHELF, of_pool
from jobs import cache, questions
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Refused, Step
from jobs.planning.findings import Findings, fault
from jobs.wording import listed
from machine.backup import content
from machine.backup.models import KeptOn
from machine.backup.status import obstacle, shelf

QUESTION, COPIES = "configuration.content", "configuration.copies"
OPERATION = "configuration.keep"
ROUTINE = "configuration.follow"  # the same on schedule


class KeepConfiguration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Write a copy to these pools, or to all that can take one.

    Without `anyway` nothing is written where the newest copy is whole and says the same.
    """

    pools: Annotated[tuple[Annotated[str, Meta(max_length=255)], ...], Meta(max_length=100)] | None = None
    anyway: bool = True


class AskContent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lay out what is to be kept."""


class Content(msgspec.Struct, frozen=True, kw_only=True):
    """What was laid out, by its digest."""

    content: str
    secrets: bool
    host: str


def answer(_request: AskContent, _host: Host) -> Content:
    """Lay it out in the worker's own folder, in memory. Changes nothing else. Raises `Refused`."""
    inventory = cache.current()
    if inventory is None:
        raise Refused((fault("no-inventory", "", "The machine has not been probed yet."),))
    try:
        manifest: Manifest = content.lay_out(inventory)
    except OSError as error:
        raise Refused((fault("cannot-lay-out", "", f"It cannot be unpacked: {error.strerror}."),)) from None
    return Content(content=manifest.content, secrets=manifest.secrets, host=manifest.host)


def needs(_request: KeepConfiguration, _inventory: Inventory) -> Needs:
    """What the worker laid out."""
    return Needs(answers=(AnswerNeeds(question=QUESTION, data={}),))


def plan(request: KeepConfiguration, inventory: Inventory) -> Plan:
    """Raises `Refused` where there is no pool that can take a copy, or one that was named cannot."""
    return _plan(OPERATION, request, inventory)


def plan_following(request: KeepConfiguration, inventory: Inventory) -> Plan:
    """A scheduled copy, as configuration.follow."""
    return _plan(ROUTINE, request, inventory)


def _plan(operation: str, request: KeepConfiguration, inventory: Inventory) -> Plan:
    findings = Findings()
    pools = _pools(request, inventory, findings)
    findings.refuse_on_error()
    report: Content = inventory.answers[QUESTION]
    _add_findings(report, inventory, findings)
    return Plan(
        operation=operation,
        steps=tuple(_step(pool, report, inventory, anyway=request.anyway) for pool in pools),
        summary=_summary(pools, report, anyway=request.anyway),
        findings=findings.all(),
        claims=("configuration:copies", *(f"dataset:{of_pool(pool.name)}" for pool in pools)),
    )


def _summary(pools: list[Pool], report: Content, *, anyway: bool) -> str:
    secrets = "with the password hashes of accounts and people" if report.secrets else "without passwords"
    unless = "" if anyway else ", unless the newest backup there already holds the same"
    return (
        f"The settings are backed up to {listed([pool.name for pool in pools])}, {secrets}{unless}. "
        f"Each pool keeps the newest {KEPT} backups and one a week for {KEPT_WEEKS} weeks; older ones are "
        "deleted."
    )


def remember(request: KeepConfiguration, inventory: Inventory, _actor: str) -> None:
    """Each of the pools has a copy that is whole and says what was laid out."""
    report: Content = inventory.answers[QUESTION]
    for pool in _pools(request, inventory, Findings()):
        known = {
            "pool_name": pool.name, "content": report.content, "secrets": report.secrets,
            "checked_at": timezone.now(),
        }  # fmt: skip
        KeptOn.objects.update_or_create(pool_guid=pool.guid, defaults=known)
    questions.forget(COPIES)


def silent(inventory: Inventory) -> bool:
    """Whether a copy made now would lack what only Samba knows of people."""
    return bool(inventory.accounts.people) and not inventory.accounts.samba_answers


def _pools(request: KeepConfiguration, inventory: Inventory, findings: Findings) -> list[Pool]:
    if request.pools is None:
        found = [pool for pool in inventory.pools if obstacle(pool, inventory) is None]
        if not found:
            message = "No pool can take a backup. Create, import or unlock one."
            findings.error("no-pool", "pools", message)
        return found
    found = []
    for index, name in enumerate(request.pools):
        pool = inventory.pool(name)
        why = f"There is no pool {name}." if pool is None else obstacle(pool, inventory)
        if pool is None or why is not None:
            findings.error("cannot-keep", f"pools[{index}]", why or "")
        elif pool in found:
            findings.error("duplicate-pool", f"pools[{index}]", f"{name} is named twice.")
        else:
            found.append(pool)
    if not request.pools:
        findings.error("required", "pools", "Name a pool, or leave this out for all.")
    return found


def _step(pool: Pool, report: Content, inventory: Inventory, *, anyway: bool) -> Step:
    dataset = of_pool(pool.name)
    commands: list[AnyCommand] = []
    if shelf(pool, inventory) is None:
        commands.append(ZfsCreate(name=dataset, properties=SHELF))
    if report.secrets and inventory.accounts.samba_answers:
        commands.append(SaveSambaAccounts())
    commands.append(KeepCopy(dataset=dataset, content=report.content, secrets=report.secrets, anyway=anyway))
    return Step(title=f"Back up to {pool.name}", commands=tuple(commands))


def _add_findings(report: Content, inventory: Inventory, findings: Findings) -> None:
    if silent(inventory):
        message = "Samba does not respond: people's passwords and expiry dates will be missing."
        findings.warning("samba-silent", "", message)
    if report.secrets:
        message = (
            "It contains the password hashes of accounts and people. Anyone who has the disks of an "
            "unencrypted pool can read them there."
        )
        findings.info("with-secrets", "", message)
    else:
        message = (
            "Passwords, tokens and the secrets of channels are left out: after a restore they have to be "
            "set again."
        )
        findings.info("without-secrets", "", message)
