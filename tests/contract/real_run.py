"""A run on a real machine: which tests it takes, what they cost, and which families it has proven."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from host.base import Host
from host.client import HelperHost
from tests.contract import families
from tests.contract.costs import Costs, CountingHost

SOCKETS, CORE = "NASWEB_CONTRACT_SOCKET", "NASWEB_CONTRACT_CORE"
PART = "NASWEB_CONTRACT_PART"  # "kernel" or "user-space"; without it, all


def the_sockets() -> list[str]:
    """Of helpers, one a machine; empty where the machine is simulated."""
    return [path for path in os.environ.get(SOCKETS, "").split(",") if path]


class RealRun:
    """A plugin of pytest, in the process that reports and in each worker of xdist."""

    def __init__(self) -> None:
        self.costs = Costs()
        self.whole: dict[str, tuple[str, int]] = {}  # by family: its digest and how many tests it has
        self._passed: Counter[str] = Counter()

    def host(self) -> Host:
        """The machine of this worker."""
        worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        return CountingHost(HelperHost(Path(the_sockets()[worker])), self.costs)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Take the part that was asked for; with NASWEB_CONTRACT_CORE only its core, and what has changed."""
        part = os.environ.get(PART)
        chosen = [item for item in items if part is None or families.needs_kernel(item) is (part == "kernel")]
        modules = {families.family(item): item.module for item in chosen if isinstance(item, pytest.Function)}
        counts = Counter(map(families.family, chosen))
        self.whole |= {name: (families.digest(modules[name]), count) for name, count in counts.items()}
        if os.environ.get(CORE):
            known = families.proven()
            changed = {name for name, (digest, _) in self.whole.items() if known.get(_entry(name)) != digest}
            chosen = families.core(chosen, changed)
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = families.in_order(chosen)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what passed."""
        if report.when == "call" and report.passed:
            self._passed[Path(report.nodeid.partition("::")[0]).stem] += 1

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A worker hands over what it knows; who reports writes down what was proven."""
        if (output := getattr(session.config, "workeroutput", None)) is not None:
            output["whole"], output["costs"] = self.whole, self.costs.as_values()
            return
        families.keep_proven(
            {
                _entry(name): digest
                for name, (digest, count) in self.whole.items()
                if self._passed[name] == count
            }
        )

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker knows."""
        output = getattr(node, "workeroutput", {})
        self.whole |= {name: (digest, count) for name, (digest, count) in output.get("whole", {}).items()}
        if "costs" in output:
            self.costs.add(Costs.from_values(output["costs"]))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what the tests cost the machine."""
        terminalreporter.section("what the machine was asked")
        for line in self.costs.lines():
            terminalreporter.write_line(line)


def _entry(name: str) -> str:
    """The part of a family in `proven.json`."""
    part = os.environ.get(PART)
    return name if part is None else f"{name} ({part})"
