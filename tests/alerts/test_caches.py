"""Cache devices and spares: a pool loses nothing with them, and ZFS replaces neither."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from alerts.incidents.cause import Cause
from alerts.incidents.causes import causes
from host.inventory import Disk, Inventory
from pools.members import remove
from tests import made
from tests.alerts.cases import disks, memory, raidz2
from tests.frontend.machines import in_pool, leaf

CACHE = in_pool(made.disk(9), "tank")


def found(
    role: str, of_leaf: str, *, disk: Disk = CACHE, here: bool = True, errors: int = 3, **pool: Any
) -> list[Cause]:
    machine = with_extra(role, of_leaf, disk=disk, here=here, errors=errors, pool=pool)
    return list(causes(machine, memory([*disks(6), disk], gone=() if here else (6,))))


def with_extra(
    role: str, state: str, *, disk: Disk = CACHE, here: bool = True, errors: int = 3, pool: Any = None
) -> Inventory:
    """A healthy pool with a device more."""
    extra = leaf(disk, role=role, state=state, read_errors=errors, **({} if here else {"disk": None}))
    machine = raidz2(disks(6), spares=(extra,), **(pool or {}))
    return msgspec.structs.replace(machine, disks=(*machine.disks, disk)) if here else machine


def advised(cause: Cause) -> list[str]:
    return [step.operation or step.page or "by hand" for step in cause.steps]


@pytest.mark.parametrize("role", ["cache", "spare"])
@pytest.mark.parametrize(
    ("state", "here", "kind"), [("REMOVED", False, "disk-gone"), ("FAULTED", True, "disk-faulted")]
)
def test_one_that_is_lost_is_a_warning_and_is_to_be_removed(
    role: str, state: str, here: bool, kind: str
) -> None:
    (cause,) = found(role, state, here=here)
    assert (cause.kind, cause.severity, cause.impact) == (kind, "warning", 0)
    assert advised(cause)[-2:] == ["pool.remove", "/pools/tank/add/"]
    assert not any("replace" in step for step in advised(cause))
    assert f"Nothing is lost with a {role}: tank works without it." in cause.details


@pytest.mark.parametrize("role", ["cache", "spare"])
def test_what_is_advised_is_not_refused(role: str) -> None:
    (cause,) = found(role, "REMOVED", here=False)
    request = remove.RemoveVdev(**cause.steps[-2].request)
    plan = remove.plan(request, with_extra(role, "REMOVED", here=False))
    assert [command.argv()[-2:] for step in plan.steps for command in step.commands] == [("tank", "9WD-0009")]


@pytest.mark.parametrize(
    ("state", "errors", "kind"),
    [("ONLINE", 3, "disk-errors"), ("ONLINE", 0, "disk-failing"), ("OFFLINE", 0, "disk-offline")],
)
def test_a_cache_that_fails_or_is_offline_is_never_to_be_replaced(state: str, errors: int, kind: str) -> None:
    worn = msgspec.structs.replace(CACHE, health="failing")
    (cause,) = found("cache", state, disk=worn, errors=errors)
    assert (cause.kind, cause.severity) == (kind, "warning")
    assert "pool.remove" in advised(cause) and not any("replace" in step for step in advised(cause))


def test_a_missing_cache_is_not_why_a_pool_stands_still() -> None:
    suspended, cache = found("cache", "REMOVED", here=False, state="SUSPENDED")
    assert (suspended.title, suspended.spots) == ("tank is suspended", ())
    assert cache.title == "Bay A9: a cache of tank is gone"


def test_a_cache_is_named_as_one_where_several_go_at_once() -> None:
    both = [in_pool(made.disk(number), "tank") for number in (8, 9)]
    extra = [leaf(disk, role="cache", state="REMOVED", disk=None) for disk in both]
    machine = raidz2(disks(6), spares=extra)
    (cause,) = causes(machine, memory([*disks(6), *both], gone=(6, 7)))
    assert (cause.kind, cause.severity, cause.impact) == ("controller-gone", "warning", 0)
