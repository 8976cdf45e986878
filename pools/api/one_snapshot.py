"""What can be done with one snapshot, and what has to be asked about some."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api.document import PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, answered
from jobs.api.views import View
from pools.api.snapshots import known
from pools.snapshots.clone import CloneSnapshot
from pools.snapshots.details import DetailsAnswer
from pools.snapshots.diff import DiffAnswer
from pools.snapshots.hold import HoldSnapshots
from pools.snapshots.reclaim import AskReclaim, ReclaimAnswer
from pools.snapshots.release import ReleaseSnapshots
from pools.snapshots.rename_snapshot import RenameSnapshot
from pools.snapshots.rollback import RollBack

_TO = OpenApiParameter(
    "to", str, OpenApiParameter.QUERY, description="A later snapshot, by its name behind the @; else now."
)


class Rollback(View):
    """Going back."""

    area = "pools"

    @writes("snapshot.rollback", RollBack, by_path=("snapshot",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Put the dataset back to the snapshot. All younger ones are destroyed."""
        return {"snapshot": known(name).name}


class Clone(View):
    """Going on from a snapshot elsewhere."""

    area = "pools"

    @writes("snapshot.clone", CloneSnapshot, by_path=("snapshot",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Make a dataset of its own that starts as the snapshot was."""
        return {"snapshot": known(name).name}


class Hold(View):
    """Keeping."""

    area = "pools"

    @writes("snapshot.hold", HoldSnapshots, by_path=("snapshots",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Keep the snapshot from being destroyed."""
        return {"snapshots": [known(name).name]}


class Release(View):
    """Keeping no longer."""

    area = "pools"

    @writes("snapshot.release", ReleaseSnapshots, by_path=("snapshots",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Let a hold go."""
        return {"snapshots": [known(name).name]}


class Rename(View):
    """Another name."""

    area = "pools"

    @writes("snapshot.rename", RenameSnapshot, by_path=("snapshot",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Give the snapshot another name."""
        return {"snapshot": known(name).name}


class Details(View):
    """What is costly to know of a snapshot."""

    area = "pools"

    @describe("get_snapshot_details", {200: DetailsAnswer, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, name: str) -> Response:
        """What it alone holds, and its holds by name."""
        return answered(request, "snapshot.details", {"snapshots": [known(name).name]})


class Diff(View):
    """What changed since."""

    area = "pools"

    @describe("diff_snapshot", {200: DiffAnswer, 202: StillAsking}, parameters=[_TO, PREFER])
    def get(self, request: Request, name: str) -> Response:
        """Up to 10 000 files and folders that changed between the snapshot and a later one, or now."""
        older = known(name)
        data = {"older": older.name}
        if to := request.query_params.get("to"):
            data["newer"] = known(f"{older.dataset}@{to}").name
        return answered(request, "snapshot.diff", data)


class Reclaim(View):
    """What destroying would free."""

    area = "pools"
    write_scope = "pools:read"  # it asks and changes nothing

    @describe("ask_reclaim", {200: ReclaimAnswer, 202: StillAsking}, request=AskReclaim, parameters=[PREFER])
    def post(self, request: Request) -> Response:
        """The bytes that would be free if these were destroyed together. Destroys nothing."""
        return answered(request, "snapshot.reclaim", request.data)
