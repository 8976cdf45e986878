"""What a test costs the machine: how often it asked for which command, and how long those answers took."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from host.base import Host, Result
from host.commands.base import Command

_MOST = 10  # lines of each list


@dataclass
class Cost:
    """Commands and the seconds that their answers took."""

    commands: int = 0
    seconds: float = 0.0

    def add(self, commands: int, seconds: float) -> None:
        """Add to the counters."""
        self.commands += commands
        self.seconds += seconds


@dataclass
class Costs:
    """By test, its set-up and tidying included, and by the name of the command."""

    by_test: dict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))
    by_command: dict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))

    def count(self, test: str, command: str, seconds: float) -> None:
        """One answer."""
        self.by_test[test].add(1, seconds)
        self.by_command[command].add(1, seconds)

    def add(self, other: Costs) -> None:
        """Those of another worker."""
        for mine, theirs in ((self.by_test, other.by_test), (self.by_command, other.by_command)):
            for name, cost in theirs.items():
                mine[name].add(cost.commands, cost.seconds)

    def as_values(self) -> list[dict[str, tuple[int, float]]]:
        """What `from_values` reads, in types that xdist can send."""
        return [
            {name: (cost.commands, cost.seconds) for name, cost in costs.items()}
            for costs in (self.by_test, self.by_command)
        ]

    @classmethod
    def from_values(cls, values: list[dict[str, tuple[int, float]]]) -> Costs:
        """What `as_values` made."""
        made = cls()
        for mine, theirs in zip((made.by_test, made.by_command), values, strict=True):
            for name, cost in theirs.items():
                mine[name].add(*cost)
        return made

    def lines(self) -> Iterator[str]:
        """The dearest of both, as a person reads them."""
        total = sum(cost.seconds for cost in self.by_command.values())
        count = sum(cost.commands for cost in self.by_command.values())
        yield f"{count} commands took {total:.1f} s"
        for title, costs in (("by command", self.by_command), ("by test", self.by_test)):
            yield title
            dearest = sorted(costs.items(), key=lambda entry: entry[1].seconds, reverse=True)[:_MOST]
            yield from (f"  {cost.seconds:7.1f} s {cost.commands:5} × {name}" for name, cost in dearest)


class CountingHost:
    """A host that writes into `costs` what is asked of it by the test that pytest runs now."""

    def __init__(self, host: Host, costs: Costs) -> None:
        self._host = host
        self._costs = costs
        self.kind = host.kind

    def run(self, command: Command) -> Result:
        """As the host's own."""
        started = time.monotonic()
        try:
            return self._host.run(command)
        finally:
            seconds = time.monotonic() - started
            test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0].rpartition("/")[2]
            self._costs.count(test, type(command).__name__, seconds)
