"""Secrets of a request by reference: taken out at the edge, kept in memory, gone when the job has ended.

A secret field says so in its type: `Annotated[str, Meta(pattern=SECRET_PATTERN, extra=typed_as(…))]`. It may
stand in a struct that is a field of the request; then its path names both, such as `person.password`.
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
from jobs.planning import shape

NOTHING = f"secret:{'0' * 32}"  # where a plan is only shown, so that nothing has to be stored
_GONE = (
    "Secrets are kept for 15 minutes, in memory only, and this one has been used or has expired. Enter it "
    "again."
)


class Sealed(NamedTuple):
    """A request whose secrets are references, and what was wrong with their shape.

    References differ from try to try: `same` has a keyed hash in the place of each secret, so that two
    requests can be compared.
    """

    data: Any
    same: Any
    faults: tuple[Finding, ...]


class _Typed(NamedTuple):
    """A secret of a request: the type of what a user types, and where it stands."""

    path: str
    kind: Any
    holder: dict[str, Any]
    name: str

    @property
    def value(self) -> Any:
        """What stands there."""
        return self.holder[self.name]

    def put(self, value: str) -> None:
        """Let that stand there instead."""
        self.holder[self.name] = value


def typed_as(kind: Any) -> dict[str, Any]:
    """What a secret field says of the text that a user types for it."""
    return {"secret": kind}


def typed_type(kind: Any) -> Any:
    """The type of what a user types into a secret field of type `kind`; None for all other fields."""
    if get_origin(kind) is Annotated:
        for meta in get_args(kind)[1:]:
            if isinstance(meta, msgspec.Meta) and meta.extra and "secret" in meta.extra:
                return meta.extra["secret"]
    return next((found for part in get_args(kind) if (found := typed_type(part)) is not None), None)


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
        return Sealed(data, data, ())
    filled, same = dict(data), dict(data)
    found = tuple(_secrets_in(request, filled))
    faults = tuple(fault for one in found for fault in shape.faults_of(one.kind, one.value, one.path))
    for one, compared in zip(found, _secrets_in(request, same), strict=True):
        secret = one.value if isinstance(one.value, str) else NOTHING
        compared.put(salted_hmac("jobs.secrets", secret, algorithm="sha256").hexdigest())
        one.put(store().put(secret) if keep and not faults else NOTHING)
    return Sealed(filled, same, faults)


@sensitive_variables()
def _secrets_in(request: type[msgspec.Struct], data: dict[str, Any], above: str = "") -> Iterator[_Typed]:
    """Those that were given, also in structs within, which become dicts of `data`'s own on the way."""
    for name, field in shape.fields_of(request).items():
        if (value := data.get(name)) is None:
            continue
        path, part = f"{above}{name}", shape.struct_in(field.type)
        if (kind := typed_type(field.type)) is not None:
            yield _Typed(path, kind, data, name)
        elif part is not None and isinstance(value, Mapping):
            data[name] = dict(value)
            yield from _secrets_in(part, data[name], f"{path}.")


def references(request: type[msgspec.Struct], data: Any) -> dict[str, str]:
    """The references that a sealed request holds, by the paths of their fields."""
    if not isinstance(data, Mapping):
        return {}
    return {one.path: one.value for one in _secrets_in(request, dict(data)) if isinstance(one.value, str)}


def blanked(request: type[msgspec.Struct], data: dict[str, Any]) -> dict[str, Any]:
    """A sealed request without its references: what is compared of it from try to try."""
    found = dict(data)
    for one in tuple(_secrets_in(request, found)):
        one.put(NOTHING)
    return found


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
