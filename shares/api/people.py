"""`users/`: the people who use the shares."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from host.inventory import Inventory, Person
from jobs.api import paging
from jobs.api.document import PAGING, describe
from jobs.api.operations import writes
from jobs.api.views import View, found, inventory_now
from shares.api.shapes import PersonAnswer, PersonPage
from shares.people.change_person import ChangeOnePerson
from shares.people.create_person import CreatePerson
from shares.people.create_with_folder import CreatePersonWithFolder
from shares.people.delete_person import DeletePerson
from shares.people.set_password import SetPassword


class People(View):
    """All people."""

    area = "shares"

    @describe("list_users", {200: PersonPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of people. Accounts of the console are others: these use the shares."""
        inventory = inventory_now()
        return paging.of_values(
            request,
            inventory.accounts.people,
            key=lambda person: person.name,
            show=lambda person: _person(person, inventory),
            as_of=inventory.as_of,
        )

    @writes("person.create", CreatePerson)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Create a person."""
        return {}


class PersonWithFolder(View):
    """A person with a folder of their own."""

    area = "shares"

    @writes("person.create-with-folder", CreatePersonWithFolder)
    def post(self, request: Request) -> Mapping[str, Any]:
        """Create a person and a dataset that is shared with them alone: one plan, one job."""
        return {}


class OnePerson(View):
    """One person."""

    area = "shares"

    @describe("get_user", {200: PersonAnswer})
    def get(self, request: Request, name: str) -> Response:
        """The person with their groups."""
        inventory = inventory_now()
        return Response(_person(found(inventory.accounts.person(name), "person"), inventory))

    @writes("person.change", ChangeOnePerson, by_path=("name",))
    def patch(self, request: Request, name: str) -> Mapping[str, Any]:
        """Change the full name, the groups, or whether and until when they may sign in."""
        return _named(name)

    @writes("person.delete", DeletePerson, by_path=("name",))
    def delete(self, request: Request, name: str) -> Mapping[str, Any]:
        """Delete the person; their files stay."""
        return _named(name)


class Password(View):
    """The password of one person."""

    area = "shares"

    @writes("person.password", SetPassword, by_path=("name",))
    def post(self, request: Request, name: str) -> Mapping[str, Any]:
        """Give them a password, their first one or another."""
        return _named(name)


def _named(name: str) -> Mapping[str, Any]:
    return {"name": found(inventory_now().accounts.person(name), "person").name}


def _person(person: Person, inventory: Inventory) -> PersonAnswer:
    known = inventory.accounts.samba_answers
    return PersonAnswer(
        name=person.name,
        uid=person.uid,
        full_name=person.full_name,
        groups=person.groups,
        password=person.samba != "none" if known else None,
        disabled=person.samba == "disabled" if known else None,
        expires=date.fromisoformat(person.expires) if person.expires else None,
        as_of=inventory.as_of,
    )
