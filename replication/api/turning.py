"""Turning a replication round, and what it takes at its replica."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request

from jobs.api.operations import writes
from jobs.api.views import View, inventory_now
from replication.api.replications import task_by
from replication.replications.forward import ForwardReplication
from replication.replications.freeze import FreezeReplica
from replication.replications.go_live import GoLive
from replication.replications.reverse import ReverseReplication


class MakeLive(View):
    """A replica on this machine, once its source is lost."""

    area = "pools"

    @writes("replication.go-live", GoLive)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Let it be written to and mounted."""
        return {}


class Freeze(View):
    """A replica on this machine that was worked with."""

    area = "pools"

    @writes("replication.freeze", FreezeReplica)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Let nobody write to it any more, before the last run back."""
        return {}


class Reverse(View):
    """A replication whose source is lost, or whose replica was worked with."""

    area = "pools"

    @writes("replication.reverse", ReverseReplication, by_path=("id",))
    def post(self, request: Request, number: int) -> Mapping[str, Any]:
        """Copy the replica back. Runs lead that way until it is turned forward again."""
        return {"id": task_by(number, inventory_now()).id}


class Forward(View):
    """A replication that leads back."""

    area = "pools"

    @writes("replication.forward", ForwardReplication, by_path=("id",))
    def post(self, request: Request, number: int) -> Mapping[str, Any]:
        """Let what came back go live with its shares, and replicate it again."""
        return {"id": task_by(number, inventory_now()).id}
