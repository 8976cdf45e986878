"""Datasets that are being written anew: into a copy beside them, which then takes their place."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.replication import proof, values

# `copied`: all has arrived and is to be compared; `ready`: it may take the place; `live`: it did, and what
# was there before lies beside it.
Stage = Literal["copying", "broken-off", "copied", "comparing", "different", "ready", "live"]


class Rewrite(msgspec.Struct, frozen=True, kw_only=True):
    """One of them. `settings`: what streams leave out, by the dataset's name, as it was at the start."""

    key: str  # what its unit, its report and its marks are called: 16 hex digits
    dataset: str
    settings: dict[str, dict[str, str]] = {}
    running: bool = False  # a run was started whose end is not known yet
    comparing: bool = False  # files are being compared
    verdict: values.Verdict | None = None  # of the last run; None before its end
    compared: proof.Verdict | None = None  # of the comparison after that run
    live: bool = False

    @property
    def copy(self) -> str:
        """Where it is written to."""
        return f"{self.dataset}.rewritten"

    @property
    def before(self) -> str:
        """What the dataset is called once the copy has taken its place."""
        return f"{self.dataset}.before"

    @property
    def stage(self) -> Stage:
        """How far it has come."""
        if self.live:
            return "live"
        if self.running:
            return "copying"
        if self.comparing:
            return "comparing"
        if self.verdict != "done":
            return "broken-off"
        if self.compared in {"same", "nothing"}:
            return "ready"
        return "different" if self.compared == "different" else "copied"
