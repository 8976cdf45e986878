"""What a plan must know beyond the inventory: answers to questions, asked before it is made."""

from __future__ import annotations

from typing import Any

import msgspec

from host.base import Host
from host.inventory import Inventory
from jobs import questions
from jobs.api import waiting
from jobs.findings import fault
from jobs.operation import Wanted
from jobs.plan import Refused
from jobs.rights import User
from jobs.shape import decode

_PATIENCE_S = 20.0


def with_told(inventory: Inventory, wanted: tuple[Wanted, ...], user: User) -> Inventory:
    """`inventory` with what the worker answers. Raises `Forbidden`, and `Refused` where it takes too long."""
    told: dict[str, Any] = {}
    for one in wanted:
        try:
            asked = questions.ask(one.question, one.data, user, anew=True)
        except questions.NobodyAnswers as error:
            raise Refused((fault("queue-down", "", str(error)),)) from None
        if not asked.settled:
            asked = waiting.answer(asked, timeout_s=_PATIENCE_S)
        if not asked.settled:
            raise Refused((fault("still-asking", "", "The machine is still being asked. Try again."),))
        told[one.question] = questions.value(one.question, asked)
    return msgspec.structs.replace(inventory, told=told) if told else inventory


def with_fresh(inventory: Inventory, wanted: tuple[Wanted, ...], host: Host) -> Inventory:
    """The same, asked of the machine at once, by the worker. Raises `Refused`, `HostError`."""
    told = {}
    for one in wanted:
        asked = questions.question(one.question)
        told[one.question] = asked.answer(decode(asked.request, one.data), host)
    return msgspec.structs.replace(inventory, told=told) if told else inventory
