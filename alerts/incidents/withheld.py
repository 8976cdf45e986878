"""What an alert says to those who may not read people's files: how many are damaged, and not which."""

from __future__ import annotations

from alerts.incidents.cause import Cause
from jobs.rights import User
from jobs.withheld import SCOPE

DAMAGED = "Damaged: "  # begins each line that names a file
_WITHHELD = "Which files they are is shown to those who may read files."


def details_for(cause: Cause, user: User) -> tuple[str, ...]:
    """`cause.details` as `user` may read it."""
    return cause.details if user.has_perm(SCOPE) else without_names(cause)


def without_names(cause: Cause) -> tuple[str, ...]:
    """`cause.details` as everybody may read it, without the names of files."""
    report = tuple(line for line in cause.details if not line.startswith(DAMAGED))
    return report if report == cause.details else (*report, _WITHHELD)


def text_for(text: str, user: User) -> str:
    """The text of a message as `user` may read it. A channel's own words may place a line within another."""
    if DAMAGED not in text or user.has_perm(SCOPE):
        return text
    lines = [line for line in text.split("\n") if DAMAGED not in line]
    return "\n".join((*lines, _WITHHELD))
