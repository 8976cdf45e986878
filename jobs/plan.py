"""What will be done, as plain values: shown first, then exactly that is run."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec

from host.commands.closed import AnyCommand


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something to say about a request: which field, what is wrong with it, how to mend it.

    A warning may be about what its `needs` alone allows: a right beside the scope of the operation.
    """

    level: Literal["error", "warning", "info"]
    code: str  # for scripts: kebab-case, stable
    field: str  # path in the request, such as vdevs[0].disks[2]; empty for the whole
    message: str
    needs: str | None = None


class Loss(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that will be gone afterwards: a disk's content, a pool, a dataset or a snapshot.

    `size_bytes` is shown but is no part of the digest: it moves while the user reads.
    """

    disk: str | None = None  # Disk.id
    bay: str | None = None
    model: str | None = None
    serial: str | None = None
    pool: str | None = None
    dataset: str | None = None
    snapshot: str | None = None
    session: str | None = None  # who is disconnected from a share
    settings: str | None = None  # of the console
    account: str | None = None  # of a person or group of the shares
    holds: str
    size_bytes: int | None = None
    kept_by: str | None = None  # the snapshot that keeps it all the same


class FileChange(msgspec.Struct, frozen=True, kw_only=True):
    """How a file below /etc will differ, as `diff --unified` shows it."""

    path: str
    diff: str


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """Commands that belong together. A job may be aborted between steps, never within one.

    `undo` is run when one of the commands fails: it must destroy nothing that was there
    before the job. `changes` are files that the step writes.
    """

    title: str
    commands: tuple[AnyCommand, ...]
    destroys: tuple[Loss, ...] = ()
    undo: tuple[AnyCommand, ...] = ()
    changes: tuple[FileChange, ...] = ()


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The whole of what an operation will do, or why it should be thought over (`findings`).

    `summary` is what an owner reads first: in one to three sentences what will be afterwards, for whom, and
    what is lost. `takes` is how long that lasts and what works meanwhile, where it is more than moments.
    Both may name what moves while the user reads, such as sizes, and are no part of the digest.
    """

    operation: str
    steps: tuple[Step, ...]
    summary: str = ""
    takes: str = ""
    findings: tuple[Finding, ...] = ()
    claims: tuple[str, ...] = ()
    confirm: str | None = None  # the name to type before a person's destroying click counts
    values: str = ""  # a hash of what only the database will know (`jobs.planning.planned`)

    @property
    def destroys(self) -> tuple[Loss, ...]:
        """Everything that will be gone, over all steps."""
        return tuple(loss for step in self.steps for loss in step.destroys)

    @property
    def digest(self) -> str:
        """`sha256:` over all that would be done, stored and lost, and over the warnings that were read."""
        steps = [
            (
                step.title,
                [command.shown() for command in step.commands],
                [msgspec.structs.replace(loss, size_bytes=None) for loss in step.destroys],
            )
            for step in self.steps
        ]
        warnings = [(finding.code, finding.field) for finding in self.findings if finding.level == "warning"]
        whole = (self.operation, steps, warnings, self.claims, self.values)
        text = msgspec.json.encode(whole, order="deterministic")
        return f"sha256:{hashlib.sha256(text).hexdigest()}"

    def view(self) -> dict[str, Any]:
        """The plan as the API shows it and the job stores it (see the contract, "Plan")."""
        return {
            "operation": self.operation,
            "digest": self.digest,
            "summary": self.summary,
            "takes": self.takes,
            "steps": [
                {
                    "title": step.title,
                    "commands": [list(command.shown()) for command in step.commands],
                    "destroys": msgspec.to_builtins(step.destroys),
                }
                | _more(step)
                for step in self.steps
            ],
            "findings": msgspec.to_builtins(self.findings),
            "claims": list(self.claims),
        }


def _more(step: Step) -> dict[str, Any]:
    """What only some steps have."""
    found: dict[str, Any] = {}
    if step.undo:
        found["undo"] = [list(command.shown()) for command in step.undo]
    if step.changes:
        found["changes"] = msgspec.to_builtins(step.changes)
    return found


class Refused(Exception):
    """The request cannot be carried out; `findings` holds every reason at once."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        super().__init__("; ".join(finding.message for finding in findings))
