"""Examples of targets and pairings."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from host.inventory import Inventory
from host.replication.values import Pairing, Replicating, Target
from jobs.plan import Plan
from replication.pairings.identity import QUESTION, Identity
from tests import made
from tests.summaries.asked import SECRET, asked

_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILFGhr1QK+DW2b5h7uivW+ImLF9ug3yLZ6pbMhfH4Bj0"
_ATTIC = Target(
    id=1, name="attic", kind="ssh", dataset="vault/nas", connection="0" * 16, host="10.0.0.7", user="backup"
)
_CELLAR = Target(
    id=2, name="cellar", kind="nasweb", dataset="tank/replicas/nas", connection="1" * 16, host="10.0.0.8",
    user="nasweb-peer", machine="cellar",
)  # fmt: skip
_COTTAGE = Pairing(
    id=1, name="cottage", peer="2" * 16, dataset="tank/replicas/cottage", shared=("tank/photos",),
    user_key=_KEY, machine="cottage",
)  # fmt: skip


def _machine(*, ssh: bool = True) -> Inventory:
    names = ("tank", "tank/photos", "tank/letters", "tank/replicas", "tank/replicas/cottage")
    found = made.inventory(pools=(made.pool("tank"),), datasets=tuple(made.dataset(name) for name in names))
    return msgspec.structs.replace(
        found,
        replicating=Replicating(targets=(_ATTIC, _CELLAR), pairings=(_COTTAGE,)),
        answers={QUESTION: Identity(host_keys=(_KEY,), running=ssh)},
    )


def _of(operation: str, /, **request: object) -> Callable[[], Plan]:
    return asked(_machine(), operation, **request)


EXAMPLES: dict[str, tuple[Callable[[], Plan], ...]] = {
    "target.create": (
        _of("target.create", name="second pool", kind="pool", dataset="tank/copies"),
        _of("target.create", name="disk A", kind="pool", dataset="tank/copies", rotating=True),
        _of("target.create", name="elsewhere", kind="ssh", dataset="vault/nas", host="offsite.home.arpa"),
    ),
    "target.pair": (_of("target.pair", name="summer house", host="10.0.0.9", code=SECRET),),
    "target.trust": (_of("target.trust", id=1, host_keys=[_KEY]),),
    "target.change": (
        _of("target.change", id=1, host="10.0.0.9"),
        _of("target.change", id=1, name="barn"),
    ),
    "target.remove": (_of("target.remove", id=1), _of("target.remove", id=2)),
    "pairing.offer": (
        _of("pairing.offer", name="barn", dataset="tank/replicas/barn"),
        asked(
            _machine(ssh=False), "pairing.offer", name="barn", dataset="tank/replicas/barn",
            shared=["tank/photos", "tank/letters"],
        ),
    ),
    "pairing.accept": (_of("pairing.accept", id=1, key=_KEY, machine="cottage"),),
    "pairing.change": (_of("pairing.change", id=1, shared=["tank/letters"]),),
    "pairing.remove": (_of("pairing.remove", id=1),),
}  # fmt: skip
