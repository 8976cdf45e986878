"""What a paired machine has sent here, and what can be done with it while that machine is away."""

from __future__ import annotations

from urllib.parse import quote

import msgspec

from host.inventory import Inventory
from host.replication.values import Pairing
from jobs.wording import counted
from replication.replications.live import is_quiet, tree_of


class ReceivedView(msgspec.Struct, frozen=True, kw_only=True):
    """A replica with all below it. `live`: it can be written to."""

    name: str
    holds: str
    live: bool
    share_href: str


def received_views(pairing: Pairing, inventory: Inventory) -> tuple[ReceivedView, ...]:
    """Those that lie directly below the pairing's own dataset."""
    depth = pairing.dataset.count("/") + 1
    tops = [one for one in inventory.below(pairing.dataset) if one.name.count("/") == depth]
    return tuple(_view(one.name, inventory) for one in sorted(tops, key=lambda one: one.name))


def _view(name: str, inventory: Inventory) -> ReceivedView:
    tree = tree_of(name, inventory)
    return ReceivedView(
        name=name,
        holds=counted(len(tree), "dataset"),
        live=any(not is_quiet(one) for one in tree),
        share_href=f"/create/share/smb/?dataset={quote(name, safe='/')}",
    )
