"""The operations on files in snapshots."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from host.families import Family
from host.files.names import plain
from jobs.operation import Effect, Operation
from jobs.wording import Data, Link, Wording, at
from pools.files import restore, share_blocks, stop_restore


def _restoring(data: Data) -> str | None:
    path = data.get("path")
    return f"Restore {plain(path)}" if isinstance(path, str) else None


def _restore_effect(data: Data) -> Effect:
    """Over what is there now something is replaced; beside it nothing is."""
    return "harmless" if data.get("mode", "beside") == "beside" else "destroys"


def _versions(data: Data) -> Link:
    dataset, path = str(data.get("snapshot", "")).partition("@")[0], str(data.get("path", ""))
    return Link("Versions", f"/versions/{quote(dataset)}/?path={quote(path, safe='')}")


_SCAN = at("Files by kind and size", "/scan/{dataset:/}/")

OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="snapshot.restore",
        request=restore.RestoreFromSnapshot,
        plan=restore.plan,
        scope="files:write",
        effect=_restore_effect,
        facts=frozenset({Family.POOLS}),
        needs=restore.needs,
        names_files=True,
        wording=Wording(title=_restoring, page=_versions),
    ),
    Operation(
        name="dataset.share-blocks",
        request=share_blocks.ShareBlocksOfFiles,
        plan=share_blocks.plan,
        scope="files:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        names_files=True,
        wording=Wording(title="Share blocks of files in {dataset}", page=_SCAN),
    ),
    Operation(
        name="snapshot.stop-restore",
        request=stop_restore.StopOneRestore,
        plan=stop_restore.plan,
        scope="files:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        needs=stop_restore.needs,
        names_files=True,
        wording=Wording(title="Stop a restore into {dataset}", page=at("Files", "/files/{dataset:/}/")),
    ),
)
