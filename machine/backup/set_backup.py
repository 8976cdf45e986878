"""configuration.set-copies: whether copies are kept on pools, and whether passwords are in them."""

from __future__ import annotations

import msgspec

from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.rights import ADMIN
from machine.backup import content


class SetCopies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Keep copies on all pools or not (`enabled`), with `secrets` or without; null leaves it as it is."""

    enabled: bool | None = None
    secrets: bool | None = None


def also_needs(_request: SetCopies) -> tuple[str, ...]:
    """An admin's right: what copies hold signs people in."""
    return (ADMIN,)


def plan(request: SetCopies, _inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing is asked for."""
    findings = Findings()
    if request.enabled is None and request.secrets is None:
        findings.refuse("nothing-changes", "", "Nothing to change.")
    if request.secrets:
        message = (
            "Every backup will contain password hashes of accounts and people. Anyone who has the disks "
            "of an unencrypted pool can try to crack them, and those of people open SMB shares without "
            "being cracked."
        )
        findings.warning("readable-on-disks", "secrets", message)
    if request.secrets is False:
        message = "Backups with passwords stay until newer ones of this machine replace them."
        findings.info("older-stay", "secrets", message)
    if request.enabled is False:
        message = (
            "If the flash drives fail, all settings are lost: shares, people, accounts, schedules, bays."
        )
        findings.warning("no-copies", "enabled", message)
    words = []
    if request.enabled is not None:
        words.append("keep backups on all pools" if request.enabled else "keep no copies")
    if request.secrets is not None:
        words.append("include passwords" if request.secrets else "leave out passwords")
    return Plan(
        operation="configuration.set-copies",
        steps=(Step(title=f"From now on, {' and '.join(words)}", commands=()),),
        summary=_summary(request),
        findings=findings.all(),
        claims=("configuration:copies",),
    )


def _summary(request: SetCopies) -> str:
    sentences = []
    if request.enabled:
        sentences.append("The settings are backed up to every pool whenever they change.")
    elif request.enabled is False:
        sentences.append("The settings are no longer backed up on schedule; backups that exist stay.")
    if request.secrets:
        sentences.append("New backups hold the password hashes of accounts and people.")
    elif request.secrets is False:
        sentences.append("New backups hold no passwords; after a restore they have to be set again.")
    return " ".join(sentences)


def remember(request: SetCopies, _inventory: Inventory, _actor: str) -> None:
    """Store it in the row with id 1."""
    row = content.settings_row()
    row.enabled = row.enabled if request.enabled is None else request.enabled
    row.secrets = row.secrets if request.secrets is None else request.secrets
    row.save()
