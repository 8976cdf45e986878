"""Secrets of a request by reference: taken out at the edge, kept in memory, gone when the job has ended.

A secret field says so in its type: `Annotated[str, Meta(pattern=SECRET_PATTERN, extra=typed_as(…))]`.
What is planned, stored and sent holds references; whoever forgets to seal is refused by the pattern.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_origin

import msgspec
from django.conf import settings
from django.utils.crypto import salted_hmac
from django.views.decorators.debug import sensitive_variables

from host.secrets import SecretStore
from jobs.models import Job
from jobs.operation import UnknownOperation, operation
from jobs.plan import Finding
from jobs.planning.shape import faults_of

NOTHING = f"secret:{'0' * 32}"  # where a plan is only shown, so that nothing has to be stored
_GONE = (
    "What was typed is kept for 15 minutes, in memory only, and was used or is gone since. Enter it again."
)


class Sealed(NamedTuple):
    """A request whose secrets are references, and what was wrong with their shape.

    `prints` has a keyed hash of each secret, so that two requests can be compared.
    """

    data: Any
    prints: dict[str, str]
    faults: tuple[Finding, ...]


def typed_as(kind: Any) -> dict[str, Any]:
    """What a secret field says of the text that a user types for it."""
    return {"secret": kind}


def fields_of(request: type[msgspec.Struct]) -> dict[str, Any]:
    """The secret fields of a request with the type of what a user types there."""
    fields = msgspec.structs.fields(request)
    return {field.encode_name: kind for field in fields if (kind := _typed(field.type)) is not None}


@contextmanager
def sealed(request: type[msgspec.Struct], data: Any, *, keep: bool = True) -> Iterator[Sealed]:
    """`data` with references for what was typed; what was kept for it is dropped if the block raises.

    Without `keep` nothing is stored, for plans that are only shown.
    """
    found = _seal(request, data, keep=keep)
    try:
        yield found
    except BaseException:
        drop(references(request, found.data).values())
        raise


@sensitive_variables()
def _seal(request: type[msgspec.Struct], data: Any, *, keep: bool) -> Sealed:
    if not isinstance(data, Mapping):
        return Sealed(data, {}, ())
    filled = dict(data)
    prints: dict[str, str] = {}
    faults: list[Finding] = []
    typed = {name: kind for name, kind in fields_of(request).items() if filled.get(name) is not None}
    for name, kind in typed.items():
        faults += faults_of(kind, filled[name], name)
        if not isinstance(filled[name], str):
            filled[name] = NOTHING
    for name in typed:
        secret = filled[name]
        prints[name] = salted_hmac("jobs.secrets", secret, algorithm="sha256").hexdigest()
        filled[name] = store().put(secret) if keep and not faults else NOTHING
    return Sealed(filled, prints, tuple(faults))


def references(request: type[msgspec.Struct], data: Any) -> dict[str, str]:
    """The references that a sealed request holds, by field."""
    if not isinstance(data, Mapping):
        return {}
    return {name: data[name] for name in fields_of(request) if isinstance(data.get(name), str)}


def of_job(job: Job) -> tuple[str, ...]:
    """The references that a job holds."""
    try:
        return tuple(references(operation(job.operation).request, job.request).values())
    except UnknownOperation:  # of a release that knew it
        return ()


def gone(request: type[msgspec.Struct], data: Any) -> tuple[Finding, ...]:
    """A finding for each secret that is not there (any more)."""
    kept = store()
    return tuple(
        Finding(level="error", code="secret-gone", field=name, message=_GONE)
        for name, reference in references(request, data).items()
        if not kept.has(reference)
    )


def drop(references: Iterable[str]) -> None:
    """Nobody needs them any more."""
    kept = store()
    for reference in references:
        kept.drop(reference)


def store() -> SecretStore:
    """Where this installation keeps them. Only the web process and the machine itself can open it."""
    return SecretStore(Path(settings.NASWEB_SECRETS))


def _typed(kind: Any) -> Any:
    if get_origin(kind) is Annotated:
        for meta in get_args(kind)[1:]:
            if isinstance(meta, msgspec.Meta) and meta.extra and "secret" in meta.extra:
                return meta.extra["secret"]
    return next((found for part in get_args(kind) if (found := _typed(part)) is not None), None)
