"""`shares/rights/`: who may read and write in the folders of shares, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from jobs import questions
from jobs.api import query
from jobs.api.document import PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, settled, still_asking
from jobs.api.views import View, found, inventory_now, user_of
from jobs.plan import Refused
from shares.rights.reach import shut
from shares.rights.see import NOT_THERE, without_names
from shares.rights.set_rights import QUESTION, SetRights
from shares.rights.stop import StopSettingRights
from shares.rights.table import RightsAnswer, rights_answer

_DATASET = OpenApiParameter(
    "dataset", str, OpenApiParameter.QUERY, required=True, description="Whose folder."
)
_FOLDER = OpenApiParameter(
    "folder", str, OpenApiParameter.QUERY, description="A folder in it; left out, the dataset's own."
)


class Rights(View):
    """The rights of one folder."""

    area = "shares"

    @describe("get_rights", {200: RightsAnswer, 202: StillAsking}, parameters=[_DATASET, _FOLDER, PREFER])
    def get(self, request: Request) -> Response:
        """Its access control list, and what that comes to for each person and group, and why."""
        name = request.query_params.get("dataset")
        if not name:
            raise query.required("dataset", "Name the dataset: ?dataset=pool/name.")
        inventory = inventory_now()
        dataset = found(inventory.dataset(name), "dataset")
        if why := shut(dataset):
            raise Refused((why,))
        folder = request.query_params.get("folder", "")
        try:
            asked = settled(request, QUESTION, {"dataset": dataset.name, "folder": folder})
            report = questions.value(QUESTION, asked)
        except Refused as refused:
            raise _absent(refused) from None
        if report is None:
            return still_asking()
        if not user_of(request).has_perm("files:read"):
            report = without_names(report)
        return Response(rights_answer(dataset.name, folder, report, inventory.accounts))

    @writes("rights.set", SetRights)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Say who may read, who may write and what everyone else may, for new files and, if asked, all."""
        return {}


class StopRights(View):
    """Stops a run that sets rights in the background."""

    area = "shares"

    @writes("rights.stop", StopSettingRights)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Stop setting rights on all that lies in a folder. What is set by then stays so."""
        return {}


def _absent(refused: Refused) -> Exception:
    """404 for a folder that is not there; else the refusal itself."""
    for finding in refused.findings:
        if finding.code in NOT_THERE:
            return NotFound(finding.message)
    return refused
