"""`rewrites/`: datasets that are written anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api import paging
from jobs.api.document import PAGING, PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, answered
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now
from replication.models import RewriteRow
from replication.rewrites.begin import RewriteDataset
from replication.rewrites.compare import CompareRewrite
from replication.rewrites.end import EndRewrite
from replication.rewrites.progress import QUESTION, RewriteState, state_of
from replication.rewrites.stop import StopRewrite
from replication.rewrites.switch import SwitchRewrite


class RewritePage(msgspec.Struct, frozen=True, kw_only=True):
    """Rewritings by their datasets."""

    results: tuple[RewriteState, ...]
    next: str | None
    as_of: Moment


class Rewrites(View):
    """All of them."""

    area = "pools"

    @describe("list_rewrites", {200: RewritePage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of datasets that are being written anew, or were and are not ended."""
        return paging.of_values(
            request, tuple(RewriteRow.objects.all()), key=lambda row: row.dataset, show=state_of,
            as_of=inventory_now().as_of,
        )  # fmt: skip

    @writes("dataset.rewrite", RewriteDataset)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Begin to write a dataset anew, or go on with that. The job ends when copying has begun."""
        return {}


class OneRewrite(View):
    """One of them."""

    area = "pools"

    @describe("get_rewrite", {200: RewriteState, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, name: str) -> Response:
        """How far it has come: what was copied, what was compared."""
        return answered(request, QUESTION, {"dataset": dataset_of(name)})

    @writes("dataset.end-rewrite", EndRewrite, by_path=("dataset",))
    def delete(self, request: Request, name: str) -> Mapping[str, Any]:
        """End it: destroys the copy, or once that is live what was there before."""
        return {"dataset": dataset_of(name)}


class StopOne(View):
    """What is under way."""

    area = "pools"

    @writes("dataset.stop-rewrite", StopRewrite, by_path=("dataset",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Stop copying or comparing. What has been copied stays."""
        return {"dataset": dataset_of(name)}


class CompareOne(View):
    """Whether the copy is one."""

    area = "pools"

    @writes("dataset.compare-rewrite", CompareRewrite, by_path=("dataset",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Compare all files by hash. Done by itself once all is copied."""
        return {"dataset": dataset_of(name)}


class SwitchOne(View):
    """Which of the two is the dataset."""

    area = "pools"

    @writes("dataset.switch-rewrite", SwitchRewrite, by_path=("dataset",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Let the copy take the place of the dataset; with `back` what was there before."""
        return {"dataset": dataset_of(name)}


def dataset_of(name: str) -> str:
    """The same name. Raises `NotFound` where it is not being written anew."""
    return found(RewriteRow.objects.filter(dataset=name).first(), "rewriting").dataset
