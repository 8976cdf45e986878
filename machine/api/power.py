"""`system/restart/` and `system/shut-down/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request

from jobs.api.operations import writes
from jobs.api.views import View
from machine.power.restart import Restart
from machine.power.shut_down import ShutDown


class Restarts(View):
    """Restarts the machine."""

    area = "system"

    @writes("machine.restart", Restart)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Restart the machine, ten seconds after the job has succeeded. A dry run names who is connected."""
        return {}


class Shutdowns(View):
    """Turns the machine off."""

    area = "system"

    @writes("machine.shut-down", ShutDown)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Shut down the machine, ten seconds after the job has succeeded. Its power button turns it on."""
        return {}
