"""The forms of people: fields to a request and back. What was typed as a password is never shown again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

import msgspec
from django.http import QueryDict
from django.views.decorators.debug import sensitive_variables

from host.inventory import Person
from jobs.plan import Finding
from jobs.planning.findings import fault

FIELDS = {
    "name": "name", "full_name": "full_name", "groups": "groups", "password": "password",
    "password_again": "password_again", "disabled": "disabled", "expires": "expires", "members": "members",
    "folder": "folder_in",
}  # fmt: skip


class PersonForm(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the form; `expires` as it was typed."""

    name: str = ""
    full_name: str = ""
    groups: tuple[str, ...] = ()
    disabled: bool = False
    expires: str = ""
    folder_in: str = ""  # the dataset in which they get a folder of their own; empty: none


class Asked(NamedTuple):
    """Fields of a request, and what is wrong with what was typed."""

    fields: dict[str, Any]
    faults: tuple[Finding, ...]


def of_post(post: QueryDict) -> PersonForm:
    """What was sent."""
    return PersonForm(
        name=post.get("name", "").strip()[:200],
        full_name=post.get("full_name", "").strip()[:400],
        groups=tuple(post.getlist("groups")[:200]),
        disabled=post.get("disabled") == "yes",
        expires=post.get("expires", "").strip()[:40],
        folder_in=post.get("folder_in", "").strip()[:1024],
    )


def of_request(data: Mapping[str, Any]) -> PersonForm:
    """The form that a request for a new person came from."""
    groups = data.get("groups")
    return PersonForm(
        name=str(data.get("name", "")),
        full_name=str(data.get("full_name", "")),
        groups=tuple(str(one) for one in groups) if isinstance(groups, list) else (),
        disabled=data.get("disabled") is True,
        expires=str(data.get("expires") or ""),
        folder_in=str(data.get("folder") or "").rpartition("/")[0],
    )


def of_person(person: Person) -> PersonForm:
    """The form as it begins for somebody who is there."""
    return PersonForm(
        name=person.name,
        full_name=person.full_name,
        groups=person.groups,
        disabled=person.samba == "disabled",
        expires=person.expires or "",
    )


def details(form: PersonForm) -> Asked:
    """All but name and password."""
    faults: tuple[Finding, ...] = ()
    expires = None
    try:
        expires = date.fromisoformat(form.expires).isoformat() if form.expires else None
    except ValueError:
        faults = (fault("bad-day", "expires", "Enter the date as YYYY-MM-DD, such as 2027-01-31."),)
    fields = {"full_name": form.full_name, "groups": list(form.groups), "expires": expires}
    return Asked(fields | {"disabled": form.disabled}, faults)


@sensitive_variables()
def password(post: Mapping[str, Any], *, needed: bool) -> Asked:
    """A password that was typed twice. Nothing where none is `needed` and none was typed."""
    typed, again = str(post.get("password", "")), str(post.get("password_again", ""))
    if not (typed or again or needed):
        return Asked({}, ())
    faults: tuple[Finding, ...] = ()
    if typed != again:
        message = "The passwords differ. Enter them again."
        faults = (fault("not-equal", "password_again", message),)
    return Asked({"password": typed}, faults)
