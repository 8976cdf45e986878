"""`network/speed/` and `network/speed/listen/`: how fast the network to other machines is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from jobs import questions
from jobs.api.document import PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, settled, still_asking
from jobs.api.views import View, inventory_now
from machine.network_speed.answers import SpeedAnswer, speed_answer
from machine.network_speed.begin import ListenForTests, MeasureSpeed
from machine.network_speed.see import QUESTION
from machine.network_speed.stop import StopSpeed


class Speed(View):
    """Measurements of the network."""

    area = "system"

    @describe("get_network_speed", {200: SpeedAnswer, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request) -> Response:
        """What was measured, how much of the link that is, and what held it up."""
        inventory = inventory_now()
        answer = questions.value(QUESTION, settled(request, QUESTION, {}))
        if answer is None:
            return still_asking()
        return Response(speed_answer(inventory, answer.speed))

    @writes("network.measure-speed", MeasureSpeed)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Measure to a machine where iperf3 listens, in both directions, in the background."""
        return {}

    @writes("network.stop-speed", StopSpeed)
    def delete(self, _request: Request) -> Mapping[str, Any]:
        """Stop measuring, or listening."""
        return {}


class Listening(View):
    """The other end of measurements."""

    area = "system"

    @writes("network.listen", ListenForTests)
    def post(self, _request: Request) -> Mapping[str, Any]:
        """Let other machines measure the network to this one for ten minutes."""
        return {}
