"""`compression/{dataset}/`: what each compression would make of a dataset's own files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from jobs import questions
from jobs.api.document import PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, settled, still_asking
from jobs.api.views import View, found, inventory_now
from pools.compression.answers import CompressionAnswer, compression_answer
from pools.compression.measure import MeasureDataset
from pools.compression.see import QUESTION
from pools.compression.stop import StopMeasuringDataset


class Compression(View):
    """The measurement of one dataset."""

    area = "pools"

    @describe("get_dataset_compression", {200: CompressionAnswer, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request, name: str) -> Response:
        """How its measurement stands: ratio and speed of each compression, and the recommended one."""
        inventory = inventory_now()
        dataset = found(inventory.dataset(name), "dataset")
        answer = questions.value(QUESTION, settled(request, QUESTION, {"name": dataset.name}))
        if answer is None:
            return still_asking()
        return Response(compression_answer(dataset, inventory, answer.measured))

    @writes("dataset.measure-compression", MeasureDataset, by_path=("name",))
    def post(self, _request: Request, name: str) -> Mapping[str, Any]:
        """Measure what each compression makes of a sample of its files, in the background."""
        return {"name": name}

    @writes("dataset.stop-measuring-compression", StopMeasuringDataset, by_path=("name",))
    def delete(self, _request: Request, name: str) -> Mapping[str, Any]:
        """Stop measuring. What was measured by then is kept."""
        return {"name": name}
