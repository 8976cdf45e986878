"""The operations that look after pools, and when they are due."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from host.families import Family
from jobs.operation import Asked, Effect, Operation
from jobs.wording import Data, Link, Wording, at
from pools.care import checkpoint, initialize, schedule, scrub, trim, upgrade
from pools.links import CARE_PAGE, OPEN_POOL

_SCRUB = {"start": "Scrub", "pause": "Pause the scrub of", "stop": "Stop the scrub of"}
_TRIM = {"start": "Trim", "suspend": "Suspend the trim of", "cancel": "Cancel the trim of"}
_INITIALIZE = {
    "start": "Initialize",
    "suspend": "Suspend the initialization of",
    "cancel": "Cancel the initialization of",
}
_CHECKPOINT = {"take": "Take a checkpoint of", "discard": "Discard the checkpoint of"}


def by_action(words: dict[str, str], first: str = "start") -> Callable[[Data], str | None]:
    """What each value of `action` does to the pool; `first` is done where none is named."""

    def title(data: Data) -> str | None:
        done = words.get(str(data.get("action", first)))
        return f"{done} {data.get('name', 'a pool')}" if done else None

    return title


def _stopping(operation: str, action: str) -> Callable[[Data], Asked | None]:
    """Of what was started, its stop."""

    def undo(data: Data) -> Asked | None:
        started = data.get("action", "start") == "start"
        return Asked(operation, {"name": data.get("name"), "action": action}) if started else None

    return undo


def _checkpoint_effect(data: Data) -> Effect:
    return "destroys" if data.get("action") == "discard" else "changes"


def _by_the_clock(data: Data) -> str:
    return f"Scheduled {data.get('kind', 'scrub')} of {data.get('pool', '')}"


def _schedule_page(data: Data) -> Link:
    return CARE_PAGE({"name": data.get("pool")})


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="pool.scrub",
        request=scrub.ScrubPool,
        plan=scrub.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        undo=_stopping("pool.scrub", "stop"),
        wording=Wording(title=by_action(_SCRUB), page=CARE_PAGE, result=OPEN_POOL),
    ),
    Operation(
        name="pool.trim",
        request=trim.TrimPool,
        plan=trim.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        undo=_stopping("pool.trim", "cancel"),
        wording=Wording(title=by_action(_TRIM), page=CARE_PAGE, result=OPEN_POOL),
    ),
    Operation(
        name="pool.initialize",
        request=initialize.InitializePool,
        plan=initialize.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        wording=Wording(title=by_action(_INITIALIZE), page=CARE_PAGE, result=OPEN_POOL),
    ),
    Operation(
        name="pool.upgrade",
        request=upgrade.UpgradePool,
        plan=upgrade.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        wording=Wording(title="Upgrade {name}", page=CARE_PAGE, result=OPEN_POOL),
    ),
    Operation(
        name="pool.checkpoint",
        request=checkpoint.CheckpointPool,
        plan=checkpoint.plan,
        scope="pools:write",
        effect=_checkpoint_effect,
        facts=frozenset({Family.POOLS}),
        wording=Wording(title=by_action(_CHECKPOINT, first="take"), page=CARE_PAGE, result=OPEN_POOL),
    ),
    Operation(
        name="pool.schedule",
        request=schedule.ScheduleCare,
        plan=schedule.plan,
        scope="pools:write",
        effect="harmless",
        remember=schedule.remember,
        wording=Wording(title=_by_the_clock, page=_schedule_page, result=at("Open {pool}", "/pools/{pool}/")),
    ),
)
