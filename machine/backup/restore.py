"""configuration.restore: restore all settings from a backup.

People and groups come first, with the numbers they had. The database itself is only laid out by the job, and
put in place while the console starts again (`machine.backup.replace_database`): until then the one in use is
untouched.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec

from host.backup.names import CopyName
from host.commands.closed import AnyCommand
from host.commands.copies import ForgetStaged, ImportSambaAccounts, OrderRestored, RestartConsole, StageCopy
from host.commands.shares.accounts import SetSambaExpiry
from host.inventory import Inventory
from host.system.own_datasets import of_pool
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Loss, Plan, Refused, Step
from jobs.planning.findings import Findings
from jobs.rights import ADMIN
from jobs.wording import counted
from machine.backup.listing import COPY, CopyContent, PoolText, UploadId
from machine.backup.people import bring_back
from machine.naming import set_name, set_time_zone

OPERATION = "configuration.restore"
CLAIM = "configuration:restore"


class RestoreConfiguration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Restore the newest copy on `pool`, the one called `copy`, or an `upload` that was sent before. Where
    copies of several installations lie on a pool, it has to be named.

    `name` gives the machine the name it had too, and its time zone.
    """

    pool: PoolText | None = None
    copy: CopyName | None = None
    upload: UploadId | None = None
    name: bool = False


def also_needs(_request: RestoreConfiguration) -> tuple[str, ...]:
    """An admin's right."""
    return (ADMIN,)


def needs(request: RestoreConfiguration, _inventory: Inventory) -> Needs:
    """The copy, read whole."""
    data = {"pool": request.pool, "copy": request.copy, "upload": request.upload}
    return Needs(answers=(AnswerNeeds(question=COPY, data=data),))


def plan(request: RestoreConfiguration, inventory: Inventory) -> Plan:
    """Raises `Refused` for a copy of a newer release, and for people whose numbers others have here."""
    findings = Findings()
    report: CopyContent = inventory.answers[COPY]
    if report.too_new:
        message = (
            f"This copy was made by Nasweb {report.manifest.version}, which is newer than this one: its "
            f"database contains {report.too_new[-1]}, which this release does not know. Install that "
            "release or a later one first."
        )
        findings.error("copy-newer", "copy", message)
    people = bring_back(report.people, inventory, findings)
    passwords = "smbpasswd" in report.manifest.members
    _check_samba(report, inventory, findings)
    more = _name_steps(report, inventory, findings) if request.name else ()
    findings.refuse_on_error()
    _add_findings(report, request, inventory, findings)
    pool = () if request.pool is None else (f"pool:{request.pool}",)
    steps = [_stage(report, request)]
    in_samba = tuple(_samba(report)) if passwords else ()
    if people.forward or in_samba:
        undo = (*people.back, ForgetStaged())
        title = "Restore people and groups" + (", with their passwords" if in_samba else "")
        steps.append(Step(title=title, commands=(*people.forward, *in_samba), undo=undo))
    steps += more
    steps.append(_finish(report))
    return Plan(
        operation=OPERATION,
        steps=tuple(steps),
        summary=_summary(report, request),
        takes="about a minute, during which the console is offline",
        findings=findings.all(),
        claims=(CLAIM, "configuration:copies", "sharing:files", *pool),
        confirm=report.manifest.host,
    )


def _summary(report: CopyContent, request: RestoreConfiguration) -> str:
    manifest, people = report.manifest, report.people
    made = f"{manifest.made_at[:10]} {manifest.made_at[11:16]} UTC"
    who = f"{counted(len(people.people), 'person', 'people')} and {counted(len(people.groups), 'group')}"
    named = "; the machine also takes its name and time zone" if request.name else ""
    others = "with those of the backup" if manifest.secrets else "once they have been given a new one"
    return (
        f"All settings become those of {manifest.host} as of {made}, with {who} of its shares{named}. The "
        "current settings are replaced; their database stays in a file until you delete it. The shares of "
        "the backup replace those here, and everybody has to sign in to the console again: you with your "
        f"current password, all others {others}."
    )


def _stage(report: CopyContent, request: RestoreConfiguration) -> Step:
    dataset = None if request.pool is None else of_pool(request.pool)
    # By its name: the newest may be another by the time of the job.
    copy = report.name if request.pool is not None else None
    return Step(
        title=f"Read the whole backup of {report.manifest.host}, and stage its contents",
        commands=(StageCopy(dataset=dataset, copy=copy, upload=request.upload),),
    )


def _samba(report: CopyContent) -> Iterator[AnyCommand]:
    yield ImportSambaAccounts()
    for one in report.people.people:
        if one.password:
            day = None if one.expires is None else date.fromisoformat(one.expires)
            yield SetSambaExpiry(name=one.name, day=day)


def _finish(report: CopyContent) -> Step:
    loss = Loss(settings="The current settings of this console", holds="accounts, shares, schedules, jobs",
                kept_by="a file beside the database, until you delete it")  # fmt: skip
    return Step(
        title=f"Restart the console with the settings of {report.manifest.host}",
        commands=(OrderRestored(), RestartConsole()),
        destroys=(loss,),
        undo=(ForgetStaged(),),
    )


def _name_steps(report: CopyContent, inventory: Inventory, findings: Findings) -> tuple[Step, ...]:
    """As their own operations would do it."""
    steps: list[Step] = []
    now = inventory.naming
    try:
        if report.manifest.host != now.name:
            steps += set_name.plan(set_name.SetName(name=report.manifest.host), inventory).steps
        zone = report.manifest.time_zone
        if zone and zone != now.time_zone:
            steps += set_time_zone.plan(set_time_zone.ChangeTimeZone(time_zone=zone), inventory).steps
    except Refused as refused:
        for one in refused.findings:
            if one.level == "error":
                findings.error(one.code, "name", f"{one.message} Restore without the name.")
    return tuple(steps)


def _check_samba(report: CopyContent, inventory: Inventory, findings: Findings) -> None:
    if "smbpasswd" in report.manifest.members and not inventory.accounts.samba_answers:
        message = "The backup holds passwords for Samba, which is not installed here or does not respond."
        findings.error("no-samba", "copy", message)


def _add_findings(
    report: CopyContent, request: RestoreConfiguration, inventory: Inventory, findings: Findings
) -> None:
    manifest = report.manifest
    findings.info(
        "copy", "copy", f"Made on {manifest.host} by Nasweb {manifest.version}, {manifest.made_at}."
    )
    if not manifest.secrets:
        message = (
            "It holds no passwords. You sign in as now; the passwords of all other accounts and of people "
            "who use SMB, tokens and secrets of channels have to be set again."
        )
        findings.warning("no-secrets", "copy", message)
    else:
        message = (
            "Accounts get their old passwords back. Your own account keeps its current one. Tokens that were "
            "revoked here since stay revoked; all others of the backup work again. Secrets of "
            "channels (of mail servers and the like) were encrypted for the old machine: enter them again."
        )
        findings.info("secrets", "copy", message)
    kept = {one.name for one in report.people.people}
    if others := [one.name for one in inventory.accounts.people if one.name not in kept]:
        message = f"{', '.join(others[:5])} is not in the backup, and stays as it is."
        findings.info("others-stay", "copy", message)
    known = {one.name for one in inventory.accounts.people if one.samba != "none"}
    changed = [one.name for one in report.people.people if one.password and one.name in known]
    if changed and "smbpasswd" in manifest.members:
        message = (
            f"Passwords of existing people are replaced by those of the backup: {', '.join(changed[:5])}."
        )
        findings.warning("passwords-change", "copy", message)
    if not request.name and manifest.host != inventory.naming.name:
        message = f"The machine keeps the name {inventory.naming.name}; it was {manifest.host}."
        findings.info("name-stays", "name", message)
    message = "The audit log keeps all entries that it has now, beside those of the backup."
    findings.info("audit-log-stays", "", message)
    message = "The network settings and the certificate of this machine stay as they are."
    findings.info("network-stays", "", message)
    message = (
        "The console is offline for a minute and you have to sign in again. Shares follow by themselves."
    )
    findings.warning("signs-out", "", message)
