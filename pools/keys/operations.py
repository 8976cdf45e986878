"""The operations on keys of encrypted datasets."""

from __future__ import annotations

from typing import Any

from host.families import Family
from jobs.operation import Operation
from jobs.wording import Data, Wording, at, counted
from pools.keys import change_key, load_key, test_key, unload_key
from pools.links import KEYS_PAGE


def _unlock(data: Data) -> str:
    named = data.get("names")
    many = named if isinstance(named, list) else []
    return f"Unlock {many[0] if len(many) == 1 else counted(len(many), 'dataset')}"


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="dataset.load-key",
        request=load_key.LoadKey,
        plan=load_key.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        wording=Wording(title=_unlock, page=at("Locked datasets", "/datasets/locked/")),
    ),
    Operation(
        name="dataset.unload-key",
        request=unload_key.UnloadKey,
        plan=unload_key.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        moves_datasets=True,
        wording=Wording(title="Lock {name}", page=KEYS_PAGE),
    ),
    Operation(
        name="dataset.change-key",
        request=change_key.ChangeKey,
        plan=change_key.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        wording=Wording(title="Change the key of {name}", page=KEYS_PAGE),
    ),
    Operation(
        name="dataset.test-key",
        request=test_key.TestKey,
        plan=test_key.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        wording=Wording(title="Test key of {name}", page=KEYS_PAGE),
    ),
)
