"""`setup/`: whether anybody has claimed the machine, and claiming it with the code on its screen."""

from __future__ import annotations

from typing import Annotated

import msgspec
from allauth.account.adapter import get_adapter
from msgspec import Meta
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import setup
from jobs.api import query
from jobs.api.document import DRY_RUN, describe
from jobs.api.views import View
from jobs.plan import Refused
from jobs.planning.findings import fault
from jobs.planning.shape import decode


class Claim(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first account, an admin. `code` is what the machine's screen shows."""

    code: Annotated[str, Meta(min_length=1, max_length=100)]
    username: Annotated[str, Meta(min_length=1, max_length=150)]
    password: Annotated[str, Meta(min_length=1, max_length=4096)]


class SetupAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Whether there is an account. Whoever has not signed in learns nothing else."""

    claimed: bool


class FirstAccountAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The account that was made."""

    username: str
    role: str


class Setup(View):
    """Open to all: nobody can have signed in yet."""

    area = "system"
    authentication_classes = ()
    permission_classes = (AllowAny,)  # type: ignore[assignment]

    @describe("get_setup", {200: SetupAnswer})
    def get(self, request: Request) -> Response:
        """Whether anybody has claimed the machine."""
        return Response(SetupAnswer(claimed=not setup.needed()))

    @describe("claim", {200: SetupAnswer, 201: FirstAccountAnswer}, request=Claim, parameters=[DRY_RUN])
    def post(self, request: Request) -> Response:
        """Make the first account with the code on the machine's screen. A dry run is a guess as well."""
        address = get_adapter().get_client_ip(request._request)
        dry_run = query.flag(request, "dry_run")
        act = setup.may_claim if dry_run else setup.claim_by_screen
        try:
            setup.refuse_if_done()  # before anything of a stranger's body is read
            asked = decode(Claim, request.data)
            user = act(asked.code, asked.username, asked.password, address=address)
        except setup.TooManyGuesses:
            raise
        except setup.SetupRefused as refused:
            raise Refused((fault(_code(refused), refused.field, str(refused)),)) from None
        if user is None:
            return Response(SetupAnswer(claimed=False))
        answer = FirstAccountAnswer(username=user.get_username(), role=user.role)
        return Response(answer, status=201, headers={"Location": "/api/v1/setup/"})


def _code(refused: setup.SetupRefused) -> str:
    return {"code": "wrong-code", "": "claimed"}.get(refused.field, f"bad-{refused.field}")
