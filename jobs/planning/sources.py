"""The two sources of what plans need: what is cached, for a preview, and the machine itself, for a job."""

from __future__ import annotations

from typing import Any

import msgspec

from host.base import Host
from host.inventory import Inventory
from jobs import questions, waiting
from jobs.index import reading
from jobs.needs import AnswerNeeds, ImportableNeeds, SnapshotNeeds
from jobs.plan import Refused
from jobs.planning import labels
from jobs.planning.findings import fault
from jobs.planning.shape import decode
from jobs.rights import User

_ANSWER_TIMEOUT_S = 20.0


class Cached:
    """The index, the last search for pools, and answers of the worker to questions that `user` may ask."""

    def __init__(self, user: User) -> None:
        self._user = user

    def snapshots(self, inventory: Inventory, wanted: SnapshotNeeds) -> Inventory:
        """As the index has them."""
        return reading.with_known(inventory, wanted)

    def importable(self, inventory: Inventory, _wanted: ImportableNeeds) -> Inventory:
        """As the last search found them."""
        return labels.with_known(inventory)

    def answers(self, inventory: Inventory, wanted: tuple[AnswerNeeds, ...]) -> Inventory:
        """Raises `Forbidden`, and `Refused` where it takes too long."""
        answers: dict[str, Any] = {}
        for one in wanted:
            try:
                asked = questions.ask(one.question, one.data, self._user, anew=True)
            except questions.NobodyAnswers as error:
                raise Refused((fault("queue-down", "", str(error)),)) from None
            if not asked.settled:
                asked = waiting.answer(asked, timeout_s=_ANSWER_TIMEOUT_S)
            if not asked.settled:
                raise Refused((fault("still-asking", "", "The machine has not answered yet. Try again."),))
            answers[one.question] = questions.value(one.question, asked)
        return msgspec.structs.replace(inventory, answers=answers)


class Fresh:
    """The machine, asked by the worker. Each raises `HostError`."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def snapshots(self, inventory: Inventory, wanted: SnapshotNeeds) -> Inventory:
        """What changed since they were indexed is listed anew."""
        return reading.with_fresh(inventory, wanted, self._host)

    def importable(self, inventory: Inventory, wanted: ImportableNeeds) -> Inventory:
        """Reads the labels of all disks."""
        return labels.with_fresh(inventory, self._host, losses_of=wanted.losses_of)

    def answers(self, inventory: Inventory, wanted: tuple[AnswerNeeds, ...]) -> Inventory:
        """Raises `Refused` too."""
        found = ((one, questions.question(one.question)) for one in wanted)
        answers = {one.question: q.answer(decode(q.request, one.data), self._host) for one, q in found}
        return msgspec.structs.replace(inventory, answers=answers)
