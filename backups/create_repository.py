"""repository.create, repository.import: where backups are stored, made anew or as it is already."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from backups import stored
from backups.names import Name, key_of
from backups.places import check_place
from backups.zones import zone_of
from host.commands.backups import (
    ForgetRepository,
    InitRepository,
    MakeRepositoryFolder,
    MakeRepositoryKey,
    OpenRepository,
    Percent,
    StoreRepositorySecret,
    WriteRepository,
)
from host.commands.base import SECRET_PATTERN
from host.commands.closed import AnyCommand
from host.inventory import Inventory
from host.repositories.settings import (
    LocalFolder,
    RepositorySettings,
    RestServer,
    S3Storage,
    SftpServer,
    fingerprint,
)
from host.repositories.words import place_of
from jobs.plan import Plan, Step
from jobs.planning.authority import pasted
from jobs.planning.findings import Findings
from jobs.schedules import cron
from jobs.schedules.change import CronText, ZoneText
from jobs.schedules.sentence import sentence
from jobs.secrets import typed_as

_Typed = Annotated[str, Meta(pattern=r"\A[^\x00-\x1f\x7f]*\Z", min_length=1, max_length=500)]
_New = Annotated[
    str,
    Meta(
        pattern=r"\A[^\x00-\x1f\x7f]*\Z", min_length=12, max_length=500,
        description="a password of at least 12 characters",
    ),
]  # fmt: skip
NewPassword = Annotated[str, Meta(pattern=SECRET_PATTERN, extra=typed_as(_New))]
KnownPassword = Annotated[str, Meta(pattern=SECRET_PATTERN, extra=typed_as(_Typed))]
WEEKLY = "0 4 * * sun"
_RESERVED = {"import", "server-keys"}  # below repositories/


class _Place(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Name
    key: KnownPassword | None = None  # the secret access key, or the password for a REST server
    local: LocalFolder | None = None
    sftp: SftpServer | None = None
    rest: RestServer | None = None
    s3: S3Storage | None = None
    check_cron: CronText | None = WEEKLY  # null: it is never checked on schedule
    check_percent: Percent = 5
    time_zone: ZoneText | None = None


class CreateRepository(_Place, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Make a new repository at one place: `local`, `sftp`, `rest` or `s3`. Without `password` nobody can read
    what is stored there: write it down elsewhere. Of SFTP the console makes a key, which the server has to
    know before the repository is connected."""

    password: NewPassword


class ImportRepository(_Place, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Use a repository that is there already, with the `password` that opens it."""

    password: KnownPassword


type Place = CreateRepository | ImportRepository


def plan_create(request: CreateRepository, inventory: Inventory) -> Plan:
    """Raises `Refused`."""
    return _plan(request, inventory, "repository.create")


def plan_import(request: ImportRepository, inventory: Inventory) -> Plan:
    """Raises `Refused`."""
    return _plan(request, inventory, "repository.import")


def _plan(
    request: Place, inventory: Inventory, operation: Literal["repository.create", "repository.import"]
) -> Plan:
    findings = Findings()
    settings = settings_of(request, findings)
    if request.name in _RESERVED:
        findings.error("name-taken", "name", "An address of the API has this name. Choose another one.")
    if inventory.backups.repository(request.name):
        findings.error("name-taken", "name", f"There is a repository {request.name} already.")
    for other in inventory.backups.repositories:
        if other.settings.location == settings.location:
            message = f"That place is the repository {other.name} already."
            findings.error("place-taken", settings.kind, message)
    check_place(settings, inventory, findings)
    if settings.needs_key != (request.key is not None):
        message = "The server asks for a key." if settings.needs_key else "There is nothing to use a key for."
        findings.error("bad-key", "key", message)
    if request.check_cron is not None:
        cron.check(request.check_cron, zone_of(request.time_zone, inventory), findings)
    else:
        message = "It is never checked on schedule: damage is found when you need what is stored."
        findings.warning("never-checked", "check_cron", message)
    findings.refuse_on_error()
    return Plan(
        operation=operation,
        steps=(_step(request, settings),),
        summary=_summary(request, settings, inventory),
        findings=findings.all(),
        claims=(f"repository:{request.name}",),
    )


def settings_of(request: Place, findings: Findings) -> RepositorySettings:
    """Raises `Refused` where it is not one place, or one that is not allowed."""
    rest = s3 = None
    if request.rest is not None:
        rest = replace(request.rest, authority=_authority("rest", request.rest, findings))
    if request.s3 is not None:
        s3 = replace(request.s3, authority=_authority("s3", request.s3, findings))
    findings.refuse_on_error()
    try:
        return RepositorySettings(local=request.local, sftp=request.sftp, rest=rest, s3=s3)
    except ValueError as error:
        given = next((kind for kind in ("local", "sftp", "rest", "s3") if getattr(request, kind)), "")
        field = f"{given}.{'path' if given == 'local' else 'host'}" if given else ""
        findings.refuse("bad-place", field, f"{error}.".replace("..", "."))


def _authority(kind: str, server: RestServer | S3Storage, findings: Findings) -> str:
    return pasted(server.authority, f"{kind}.authority", findings, tls=server.tls)


def key_for(request: Place, settings: RepositorySettings) -> str:
    """By which root's files know it."""
    return key_of(request.name, settings.location)


def _step(request: Place, settings: RepositorySettings) -> Step:
    key = key_for(request, settings)
    commands: list[AnyCommand] = [
        MakeRepositoryFolder(repository=key),
        WriteRepository(repository=key, settings=settings),
        StoreRepositorySecret(repository=key, what="password", secret=request.password),
    ]
    if request.key is not None:
        commands.append(StoreRepositorySecret(repository=key, what="key", secret=request.key))
    if settings.sftp is not None:
        commands.append(MakeRepositoryKey(repository=key))
        title = f"Keep the way to {place_of(settings)} in root's files, and make a key for it"
    elif isinstance(request, ImportRepository):
        commands.append(OpenRepository(repository=key))
        title = f"Open the repository at {place_of(settings)}"
    else:
        commands.append(InitRepository(repository=key))
        title = f"Make a repository at {place_of(settings)}"
    return Step(title=title, commands=tuple(commands), undo=(ForgetRepository(repository=key),))


def _summary(request: Place, settings: RepositorySettings, inventory: Inventory) -> str:
    new = isinstance(request, CreateRepository)
    where = settings.location
    if settings.sftp is not None:
        mark = fingerprint(settings.sftp.host_key)
        first = (
            f"A key for {where} is made, and the server is known by its own, {mark}: once it lets that key "
            "in, connect the repository"
        )
    elif new:
        first = f"A new repository is made at {where}, and everything is encrypted before it gets there"
    else:
        first = (
            f"The repository at {where} is opened and used from now on, and nothing in it is changed by that"
        )
    lost = "Without its password nobody can ever read what it holds: keep it somewhere else, too."
    schedule = check_schedule(request, settings, inventory)
    checked = f" It is checked {sentence(schedule.cron)}." if schedule else ""
    return f"{first}. {lost}{checked}"


def check_schedule(
    request: Place, settings: RepositorySettings, inventory: Inventory
) -> stored.ScheduleSpec | None:
    """When it is checked; None where nobody wants that."""
    if request.check_cron is None:
        return None
    return stored.ScheduleSpec(
        subject=f"repository:{key_for(request, settings)}", operation="repository.check",
        request={"name": request.name}, cron=request.check_cron,
        time_zone=zone_of(request.time_zone, inventory),
    )  # fmt: skip


def remember(request: Place, inventory: Inventory, actor: str) -> None:
    """Write the row, and the schedule of its checks."""
    settings = settings_of(request, Findings())
    stored.add_repository(
        request.name, key_for(request, settings), settings, ready=settings.sftp is None,
        existing=isinstance(request, ImportRepository), check_percent=request.check_percent,
        schedule=check_schedule(request, settings, inventory), actor=actor,
    )  # fmt: skip
