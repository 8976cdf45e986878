"""dataset.test-key: find out whether a passphrase or key is the right one, before it is needed."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.datasets.keys import ZfsTestKey
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.keys.roots import check_given, find_root, format_of
from pools.keys.typed import Key, Passphrase


class TestKey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Try a passphrase or key on an encryption root, locked or not. Nothing changes."""

    __test__ = False  # of no test suite

    name: Annotated[str, Meta(max_length=1024)]
    passphrase: Passphrase | None = None
    key: Key | None = None


def plan(request: TestKey, inventory: Inventory) -> Plan:
    """Raises `Refused` for what has no key of its own or opens with something else."""
    findings = Findings()
    root = find_root(request.name, "name", inventory, findings)
    secret = check_given(() if root is None else (root,), request.passphrase, request.key, findings)
    findings.refuse_on_error()
    assert root is not None  # noqa: S101
    command = ZfsTestKey(name=root.name, secret=str(secret), key_format=format_of(root))
    return Plan(
        operation="dataset.test-key",
        steps=(Step(title=f"Test the key of {root.name}", commands=(command,)),),
        summary=_summary(request, root.name),
        claims=(f"dataset:{root.name}",),
    )


def _summary(request: TestKey, name: str) -> str:
    what = "passphrase" if request.passphrase is not None else "key"
    return (
        f"The {what} is tried on {name}: the job succeeds if it is the right one, and fails if it is not. "
        "Nothing is locked or unlocked."
    )
