"""Puts a restored database in place of the current one, while neither web nor worker runs.

A unit of its own does it before they start (ansible/roles/services/files/units/nasweb-swap.service). The
restored database is prepared in a file beside: migrated to this release's schema, and the restore is recorded
in it. One rename puts it in place. Whenever the power fails, the one or the other database is there, and
whole; what was ordered and not yet done is done at the next start, and what was done is not done again.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from itertools import batched
from pathlib import Path

import structlog
from django.core.management import call_command
from django.db import DatabaseError, connections, transaction
from django.utils import timezone

from host import typed
from host.backup.folders import ORDER, READY
from host.backup.manifest import Order
from jobs.audit import record
from jobs.models import AuditEvent, Job, JobStep, State
from machine.backup.damaged import fault_of
from machine.backup.models import CopySettingsRow, KeptOn, Restoration
from machine.backup.places import folders
from machine.backup.tables import backup_tables

ALIAS = "restored"
OPERATION = "configuration.restore"
_TIMEOUT_S, _PAUSE_S = 20.0, 0.2
_AT_ONCE = 500
_log = structlog.get_logger("restore")


class NotPutInPlace(Exception):
    """The current database stays; the text says why."""


def put_in_place(database: Path) -> Restoration | None:
    """Carry out what was ordered. None where nothing was; the row says how it went."""
    restored = folders().restored
    if not (restored / READY).exists():
        return None
    order = typed.decode((restored / ORDER).read_bytes(), Order)
    if (fault := fault_of(database)) is not None:
        return _in_place_of_damaged(database, order, fault)
    if known := Restoration.objects.filter(order=order.id).first():
        _clear(restored)
        return known
    job = Job.objects.filter(operation=OPERATION).order_by("-id").first()
    by = job.submitted_by if job else "command line"
    fresh = database.with_name(f"{database.name}.restored")
    try:
        _copy(restored / READY, fresh)
        row = _make_ready(fresh, order, job, by, database, _keep)
        _exchange(database, fresh, database.with_name(row.before))
    except Exception as error:  # noqa: BLE001
        # Whatever it is, the current database stays, and the console has to start.
        _log.exception("restored database not put in place")
        _remove(fresh)
        return _say_failed(order, by, error)
    _clear(restored)
    _log.info("restored database put in place", host=row.host, made_at=str(row.made_at))
    return row


def _in_place_of_damaged(database: Path, order: Order, fault: str) -> Restoration | None:
    """Nothing in the current one is needed. It is kept beside, with what SQLite keeps beside it."""
    fresh = database.with_name(f"{database.name}.restored")
    by = "command line"
    try:
        _copy(folders().restored / READY, fresh)
        row = _make_ready(fresh, order, None, by, database, _keep_what_can_be_read)
        fresh.chmod(0o660)  # nothing that can fail stands between the old one's leaving and this
        connections["default"].close()
        for suffix in ("", "-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                database.with_name(f"{database.name}{suffix}").replace(
                    f"{database.with_name(row.before)}{suffix}"
                )
        fresh.replace(database)
    except Exception:  # noqa: BLE001
        # As above; and there is no database to say it in.
        _log.exception("restored database not put in place of a damaged one")
        _remove(fresh)
        return None
    _clear(folders().restored)
    _log.info("restored database put in place of a damaged one", fault=fault, host=row.host)
    return row


def _kept(by: str) -> tuple[Callable[[], None], ...]:
    """What the restored database takes over from the current one."""
    tables = backup_tables()
    return (partial(tables.revoke, ALIAS), partial(tables.carry, by, ALIAS), _carry_audit_log)


def _keep(by: str) -> None:
    for carry in _kept(by):
        carry()


def _keep_what_can_be_read(by: str) -> None:
    """Of the damaged one, what lies on pages that are whole."""
    for carry in _kept(by):
        try:
            with transaction.atomic(using=ALIAS):
                carry()
        except DatabaseError as error:
            _log.warning("a part of the damaged database is lost", error=str(error))
    backup_tables().reopen(ALIAS)


def _carry_audit_log() -> None:
    """Nobody deletes entries of the log, by a restore either: those that the copy lacks are added to its own.

    A job that is not there has no entry that leads to it: its number will be another job's.
    """
    there = set(AuditEvent.objects.using(ALIAS).values_list("at", "actor", "action", "subject").iterator())
    events = AuditEvent.objects.order_by("id").iterator(chunk_size=_AT_ONCE)
    lacking = (one for one in events if (one.at, one.actor, one.action, one.subject) not in there)
    for some in batched(lacking, _AT_ONCE):
        numbers = [one.job_id for one in some if one.job_id is not None]
        submitted = dict(Job.objects.filter(pk__in=numbers).values_list("pk", "submitted_at"))
        known = Job.objects.using(ALIAS).filter(pk__in=numbers).values_list("pk", "submitted_at")
        same = {pk for pk, at in known if at == submitted.get(pk)}
        for one in some:
            one.pk, one.job_id = None, one.job_id if one.job_id in same else None
        AuditEvent.objects.using(ALIAS).bulk_create(some)


def _make_ready(
    fresh: Path, order: Order, job: Job | None, by: str, database: Path, keep: Callable[[str], None]
) -> Restoration:
    with _opened(fresh):
        call_command("migrate", database=ALIAS, verbosity=0, interactive=False)
        # It may come from elsewhere: nothing that waits there is to be carried out here.
        waiting = Job.objects.using(ALIAS).filter(state__in=(State.QUEUED, State.RUNNING))
        waiting.update(state=State.INTERRUPTED, finished_at=timezone.now())
        KeptOn.objects.using(ALIAS).all().delete()
        CopySettingsRow.objects.using(ALIAS).get_or_create(pk=1, defaults={"origin": order.manifest.origin})
        keep(by)
        if job is not None:
            _bring(job)
        now = timezone.now()
        row = Restoration(
            order=order.id,
            at=now,
            by=by,
            host=order.manifest.host,
            made_at=datetime.fromisoformat(order.manifest.made_at),
            succeeded=True,
            said=f"All settings are those of {order.manifest.host} at that time.",
            before=f"{database.name}.before-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}",
        )
        row.save(using=ALIAS)
    with closing(sqlite3.connect(fresh)) as whole:
        (verdict,) = whole.execute("PRAGMA quick_check").fetchone()
        (mode,) = whole.execute("PRAGMA journal_mode=DELETE").fetchone()
    if verdict != "ok" or mode != "delete":
        raise NotPutInPlace(f"The restored database is damaged: {verdict}")
    _sync(fresh)
    return row


def _bring(job: Job) -> None:
    """The job's own record goes with it."""
    steps = list(JobStep.objects.filter(job=job))
    copy = Job.objects.get(pk=job.pk)
    copy.pk, copy.idempotency_key = None, None
    if copy.active:  # the power went before it could say that it had ended
        copy.state, copy.finished_at = State.SUCCEEDED, timezone.now()
    copy.save(using=ALIAS, force_insert=True)
    for step in steps:
        step.pk, step.job_id = None, copy.pk
        step.save(using=ALIAS, force_insert=True)


@contextmanager
def _opened(path: Path) -> Iterator[None]:
    """The database in `path` as one more of Django's."""
    default = connections.databases["default"]
    connections.databases[ALIAS] = default | {
        "NAME": str(path), "CONN_MAX_AGE": 0, "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20},
    }  # fmt: skip
    try:
        yield
    finally:
        connections[ALIAS].close()
        del connections[ALIAS], connections.databases[ALIAS]


def _exchange(database: Path, fresh: Path, before: Path) -> None:
    """The one moment. What SQLite keeps beside the current database has to be gone by then: it would be taken
    for a part of the new one. Raises `OSError`, `NotPutInPlace`."""
    connections["default"].close()
    _let_go(database)
    before.unlink(missing_ok=True)
    os.link(database, before)
    fresh.chmod(database.stat().st_mode & 0o777)
    fresh.replace(database)
    with suppress(OSError):  # it is done, whether or not it is on the disk in this moment
        _sync(database.parent)


def _let_go(database: Path) -> None:
    """Wait until nobody else has it open, such as a command that has just ended. Raises `NotPutInPlace`."""
    deadline = time.monotonic() + _TIMEOUT_S
    while True:
        with suppress(sqlite3.OperationalError), closing(sqlite3.connect(database)) as old:
            old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (mode,) = old.execute("PRAGMA journal_mode=DELETE").fetchone()
            if mode == "delete":
                break
        if time.monotonic() > deadline:
            raise NotPutInPlace("Somebody else uses the database now.")
        time.sleep(_PAUSE_S)
    if database.with_name(f"{database.name}-wal").exists():
        raise NotPutInPlace("SQLite left something beside the database.")


def _say_failed(order: Order, by: str, error: Exception) -> Restoration:
    why = f"{type(error).__name__}: {error}"[:1000]
    record(by, "configuration.restore-failed", order.manifest.host, why=why)
    return Restoration.objects.create(
        order=order.id, at=timezone.now(), by=by, host=order.manifest.host,
        made_at=datetime.fromisoformat(order.manifest.made_at), succeeded=False, said=why,
    )  # fmt: skip


def _clear(restored: Path) -> None:
    """Where it is root's, as on the installed machine, the unit does so."""
    with suppress(OSError):
        (restored / READY).unlink()


def _copy(source: Path, target: Path) -> None:
    _remove(target)
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o660)
    with os.fdopen(descriptor, "wb") as file, source.open("rb") as original:
        while chunk := original.read(1 << 20):
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())


def _remove(path: Path) -> None:
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm", f"{path.name}-journal"):
        with suppress(FileNotFoundError):
            path.with_name(name).unlink()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
