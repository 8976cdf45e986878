"""Collects findings while a plan is made, so that all are reported at once."""

from __future__ import annotations

from typing import Literal, NoReturn

from jobs.plan import Finding, Refused


def fault(code: str, field: str, message: str) -> Finding:
    """One error, for those who find nothing else."""
    return Finding(level="error", code=code, field=field, message=message)


class Findings:
    """A growing list of findings. `field` is a path in the request."""

    def __init__(self) -> None:
        self._found: list[Finding] = []

    def error(self, code: str, field: str, message: str) -> None:
        """Something that makes the request impossible."""
        self._add("error", code, field, message)

    def warning(self, code: str, field: str, message: str, *, needs: str | None = None) -> None:
        """Something the user should decide on; it is part of the plan's digest. `needs`: a right for it."""
        self._add("warning", code, field, message, needs)

    def info(self, code: str, field: str, message: str) -> None:
        """Something good to know."""
        self._add("info", code, field, message)

    def refuse_on_error(self) -> None:
        """Raises `Refused` with everything found, if any of it is an error."""
        if any(finding.level == "error" for finding in self._found):
            raise Refused(tuple(self._found))

    def refuse(self, code: str, field: str, message: str) -> NoReturn:
        """Something that leaves nothing else to check. Raises `Refused` with everything found."""
        self.error(code, field, message)
        raise Refused(self.all())

    def all(self) -> tuple[Finding, ...]:
        """Everything found so far."""
        return tuple(self._found)

    def _add(
        self,
        level: Literal["error", "warning", "info"],
        code: str,
        field: str,
        message: str,
        needs: str | None = None,
    ) -> None:
        self._found.append(Finding(level=level, code=code, field=field, message=message, needs=needs))
