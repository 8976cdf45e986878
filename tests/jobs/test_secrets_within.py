"""Secrets of a request that stand in structs within it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta

from host.commands.base import SECRET_PATTERN
from host.simulated import SimulatedHost
from jobs import secrets
from jobs.api.operations import body_of
from jobs.planning.shape import read

Word = Annotated[str, Meta(min_length=4)]
Secret = Annotated[str, Meta(pattern=SECRET_PATTERN, extra=secrets.typed_as(Word))]


class Guest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody."""

    name: str
    word: Secret | None = None


class Party(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody in a request, or nobody."""

    word: Secret
    host: Guest
    guest: Guest | None = None


def party(**changes: Any) -> dict[str, Any]:
    whole = {"word": "open sesame", "host": {"name": "ada"}, "guest": {"name": "bo", "word": "let me in"}}
    return whole | changes


def test_all_of_them_become_references_by_their_paths(simulated: SimulatedHost) -> None:
    data = party()
    with secrets.sealed(Party, data) as sealed:
        found = secrets.references(Party, sealed.data)
    assert set(found) == {"word", "guest.word"}
    assert sealed.data["guest"] == {"name": "bo", "word": found["guest.word"]}
    assert read(Party, sealed.data).findings == ()
    assert all(secrets.store().has(one) for one in found.values())
    assert data == party()  # what was typed is left to whoever typed it


def test_they_go_when_the_request_fails(simulated: SimulatedHost) -> None:
    with pytest.raises(RuntimeError), secrets.sealed(Party, party()) as sealed:
        raise RuntimeError
    assert not any(secrets.store().has(one) for one in secrets.references(Party, sealed.data).values())
    assert {one.field for one in secrets.gone(Party, sealed.data)} == {"word", "guest.word"}


def test_requests_are_alike_where_what_was_typed_is(simulated: SimulatedHost) -> None:
    with secrets.sealed(Party, party()) as one, secrets.sealed(Party, party()) as other:
        assert one.data != other.data
        assert one.same == other.same
    with secrets.sealed(Party, party(guest={"name": "bo", "word": "let us in"})) as third:
        assert third.same != one.same
    assert "let" not in str(third.same)


def test_nothing_is_kept_where_one_is_wrong(simulated: SimulatedHost) -> None:
    with secrets.sealed(
        Party, party(guest={"name": "bo", "word": "no"}, host={"name": "a", "word": 7})
    ) as sealed:
        assert [one.field for one in sealed.faults] == ["host.word", "guest.word"]
    assert set(secrets.references(Party, sealed.data).values()) == {secrets.NOTHING}


@pytest.mark.parametrize("guest", [None, "bo", 7, [], {"word": None}])
def test_what_is_no_guest_holds_none(guest: Any, simulated: SimulatedHost) -> None:
    with secrets.sealed(Party, party(guest=guest)) as sealed:
        assert sealed.data["guest"] == guest
    assert set(secrets.references(Party, sealed.data)) == {"word"}


def test_a_null_stands_for_a_struct_that_may_be_left_out_alone() -> None:
    reference = secrets.NOTHING
    found = read(Party, {"word": reference, "host": None, "guest": None}).findings
    assert [(one.field, one.code) for one in found] == [("host", "wrong-type")]


def test_a_body_is_described_as_it_is_typed() -> None:
    fields = {one.name: one for one in msgspec.structs.fields(body_of(Party, without=()))}
    assert fields["word"].type == Word
    assert fields["digest"].default is None
    host, guest = fields["host"], fields["guest"]
    assert host.required and not guest.required
    assert [one.name for one in msgspec.structs.fields(host.type)] == ["name", "word"]
    assert msgspec.structs.fields(host.type)[1].type == Word | None
    assert guest.type == host.type | None
