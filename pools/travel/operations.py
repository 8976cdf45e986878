"""The operations by which pools come and go."""

from __future__ import annotations

from typing import Any

from jobs.operation import Effect, Operation
from jobs.wording import Data, Link, Wording, at
from pools.links import CARE_PAGE, OPEN_POOL
from pools.travel import export_pool, import_pool, relink_pool


def _import_title(data: Data) -> str:
    named = data.get("name") or "the pool"
    new = f" as {data['new_name']}" if data.get("new_name") else ""
    return f"{'Recover' if data.get('destroyed') else 'Import'} {named}{new}"


def _import_effect(data: Data) -> Effect:
    return (
        "destroys"
        if any(data.get(flag) for flag in ("missing_log", "rewind", "to_checkpoint"))
        else "changes"
    )


def _imported(data: Data) -> Link:
    name = data.get("new_name") or data.get("name")
    return OPEN_POOL({"name": name}) if name else Link("Pools", "/pools/")


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="pool.export",
        request=export_pool.ExportPool,
        plan=export_pool.plan,
        scope="pools:write",
        effect="changes",
        moves_datasets=True,
        wording=Wording(title="Export {name}", page=CARE_PAGE, result=at("Pools", "/pools/")),
    ),
    Operation(
        name="pool.import",
        request=import_pool.ImportPool,
        plan=import_pool.plan,
        scope="pools:write",
        effect=_import_effect,
        needs=import_pool.needs,
        wording=Wording(title=_import_title, page=at("Import", "/import/"), result=_imported),
    ),
    Operation(
        name="pool.relink",
        request=relink_pool.RelinkPool,
        plan=relink_pool.plan,
        scope="pools:write",
        effect="changes",
        moves_datasets=True,
        wording=Wording(title="Repair device links of {name}", page=CARE_PAGE, result=OPEN_POOL),
    ),
)
