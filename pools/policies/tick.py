"""Once a minute: submits what policies want as one job for each pool.

It is an ordinary job: claimed, audited where it deletes, shown with its commands, failing for all to see.
Its operation is `routine`: lists of jobs fold those that went well, and they are forgotten after a week.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

import structlog
from django.db import transaction

from host.base import Host, HostError
from host.inventory import Inventory, Pool, Snapshot
from host.inventory.redundancy import resilvering
from host.probe.datasets.marks import read_marks
from jobs import cache, submission
from jobs.models import Claim, Job, State
from jobs.plan import Refused
from jobs.rights import Clockwork
from pools.models import PolicyRun
from pools.policies import index
from pools.policies.rules.due import Newest, latest_possible, to_take
from pools.policies.rules.effective import Effective, all_effective
from pools.policies.rules.guard import too_many
from pools.policies.rules.names import LONGEST_TAG, read_tag, tier_of
from pools.policies.rules.retention import doomed

_log = structlog.get_logger("policies")
_AGAIN = timedelta(minutes=15)  # after a failure: not every minute
_LONGEST_NAME = 255


def tick(now: datetime, host: Host) -> None:
    """Look at all pools. What cannot be done now is tried again at a later tick."""
    inventory = cache.current()
    if inventory is None:
        return
    acting = [one for one in all_effective(inventory) if one.acts]
    _end_of_failures(inventory, {one.dataset.partition("/")[0] for one in acting})
    if not acting:
        return
    newest = {name: one.newest for name, one in index.taken(inventory, now).items()}
    for pool in inventory.pools:
        theirs = [one for one in acting if one.dataset.partition("/")[0] == pool.name]
        if theirs:
            try:
                _run_pool(pool, theirs, newest, inventory, now, host)
            except Exception:  # noqa: BLE001 - one pool must not stop the others
                _log.exception("policies broke", pool=pool.name)


def _end_of_failures(inventory: Inventory, acting: set[str]) -> None:
    """Where no policy acts any more, nothing fails any more."""
    idle = [pool.guid for pool in inventory.pools if pool.name not in acting]
    PolicyRun.objects.filter(pool_guid__in=idle, failing_since__isnull=False).update(failing_since=None)


def _run_pool(
    pool: Pool,
    policies: list[Effective],
    newest: Mapping[str, Newest],
    inventory: Inventory,
    now: datetime,
    host: Host,
) -> None:
    row, _ = PolicyRun.objects.get_or_create(pool_guid=pool.guid, defaults={"pool_name": pool.name})
    if not _settled(row, now):
        return
    fitting = [one for one in policies if len(one.dataset) + 1 + LONGEST_TAG <= _LONGEST_NAME]
    take = to_take(fitting, _with_last(newest, row.last_job, now), now)
    if not take:
        return
    if obstacle := _obstacle(pool):
        PolicyRun.objects.filter(pk=row.pk).update(said=f"Waits: {obstacle}"[:500])
        return
    said = ""
    delete: dict[str, list[str]] = {}
    waiting: dict[str, int] = {}
    try:
        if resilvering(pool):
            said = f"{pool.name} is resilvering: nothing is deleted until that has finished."
        else:
            delete, waiting = _to_delete(pool, policies, take, inventory, now, host)
    except HostError as error:
        said = f"Nothing was deleted: {error}"
    if len(fitting) < len(policies):
        said += f" {len(policies) - len(fitting)} datasets have too long a path for the name of a snapshot."
    _submit(row, pool, {"pool": pool.name, "take": take, "delete": delete}, now, said=said, waiting=waiting)


def _settled(row: PolicyRun, now: datetime) -> bool:
    """Whether the last run has ended, and not failed a moment ago; keeps since when runs fail."""
    job: Job | None = row.last_job
    if job is not None and job.active:
        return False
    if job is not None and job.state == State.SUCCEEDED:
        if row.failing_since is not None:
            PolicyRun.objects.filter(pk=row.pk).update(failing_since=None)
            row.failing_since = None
    elif job is not None and row.failing_since is None:
        row.failing_since = row.tried or now
        PolicyRun.objects.filter(pk=row.pk).update(failing_since=row.failing_since)
    if row.failing_since is None or row.tried is None:
        return True
    return not timedelta(0) <= now - row.tried < _AGAIN


def _with_last(newest: Mapping[str, Newest], job: Job | None, now: datetime) -> dict[str, Newest]:
    """`newest` with what the last run took: the index may not have seen it yet."""
    found = dict(newest)
    if job is None or job.state != State.SUCCEEDED:
        return found
    for tag, datasets in job.request.get("take", {}).items():
        if (read := read_tag(tag)) is None or read[1] > latest_possible(now):
            continue
        tier, moment = read
        for dataset in datasets:
            known = found.get(dataset, {})
            if tier not in known or known[tier] < moment:
                found[dataset] = {**known, tier: moment}
    return found


def _obstacle(pool: Pool) -> str:
    if pool.suspended:
        return f"{pool.name} is suspended."
    if pool.readonly:
        return f"{pool.name} is imported read-only."
    claim = Claim.objects.filter(resource=f"pool:{pool.name}").first()
    return f"job {claim.job_id} holds {pool.name}." if claim else ""


def _to_delete(
    pool: Pool,
    policies: list[Effective],
    take: Mapping[str, tuple[str, ...]],
    inventory: Inventory,
    now: datetime,
    host: Host,
) -> tuple[dict[str, list[str]], dict[str, int]]:
    """Names by dataset, of those that get a snapshot now; and how many wait where they are too many.

    The index may be some seconds old, and shows a mark that was inherited or received like our own: what it
    names is asked for again before it goes.
    """
    taken = {dataset: tag for tag, datasets in take.items() for dataset in datasets}
    existing = index.of(taken, inventory)
    going: dict[str, list[Snapshot]] = {}
    waiting: dict[str, int] = {}
    for one in policies:
        if one.policy is None or one.dataset not in taken:
            continue
        there = existing.get(one.dataset, ())
        new = _new(one.dataset, taken[one.dataset], now, pool.guid)
        lost = doomed((*there, new), one.policy, now, pool_guid=pool.guid)
        ours = sum(tier_of(snapshot, pool.guid) is not None for snapshot in there)
        if too_many(len(lost), of=ours):
            waiting[one.dataset] = len(lost)
        elif lost:
            going[one.dataset] = list(lost)
    names = tuple(snapshot.name for ones in going.values() for snapshot in ones)
    marks = read_marks(host, names) if names else {}
    found = {
        dataset: [snapshot.tag for snapshot in ones if marks.get(snapshot.name) == pool.guid]
        for dataset, ones in going.items()
    }
    return {dataset: tags for dataset, tags in found.items() if tags}, waiting


def _new(dataset: str, tag: str, now: datetime, guid: str) -> Snapshot:
    """The one that this run takes first."""
    return Snapshot(
        name=f"{dataset}@{tag}", guid="0", created=int(now.timestamp()), used_bytes=0, referenced_bytes=0,
        mark=guid,
    )  # fmt: skip


def _submit(
    row: PolicyRun,
    pool: Pool,
    request: dict[str, object],
    now: datetime,
    *,
    said: str,
    waiting: dict[str, int],
) -> None:
    """The job and the memory of it are written together."""
    # What it may destroy is what a policy, given by a person, says.
    user = Clockwork("policies", "pools:write", "destroy")
    found = PolicyRun.objects.filter(pk=row.pk)
    try:
        digest = submission.prepare("policy.run", request, user).digest
        with transaction.atomic():
            job = submission.submit(
                "policy.run", request, user, digest=digest,
                idempotency_key=f"policies-{pool.guid}-{now:%Y%m%dT%H%MZ}",
            )  # fmt: skip
            found.update(pool_name=pool.name, tried=now, last_job=job, said=said[:500], waiting=waiting)
    except (submission.Busy, submission.PlanStale, submission.IdempotencyMismatch) as problem:
        found.update(said=f"Waits: {problem}"[:500])
    except Refused as refused:
        messages = " ".join(finding.message for finding in refused.findings if finding.level == "error")
        found.update(tried=now, failing_since=row.failing_since or now, said=messages[:500], last_job=None)
    else:
        _log.info("submitted", pool=pool.name, job=job.pk)
