"""Whatever bytes come, to each endpoint of the description: an answer, and never a 5xx."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from accounts import tokens
from accounts.models import User
from accounts.roles import SCOPES
from nasweb.api.docs import description
from tests.hostile import (
    ALL_HEADERS,
    BODIES,
    EVERYWHERE,
    HEADERS,
    JSON,
    PARAMETERS,
    QUERIES,
    VALUES,
    answers,
    filled,
    takes_text,
)

WRITING = ("POST", "PUT", "PATCH", "DELETE")
KNOWN = {"name": "tank", "pool": "tank", "dataset": "tank", "snapshot": "tank@a", "slug": "busy"}
# Of each kind of view one: they share the rest.
FEW = (
    ("POST", "/api/v1/pools/"), ("PUT", "/api/v1/bays/"), ("POST", "/api/v1/setup/"),
    ("POST", "/api/v1/tokens/"), ("POST", "/api/v1/configuration/uploads/"), ("GET", "/api/v1/jobs/"),
    ("GET", "/api/v1/snapshots/"),
    ("GET", "/api/v1/snapshots/{name}/files/"), ("GET", "/api/v1/system/"), ("GET", "/api/v1/nothing/"),
    ("POST", "/api/v1/inventory/refresh/"), ("DELETE", "/api/v1/datasets/{name}/"),
)  # fmt: skip
ENCODED = tuple(quote(value, safe="") for value in VALUES)


def operations(*methods: str) -> Iterator[tuple[str, str]]:
    for path, item in description()["paths"].items():
        for method in item:
            if method.upper() in methods:
                yield method.upper(), path


@pytest.fixture
def caller(tank: dict[str, Any], admin: User) -> Client:
    """May do everything, on a machine with a pool."""
    token = tokens.create(name="hostile", scopes=SCOPES, user=admin)[1]
    return Client(raise_request_exception=False, headers={"authorization": f"Bearer {token}"})


@pytest.fixture
def nobody(db: None) -> Client:
    return Client(raise_request_exception=False)


def test_a_bad_body_is_answered_everywhere(caller: Client) -> None:
    every = [(*one, name) for one in operations(*WRITING) for name in EVERYWHERE]
    few = [(*one, name) for one in FEW if one[0] != "GET" for name in BODIES]
    wrong = [
        f"{name}: {fault}"
        for method, path, name in every + few
        if (fault := answers(caller, method, filled(path, KNOWN), *BODIES[name]))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_body_of_ten_mebibytes_is_answered_everywhere(caller: Client, nobody: Client) -> None:
    body = b'{"name": "' + b"x" * (10 << 20) + b'"}'
    wrong = [
        fault
        for method, path in operations(*WRITING)
        for client in (caller, nobody)
        if (fault := answers(client, method, filled(path, KNOWN), body, JSON))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_bad_body_of_a_stranger_is_answered_everywhere(nobody: Client) -> None:
    every = [(*one, name) for one in operations(*WRITING) for name in EVERYWHERE[:2]]
    few = [(*one, name) for one in FEW for name in BODIES]
    wrong = [
        f"{name}: {fault}"
        for method, path, name in every + few
        if (fault := answers(nobody, method, filled(path, KNOWN), *BODIES[name]))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_bad_query_is_answered_everywhere(caller: Client) -> None:
    wrong = []
    for number, (method, path) in enumerate(operations("GET", *WRITING)):
        taken = description()["paths"][path][method.lower()].get("parameters", ())
        names = [one["name"] for one in taken if one["in"] == "query"]
        # Each address gets other values of the list, so that all of them come to each kind of parameter.
        values = [ENCODED[(number + step) % len(ENCODED)] for step in range(2)]
        queries = [f"{name}={value}" for name in names for value in ("%FF%FE", "%00", *values)]
        for query in (*queries, QUERIES[number % len(QUERIES)], *(QUERIES if (method, path) in FEW else ())):
            fault = answers(caller, method, filled(path, KNOWN), headers={"QUERY_STRING": query})
            wrong += [f"{query[:60]!r}: {fault}"] if fault else []
    assert not wrong, "\n".join(wrong)


def test_a_bad_parameter_of_a_path_is_answered_everywhere(caller: Client, nobody: Client) -> None:
    wrong = [
        f"{value[:20]!r}: {fault}"
        for method, path in operations("GET", *WRITING)
        for client, values in (
            (caller, PARAMETERS if method == "GET" else PARAMETERS[:3]),
            (nobody, PARAMETERS[:1]),
        )
        for value in values
        if takes_text(path) and (fault := answers(client, method, filled(path, {}, value)))
    ]
    assert not wrong, "\n".join(wrong)


def test_a_bad_header_is_answered_everywhere(caller: Client) -> None:
    every = [(*one, headers) for one in operations("GET", *WRITING) for headers in ALL_HEADERS]
    few = [(*one, headers) for one in FEW for headers in HEADERS]
    wrong = [
        f"{headers!r}: {fault}"
        for method, path, headers in every + few
        if (fault := answers(caller, method, filled(path, KNOWN), headers=headers))
    ]
    assert not wrong, "\n".join(wrong)
