"""`tokens/`: what scripts sign in with. A token is shown once."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, cast

import msgspec
from django.utils import timezone
from msgspec import Meta
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import tokens
from accounts.actor import TokenActor
from accounts.models import Token, User
from accounts.roles import SCOPES
from jobs.api import paging, query
from jobs.api.document import DRY_RUN, PAGING, describe
from jobs.api.shapes import Moment
from jobs.api.views import View, user_of
from jobs.audit import record
from jobs.plan import Finding, Refused
from jobs.planning.findings import fault
from jobs.planning.shape import decode


class CreateToken(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token for a script, with scopes that its maker has too."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    scopes: Annotated[
        tuple[Annotated[str, Meta(extra_json_schema={"enum": list(SCOPES)})], ...],
        Meta(min_length=1, max_length=len(SCOPES)),
    ]
    expires_at: (
        Annotated[
            str,
            Meta(
                max_length=40,
                description="ISO 8601 with a time zone, in the future",
                extra_json_schema={"format": "date-time"},
            ),
        ]
        | None
    ) = None


class TokenPlanAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The token that would be made."""

    name: str
    scopes: tuple[str, ...]
    owner: str
    expires_at: Moment | None


class TokenAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A token, without its text."""

    id: int
    name: str
    scopes: tuple[str, ...]
    owner: str
    created_at: Moment
    expires_at: Moment | None
    last_used_at: Moment | None


class NewTokenAnswer(TokenAnswer, frozen=True, kw_only=True):
    """A token with its text, which is never shown again."""

    token: str


class TokenPage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens that were not revoked, newest first."""

    results: tuple[TokenAnswer, ...]
    next: str | None


class Tokens(View):
    """All tokens."""

    area = "users"

    @describe("list_tokens", {200: TokenPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of tokens."""
        rows = Token.objects.filter(revoked=None).select_related("owner")
        return paging.of_rows(request, rows, show=lambda token: TokenAnswer(**_fields(token)))

    @describe(
        "create_token",
        {200: TokenPlanAnswer, 201: NewTokenAnswer},
        request=CreateToken,
        parameters=[DRY_RUN],
    )
    def post(self, request: Request) -> Response:
        """Make a token; the answer is the only one that holds its text."""
        token = _draft(decode(CreateToken, request.data), request)
        if query.flag(request, "dry_run"):
            return Response(TokenPlanAnswer(**_asked_for(token)))
        plaintext = tokens.issue(token)
        record(token.owner.username, "token.create", token.name, token=token.pk, scopes=token.scopes)
        answer = NewTokenAnswer(token=plaintext, **_fields(token))
        headers = {"Location": f"/api/v1/tokens/{token.pk}/", "Cache-Control": "no-store"}
        return Response(answer, status=201, headers=headers)


class OneToken(View):
    """One token."""

    area = "users"

    @describe("get_token", {200: TokenAnswer})
    def get(self, request: Request, token_id: int) -> Response:
        """The token, without its text."""
        return Response(TokenAnswer(**_fields(_token(token_id))))

    @describe("revoke_token", {200: TokenAnswer, 204: None}, parameters=[DRY_RUN])
    def delete(self, request: Request, token_id: int) -> Response:
        """Revoke the token at once; a dry run shows which one that would be."""
        token = _token(token_id)
        if query.flag(request, "dry_run"):
            return Response(TokenAnswer(**_fields(token)))
        tokens.revoke(token)
        record(user_of(request).get_username(), "token.revoke", token.name, token=token.pk)
        return Response(status=204)


def _draft(asked: CreateToken, request: Request) -> Token:
    """The token that is asked for, not stored. Raises `Refused`."""
    caller = user_of(request)
    findings = [
        fault("unknown-scope", f"scopes[{index}]", f"Known are {', '.join(SCOPES)}.")
        if scope not in SCOPES
        else fault("not-your-scope", f"scopes[{index}]", "You do not have this scope yourself.")
        for index, scope in enumerate(asked.scopes)
        if scope not in SCOPES or not caller.has_perm(scope)
    ]
    expires = _expiry(asked.expires_at, findings)
    ends = request.user.token.expires if isinstance(request.user, TokenActor) else None
    if ends is not None and (expires is None or expires > ends):
        message = f"A token that ends makes none that ends later. Give {ends.isoformat()} at the latest."
        findings.append(fault("ends-later", "expires_at", message))
    if not asked.name.strip() or not asked.name.isprintable():
        findings.append(fault("bad-name", "name", "Use a name that can be read."))
    if findings:
        raise Refused(tuple(findings))
    owner = cast("User", getattr(request.user, "user", request.user))
    return tokens.draft(name=asked.name, scopes=asked.scopes, user=owner, expires=expires)


def _token(token_id: int) -> Token:
    rows = Token.objects.filter(revoked=None).select_related("owner")
    token = rows.filter(pk=token_id).first() if token_id < 1 << 63 else None
    if token is None:
        raise NotFound("There is no such token.")
    return token


def _fields(token: Token) -> dict[str, Any]:
    return {
        "id": token.pk,
        **_asked_for(token),
        "created_at": token.created.isoformat(),
        "last_used_at": token.last_used and token.last_used.isoformat(),
    }


def _asked_for(token: Token) -> dict[str, Any]:
    return {
        "name": token.name,
        "scopes": tuple(token.scopes),
        "owner": token.owner.username,
        "expires_at": token.expires and token.expires.isoformat(),
    }


def _expiry(text: str | None, findings: list[Finding]) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
        moment.astimezone(UTC)  # as the database does: the last hours of the year 9999 may have no UTC
    except (ValueError, OverflowError):
        moment = None
    if moment is None or moment.tzinfo is None:
        findings.append(fault("bad-time", "expires_at", "Use ISO 8601 with a time zone."))
        return None
    if moment <= timezone.now():
        findings.append(fault("in-the-past", "expires_at", "This moment has passed."))
    return moment
