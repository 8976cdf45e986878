"""`pairings/`: other Naswebs that may replicate to this one, and the one door that needs no account: a
code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from allauth.account.adapter import get_adapter
from django.utils import timezone
from msgspec import Meta
from rest_framework.exceptions import NotFound, Throttled
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from host.contents.ssh import fingerprint
from host.pairing import protocol
from jobs import questions
from jobs.api import paging, query
from jobs.api.document import DRY_RUN, PAGING, PREFER, describe
from jobs.api.guesses import Guesses
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, settled, still_asking
from jobs.api.shapes import Moment
from jobs.api.views import View, found, inventory_now, user_of
from jobs.plan import Refused
from jobs.planning.findings import fault
from jobs.planning.shape import decode
from jobs.rights import ADMIN, need
from replication.api.targets import moment
from replication.models import PairingRow
from replication.pairings import codes
from replication.pairings.change import ChangePairing
from replication.pairings.identity import QUESTION, Identity
from replication.pairings.offer import OfferPairing
from replication.pairings.remove import RemovePairing
from replication.stored import pairing_of

GUESSES = Guesses()


class PairingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Another Nasweb. Before it is `paired` it can do nothing here; `code_until` is until when a code is
    valid, null where none is shown."""

    id: int
    name: str
    dataset: str
    shared: tuple[str, ...]
    paired: bool
    machine: str
    fingerprint: str | None
    made_at: Moment
    paired_at: Moment | None
    code_until: Moment | None


class PairingPage(msgspec.Struct, frozen=True, kw_only=True):
    """Pairings by their names."""

    results: tuple[PairingAnswer, ...]
    next: str | None
    as_of: Moment


class CodePlanAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """For which pairing a code would be made, and whether an earlier one would end."""

    pairing: str
    ends_earlier: bool


class CodeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A code to be typed at the other Nasweb: for one use, until then."""

    code: str
    until: Moment


class SealedMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one Nasweb sends another: JSON as text, and its HMAC-SHA256 by a key that the code gives."""

    said: Annotated[str, Meta(max_length=protocol.LONGEST_BYTES)]
    mac: Annotated[str, Meta(min_length=64, max_length=64)]


class Pairings(View):
    """All of them."""

    area = "pools"

    @describe("list_pairings", {200: PairingPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of pairings."""
        rows = tuple(PairingRow.objects.all())
        return paging.of_values(
            request, rows, key=lambda row: row.name, show=answer_of, as_of=inventory_now().as_of
        )

    @writes("pairing.offer", OfferPairing)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Make a place for the replicas of another Nasweb. For admins alone."""
        return {}


class OnePairing(View):
    """One of them."""

    area = "pools"

    @describe("get_pairing", {200: PairingAnswer})
    def get(self, request: Request, number: int) -> Response:
        """The pairing."""
        return Response(answer_of(_row(number)))

    @writes("pairing.change", ChangePairing, by_path=("id",))
    def patch(self, request: Request, number: int) -> Mapping[str, Any]:
        """Other datasets that it may fetch. For admins alone."""
        return {"id": _row(number).pk}

    @writes("pairing.remove", RemovePairing, by_path=("id",))
    def delete(self, request: Request, number: int) -> Mapping[str, Any]:
        """Unpair the other machine. Its replicas stay."""
        return {"id": _row(number).pk}


class Code(View):
    """The code by which the other machine is paired."""

    area = "pools"

    @describe(
        "make_pairing_code",
        {200: CodePlanAnswer, 201: CodeAnswer, 202: StillAsking},
        parameters=[DRY_RUN, PREFER],
    )
    def post(self, request: Request, number: int) -> Response:
        """Make a code; an earlier one ends. The answer is the only one that holds it. For admins alone."""
        row = _row(number)
        user = user_of(request)
        need(user, ADMIN)
        now = timezone.now()
        if query.flag(request, "dry_run"):
            return Response(
                CodePlanAnswer(pairing=row.name, ends_earlier=codes.waits_until(row, now) is not None)
            )
        asked = settled(request, QUESTION, {})
        identity: Identity | None = questions.value(QUESTION, asked)
        if identity is None:
            return still_asking()
        code = codes.make(row, host_keys_of(identity), user.get_username())
        until = row.code_until or now
        answer = CodeAnswer(code=protocol.shown(code), until=until.isoformat(timespec="seconds"))
        return Response(answer, status=201, headers={"Cache-Control": "no-store"})


class Answer(View):
    """Where another Nasweb asks to be paired. Open to all: the code is all that counts (`codes`)."""

    area = "pools"
    authentication_classes = ()
    permission_classes = (AllowAny,)  # type: ignore[assignment]

    @describe("answer_pairing", {200: SealedMessage}, request=SealedMessage)
    def post(self, request: Request) -> Response:
        """Exchange keys with a Nasweb that knows the code shown here. 404 where none is shown, or none
        fits; 429 after many that did not."""
        if not GUESSES.allow(get_adapter().get_client_ip(request._request)):
            raise Throttled
        message = decode(SealedMessage, request.data)
        facts = inventory_now().facts
        try:
            answer = codes.answer(msgspec.json.encode(message), facts.name, facts.zfs_userland or "")
        except codes.NoCodeShown:
            raise NotFound("No code is shown here that fits.") from None
        return Response(msgspec.Raw(answer), headers={"Cache-Control": "no-store"})


def host_keys_of(identity: Identity) -> tuple[str, ...]:
    """Raises `Refused` where nobody could connect."""
    if not identity.running or not identity.host_keys:
        message = "This machine's SSH server does not run. Start it with: systemctl enable --now ssh"
        raise Refused((fault("no-ssh", "", message),))
    return identity.host_keys


def _row(number: int) -> PairingRow:
    return found(PairingRow.objects.filter(pk=number).first() if number < 1 << 63 else None, "pairing")


def answer_of(row: PairingRow) -> PairingAnswer:
    """The row for people."""
    pairing = pairing_of(row)
    until = codes.waits_until(row, timezone.now())
    return PairingAnswer(
        id=pairing.id, name=pairing.name, dataset=pairing.dataset, shared=pairing.shared,
        paired=bool(pairing.user_key), machine=pairing.machine,
        fingerprint=fingerprint(pairing.user_key) if pairing.user_key else None,
        made_at=row.made_at.isoformat(timespec="seconds"),
        paired_at=moment(row.paired_at),
        code_until=moment(until),
    )  # fmt: skip
