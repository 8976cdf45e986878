"""What the plan says of a user who gets a folder of their own."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from jobs.plan import Plan
from nasweb.operations import OPERATIONS
from shares.people.create_with_folder import CreatePersonWithFolder
from tests import made
from tests.shares.people import SECRET, machine

_NAS = msgspec.structs.replace(
    machine(), pools=(made.pool(),), datasets=(made.dataset("tank", mounted="yes", canmount="on"),)
)


def _with_folder(password: str | None = None) -> Plan:
    request = CreatePersonWithFolder(name="dora", folder="tank/dora", password=password)
    return OPERATIONS["person.create-with-folder"].plan(request, _NAS)


EXAMPLES: dict[str, tuple[Callable[[], Plan], ...]] = {
    "person.create-with-folder": (lambda: _with_folder(password=SECRET), _with_folder),
}
