"""Once a minute: copies are written where something was set, and checked once a day.

Each pool has a job of its own, of a routine operation: one that fails keeps no other from its copy.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog

from host.inventory import Pool
from jobs import cache, submission
from jobs.models import State
from jobs.plan import Refused
from machine.backup import content
from machine.backup.create import ROUTINE, silent
from machine.backup.models import CopySettingsRow, KeptOn
from machine.backup.status import obstacle

CHECKED_EVERY = timedelta(hours=20)
_PAUSE = timedelta(minutes=3)  # several settings in a row make one copy
_AGAIN = timedelta(minutes=30)  # after a failure
_log = structlog.get_logger("copies")


class Keeper:
    """Who asks for scheduled copies."""

    def has_perm(self, perm: str) -> bool:
        """What it needs."""
        return perm == "system:write"

    def get_username(self) -> str:
        """`copies`."""
        return "copies"


def tick(now: datetime) -> None:
    """Submit what is due. What cannot be done now is tried again at a later tick."""
    inventory = cache.current()
    row = content.settings_row()
    if inventory is None or not row.enabled or silent(inventory):
        return
    wanted = content.digest(inventory)
    known = {one.pool_guid: one for one in KeptOn.objects.select_related("last_job")}
    for pool in inventory.pools:
        stands = known.get(pool.guid) or KeptOn(pool_guid=pool.guid)
        if obstacle(pool, inventory) is None and _due(stands, row, wanted, now):
            _submit(pool, now)
    KeptOn.objects.exclude(pool_guid__in=[pool.guid for pool in inventory.pools]).filter(
        checked_at__lt=now - timedelta(days=400)
    ).delete()


def _due(stands: KeptOn, row: CopySettingsRow, wanted: str, now: datetime) -> bool:
    if stands.tried_at is not None:
        failed = stands.last_job is not None and stands.last_job.state not in {State.SUCCEEDED, State.RUNNING}
        pause = _AGAIN if failed else _PAUSE
        # A clock that was set back: the time of the last try lies ahead, and says nothing.
        if timedelta(0) <= now - stands.tried_at < pause:
            return False
    if stands.checked_at is None or (stands.content, stands.secrets) != (wanted, row.secrets):
        return True
    return not timedelta(0) <= now - stands.checked_at < CHECKED_EVERY


def _submit(pool: Pool, now: datetime) -> None:
    data = {"pools": [pool.name], "anyway": False}
    stands, _ = KeptOn.objects.update_or_create(
        pool_guid=pool.guid, defaults={"pool_name": pool.name, "tried_at": now}
    )
    try:
        stands.last_job = submission.submit(ROUTINE, data, Keeper())
    except (submission.Busy, submission.PlanStale, Refused) as problem:
        _log.info("no copy now", pool=pool.name, reason=str(problem))
        return
    stands.save(update_fields=["last_job"])
