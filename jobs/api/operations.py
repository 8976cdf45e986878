"""Makes an endpoint of an operation: a dry run answers with the plan, a real write with the job."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, get_args

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from jobs import retrying, secrets, submission, waiting
from jobs.api import preference, query
from jobs.api.document import DRY_RUN, IDEMPOTENCY_KEY, PREFER, RECURSIVE, describe
from jobs.api.shapes import JobAnswer, PlanAnswer
from jobs.api.views import inventory_now, user_of
from jobs.models import Job
from jobs.operation import operation as operation_called
from jobs.plan import Refused
from jobs.planning.findings import fault
from jobs.planning.shape import struct_in
from jobs.withheld import job_view

Handler = Callable[..., Mapping[str, Any]]


def writes(
    operation: str,
    request: type[msgspec.Struct],
    *,
    by_path: tuple[str, ...] = (),
    recursive: bool = False,
    described_as: str | None = None,
) -> Callable[[Handler], Callable[..., Response]]:
    """Turn a method that gives the fields known from the path (`by_path`) into an endpoint of `operation`.

    The other fields of `request` come from the body, and `recursive` may come from the query instead.
    `described_as` is its name in the description where the operation has more than one address.
    """
    flags = [DRY_RUN, RECURSIVE] if recursive else [DRY_RUN]

    def decorate(handler: Handler) -> Callable[..., Response]:
        @describe(
            described_as or operation.replace(".", "_"),
            {200: PlanAnswer, 202: JobAnswer},
            request=body_of(request, without=by_path, described_as=described_as),
            parameters=[*flags, PREFER, IDEMPOTENCY_KEY],
        )
        @functools.wraps(handler)
        def endpoint(view: Any, http: Request, **path: Any) -> Response:
            known = dict(handler(view, http, **path))
            if recursive and query.flag(http, "recursive"):
                known["recursive"] = True
            return carry_out(http, operation, known)

        return endpoint

    return decorate


def carry_out(request: Request, operation: str, known: Mapping[str, Any]) -> Response:
    """Plan or submit `operation` with the fields of the body and those that are `known` without it."""
    dry_run = query.flag(request, "dry_run")
    key = _idempotency_key(request)
    typed, digest = _split(request.data, known)
    inventory_now()
    user = user_of(request)
    with secrets.sealed(operation_called(operation).request, typed, keep=not dry_run) as sealed:
        if dry_run:
            plan = submission.prepare(operation, sealed.data, user, faults=sealed.faults)
            if digest is not None and digest != plan.digest:
                raise submission.PlanStale(plan)
            return Response(plan.view())
        job = retrying.submit(operation, sealed.data, user, digest=digest, idempotency_key=key, sealed=sealed)
    return accepted(request, job)


def accepted(request: Request, job: Job) -> Response:
    """202 with the job, after the wait that the caller asked for."""
    headers = {"Location": f"/api/v1/jobs/{job.pk}/"}
    if seconds := preference.asked_s(request):
        waiting.job_end(job, timeout_s=seconds)
        headers["Preference-Applied"] = f"wait={seconds:.0f}"
    else:
        job.refresh_from_db()
    return Response(job_view(job, user_of(request)), status=202, headers=headers)


@functools.cache
def body_of(
    request: type[msgspec.Struct], *, without: tuple[str, ...], described_as: str | None = None
) -> type[msgspec.Struct]:
    """The struct that documents a body: `request` less the fields of the path, and with `digest`."""
    name = described_as.title().replace("_", "") if described_as else request.__name__
    body = msgspec.defstruct(
        name + ("Body" if without else ""),
        [*_documented(request, without), ("digest", str | None, None)],
        kw_only=True,
        forbid_unknown_fields=True,
    )
    body.__doc__ = request.__doc__
    return body


def _documented(request: type[msgspec.Struct], without: tuple[str, ...] = ()) -> list[Any]:
    """The fields as a user sends them: secrets as they are typed, and those of structs within."""
    fields: list[Any] = []
    for field in msgspec.structs.fields(request):
        if field.encode_name in without:
            continue
        kind = secrets.typed_type(field.type)
        if kind is None and (part := struct_in(field.type)) is not None:
            kind = _part(part)
        if kind is None:
            kind = field.type
        elif type(None) in get_args(field.type):
            kind = kind | None
        entry: tuple[Any, ...] = (field.encode_name, kind)
        fields.append(entry if field.required else (*entry, _default(field)))
    return fields


@functools.cache
def _part(request: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """A request that is a part of another one, and has no digest of its own."""
    name = f"{request.__name__}Part"
    part = msgspec.defstruct(name, _documented(request), kw_only=True, forbid_unknown_fields=True)
    part.__doc__ = request.__doc__
    return part


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return msgspec.field(default_factory=field.default_factory)
    return field.default


def _split(body: Any, known: Mapping[str, Any]) -> tuple[Any, str | None]:
    """The operation's data, and the digest that the body may carry beside it."""
    if not isinstance(body, Mapping):
        return body, None
    findings = []
    data = dict(body)
    digest = data.pop("digest", None)
    if not isinstance(digest, str | None):
        findings.append(fault("wrong-type", "digest", "Expected the text of a plan's digest."))
    findings += [
        fault("given-by-address", name, "The address already gives this.")
        for name in sorted(data.keys() & known.keys())
        if data[name] != known[name]
    ]
    if findings:
        raise Refused(tuple(findings))
    return data | dict(known), digest


def _idempotency_key(request: Request) -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not 1 <= len(key) <= 255 or not key.isascii() or not key.isprintable():
        raise Refused((fault("bad-value", "Idempotency-Key", "Use 1 to 255 printable ASCII characters."),))
    return key
