"""The operations on datasets that are written anew."""

from __future__ import annotations

from typing import Any

from host.families import Family
from jobs.operation import Operation
from jobs.wording import Data, Wording, at
from replication.rewrites import begin, compare, end, stop, switch

_PAGE = at("Rewriting", "/rewrite/{dataset:/}/")
_POOLS = frozenset({Family.POOLS})


def _switch_title(data: Data) -> str:
    name = data.get("dataset")
    return f"Switch {name} back" if data.get("back") is True else f"Switch {name} to its new copy"


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="dataset.rewrite",
        request=begin.RewriteDataset,
        plan=begin.plan,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        remember=begin.remember,
        wording=Wording(title="Rewrite {dataset}", page=_PAGE),
    ),
    Operation(
        name="dataset.stop-rewrite",
        request=stop.StopRewrite,
        plan=stop.plan,
        scope="pools:write",
        effect="harmless",
        facts=_POOLS,
        wording=Wording(title="Stop rewriting {dataset}", page=_PAGE),
    ),
    Operation(
        name="dataset.compare-rewrite",
        request=compare.CompareRewrite,
        plan=compare.plan,
        scope="pools:write",
        effect="harmless",
        facts=_POOLS,
        remember=compare.remember,
        wording=Wording(title="Compare the new copy of {dataset}", page=_PAGE),
    ),
    Operation(
        name="dataset.switch-rewrite",
        request=switch.SwitchRewrite,
        plan=switch.plan,
        scope="pools:write",
        effect="changes",
        facts=_POOLS,
        remember=switch.remember,
        moves_datasets=True,
        replaces=switch.replaces,
        wording=Wording(title=_switch_title, page=_PAGE),
    ),
    Operation(
        name="dataset.end-rewrite",
        request=end.EndRewrite,
        plan=end.plan,
        scope="pools:write",
        effect="destroys",
        facts=_POOLS,
        needs=end.needs,
        remember=end.remember,
        moves_datasets=True,
        wording=Wording(title="End rewriting {dataset}", page=_PAGE),
    ),
)
