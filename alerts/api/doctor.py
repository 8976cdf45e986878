"""`doctor/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from alerts.api.shapes import DoctorAnswer
from alerts.doctor.acknowledge import AcknowledgeFinding, RecallFinding
from alerts.doctor.examine import codes, examine
from alerts.gathering import gather_all
from jobs.api import paging
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.views import View, found, inventory_now


class Doctor(View):
    """Everything that is examined."""

    area = "alerts"

    @describe("examine", {200: DoctorAnswer}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of findings, with what is well and what could not be examined."""
        inventory = inventory_now()
        seen = examine(inventory, gather_all(inventory))
        answer = paging.of_values(
            request,
            seen.findings,
            key=lambda finding: f"{finding.code} {finding.subject.id}",
            show=lambda finding: finding,
            as_of=seen.as_of,
        )
        answer.data |= {
            "acknowledged": seen.acknowledged,
            "passed": seen.passed,
            "unknown": seen.unknown,
        }
        return answer


class AcknowledgeOneFinding(View):
    """Acknowledges a finding."""

    area = "alerts"

    @writes("doctor.acknowledge", AcknowledgeFinding, by_path=("code",))
    def post(self, request: Request, code: str) -> Mapping[str, Any]:
        """Acknowledge it until a day, with a note. It is examined on, and listed apart."""
        return {"code": _known(code)}

    @writes("doctor.recall", RecallFinding, by_path=("code",))
    def delete(self, request: Request, code: str) -> Mapping[str, Any]:
        """Report it again from now on."""
        return {"code": _known(code)}


def _known(code: str) -> str:
    return found(code if code in codes() else None, "finding")
