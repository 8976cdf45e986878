"""Every few seconds: a share whose file system came, went or moved is served, or not, as it should be.

It is an ordinary job of a routine operation. What somebody changed by hand is left alone, and the doctor
reports it: to overwrite it is for a person to decide.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog

from jobs import cache, submission
from jobs.models import Job, State
from jobs.plan import Refused
from shares.applying import apply, drifted

OPERATION = "sharing.follow"
_AGAIN = timedelta(minutes=5)  # after a failure: not every few seconds
# After a failure of what changes no file: as long as the name of a host leads nowhere, it will fail again.
_REPAIRED_AGAIN = timedelta(hours=1)
_log = structlog.get_logger("shares")


class Follower:
    """Who asks for scheduled jobs of shares."""

    def has_perm(self, perm: str) -> bool:
        """What it needs."""
        return perm == "shares:write"

    def get_username(self) -> str:
        """`shares`."""
        return "shares"


def tick(now: datetime) -> Job | None:
    """Submit what makes the services serve what is stored; None where they do, or nothing is shared."""
    inventory = cache.current()
    if inventory is None:
        return None
    sharing = inventory.sharing
    if not (sharing.smb or sharing.nfs or inventory.served.files) or drifted(inventory):
        return None
    user = Follower()
    try:
        if not apply(sharing, inventory, repair=True) or _failed_lately(now, _AGAIN):
            return None
        plan = submission.prepare(OPERATION, {}, user)
        if not any(step.changes for step in plan.steps) and _failed_lately(
            now, _REPAIRED_AGAIN, plan.summary
        ):
            return None
        job = submission.submit(OPERATION, {}, user, digest=plan.digest)
    except (submission.Busy, submission.PlanStale, Refused) as problem:
        _log.info("shares wait", reason=str(problem))
        return None
    _log.info("shares follow", job=job.pk)
    return job


def _failed_lately(now: datetime, wait: timedelta, summary: str | None = None) -> bool:
    """Whether the last job failed within that time; with `summary`, whether it was to do the same."""
    last = Job.objects.filter(operation=OPERATION).order_by("-id").first()
    if last is None or last.state in {State.SUCCEEDED, State.QUEUED, State.RUNNING}:
        return False
    if summary is not None and last.plan["summary"] != summary:
        return False
    return last.finished_at is not None and timedelta(0) <= now - last.finished_at < wait
