"""Whatever bytes come to a page, with and without a session: an answer, and never a 5xx."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from tests.frontend.conftest import make_tank
from tests.hostile import (
    ALL_HEADERS,
    BODIES,
    EVERYWHERE,
    FORM,
    HEADERS,
    PARAMETERS,
    QUERIES,
    VALUES,
    WORST,
    answers,
    filled,
    pages,
    takes_text,
)

KNOWN = {"name": "tank", "pool": "tank", "dataset": "tank", "kind": "scrub"}
FEW = (
    "/",
    "/create/pool/",
    "/plans/run/",
    "/accounts/login/",
    "/setup/",
    "/settings/copies/send/",
)
_OF_FORMS = tuple(name for name in BODIES if "form" in name or "part" in name)


ROUTES = tuple(route for route in pages() if route != "/accounts/logout/")  # the rest would be a stranger's


@pytest.fixture
def patient(browser: Client) -> Iterator[Client]:
    """A browser of an admin on a machine with a pool, whose faults are answers."""
    make_tank(browser)
    browser.raise_request_exception = False
    yield browser
    assert browser.get("/").status_code == 200, "it was signed in to the end"


@pytest.fixture
def stranger(simulated: Any) -> Client:
    return Client(raise_request_exception=False)


def test_a_bad_body_is_answered_everywhere(patient: Client, stranger: Client) -> None:
    every = [(route, name) for route in ROUTES for name in (EVERYWHERE[0], *_OF_FORMS[:3])]
    few = [(route, name) for route in FEW for name in BODIES]  # the other kinds of bodies no page reads
    wrong = [
        f"{name}: {fault}"
        for client, sent in ((patient, every + few), (stranger, few))
        for route, name in sent
        if (fault := answers(client, "POST", filled(route, KNOWN), *BODIES[name]))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_bad_value_in_every_field_is_answered(
    patient: Client, stranger: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever field a page asks for has the value, whether or not a browser would send it."""
    chosen: list[str] = []
    getlist, has = QueryDict.getlist, QueryDict.__contains__
    monkeypatch.setattr(QueryDict, "__getitem__", lambda self, key: (getlist(self, key) or chosen)[-1])
    monkeypatch.setattr(QueryDict, "get", lambda self, key, default=None: self[key])
    monkeypatch.setattr(
        QueryDict, "getlist", lambda self, key, default=None: getlist(self, key) or [chosen[-1]]
    )
    monkeypatch.setattr(QueryDict, "__contains__", lambda self, key: has(self, key) or key != "recompute")
    # Each page gets other values of the list, so that all of them come to each kind of field.
    every = [
        (patient, route, value)
        for number, route in enumerate(ROUTES)
        for value in (*WORST, VALUES[number % len(VALUES)])
    ]
    few = [(client, route, value) for client in (patient, stranger) for route in FEW for value in VALUES]
    wrong = []
    for client, route, value in every + few:
        chosen.append(value)
        for method in ("POST", "GET") if value not in WORST else ("POST",):
            fault = answers(client, method, filled(route, KNOWN), b"", FORM)
            wrong += [f"{value[:30]!r}: {fault}"] if fault else []
    assert not wrong, "\n".join(wrong)


def test_a_bad_address_is_answered_everywhere(patient: Client, stranger: Client) -> None:
    wrong = [
        f"{value[:20]!r}: {fault}"
        for route in ROUTES
        if takes_text(route)
        for client, values in ((patient, PARAMETERS[:4]), (stranger, PARAMETERS[:1]))
        for value in values
        if (fault := answers(client, "GET", filled(route, {"kind": "scrub"}, value)))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_bad_query_is_answered_everywhere(patient: Client) -> None:
    wrong = [
        f"{query[:40]!r}: {fault}"
        for number, route in enumerate(ROUTES)
        for query in (QUERIES if route in FEW else (QUERIES[number % len(QUERIES)],))
        if (fault := answers(patient, "GET", filled(route, KNOWN), headers={"QUERY_STRING": query}))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_bad_header_is_answered_everywhere(patient: Client, stranger: Client) -> None:
    session = "; ".join(f"{name}={found.value}" for name, found in patient.cookies.items())
    bad = [headers | {"HTTP_COOKIE": f"{headers['HTTP_COOKIE'][:99]}; {session}"} for headers in ALL_HEADERS]
    every = [(route, headers) for route in ROUTES for headers in bad]
    few = [(route, headers) for route in FEW for headers in HEADERS]
    wrong = [
        f"{headers!r}: {fault}"
        for client, sent in ((patient, every), (stranger, few))
        for route, headers in sent
        if (fault := answers(client, "GET", filled(route, KNOWN), headers=headers))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_form_of_ten_mebibytes_is_refused_everywhere(patient: Client, stranger: Client) -> None:
    body = b"name=" + b"x" * (10 << 20)
    wrong = [
        fault
        for route in ROUTES
        for client in (patient, stranger)
        if (fault := answers(client, "POST", filled(route, KNOWN), body, FORM))
    ]
    assert not wrong, "\n".join(wrong)
