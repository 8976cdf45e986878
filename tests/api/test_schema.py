"""The description of the API says what is true."""

from __future__ import annotations

import tomllib
from typing import Any, get_type_hints

import msgspec
from django.urls import get_resolver
from django.urls.resolvers import RoutePattern
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from openapi_spec_validator import validate
from rest_framework.test import APIClient

import nasweb
from accounts.roles import SCOPES
from jobs.api.shapes import JobAnswer, PlanAnswer, ProblemAnswer
from nasweb.api.docs import description
from nasweb.api.tokens import CreateToken
from nasweb.operations import OPERATIONS
from nasweb.settings import BASE_DIR
from tests.api.resources import RESOURCES

METHODS = {"get", "post", "put", "patch", "delete"}


def operations() -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path.removeprefix('/api/v1/')}": operation
        for path, item in description()["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    }


def test_it_is_valid_openapi_3_1() -> None:
    validate(description())
    assert description()["openapi"].startswith("3.1")


def test_each_shape_has_a_name_of_its_own() -> None:
    GENERATOR_STATS.reset()
    SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    assert not GENERATOR_STATS, "what is ambiguous is told on stderr"


def test_every_resource_is_described() -> None:
    assert set(operations()) == RESOURCES


def test_every_operation_has_an_endpoint() -> None:
    ids = {operation["operationId"] for operation in operations().values()}
    # What the clock does for itself is sharing.apply, and configuration.keep, for everybody else.
    by_the_clock = {"sharing.follow", "configuration.follow"}
    by_a_code = {"pairing.accept"}  # of another machine, which POST pairings/answer/ hears
    assert {name.replace(".", "_") for name in OPERATIONS.keys() - by_the_clock - by_a_code} <= ids


def test_errors_are_described_for_every_endpoint() -> None:
    for label, operation in operations().items():
        responses = operation["responses"]
        expected = {"401", "403", "422", "500"} | ({"404"} if "{" in label else set())
        assert expected <= set(responses), label
        for status in expected:
            assert list(responses[status]["content"]) == ["application/problem+json"], (label, status)


def test_a_write_takes_what_its_operation_takes_and_a_digest() -> None:
    schemas = description()["components"]["schemas"]
    assert set(schemas["CreatePool"]["properties"]) == {
        "name",
        "vdevs",
        "ashift",
        "properties",
        "root_properties",
        "mountpoint",
        "encryption",
        "passphrase",
        "key",
        "pbkdf2iters",
        "accept_unwell",
        "digest",
    }
    assert schemas["CreatePool"]["additionalProperties"] is False
    assert set(schemas["DestroyDatasetBody"]["properties"]) == {"recursive", "digest"}


def test_every_write_offers_a_dry_run() -> None:
    changes_nothing = {
        "POST advice/",
        "POST capacity/",
        "POST channels/preview/",
        "POST configuration/uploads/",
        "POST inventory/refresh/",
        "POST pairings/answer/",  # by a machine, whose message is the first and the last
        "POST pools/importable/",
        "POST schedules/preview/",
        "POST snapshots/reclaim/",
        "POST snapshot-policies/preview/",
        "PUT uploads/{key}/",  # of what nobody sees before it is finished
    }
    for label, operation in operations().items():
        if not label.startswith("GET ") and label not in changes_nothing:
            assert "dry_run" in {parameter["name"] for parameter in operation["parameters"]}, label
            assert "200" in operation["responses"], label


def test_the_scopes_of_a_token_are_listed() -> None:
    (schema,) = msgspec.json.schema_components([CreateToken])[1].values()
    assert schema["properties"]["scopes"]["items"]["enum"] == list(SCOPES)


def exact(kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """`kind`, but refusing fields that it does not name."""
    fields = [(name, hint) for name, hint in get_type_hints(kind, include_extras=True).items()]
    return msgspec.defstruct(kind.__name__, fields, forbid_unknown_fields=True)


def test_plans_jobs_and_problems_are_what_is_described(api: APIClient, six_disks: dict[str, Any]) -> None:
    msgspec.convert(api.post("/api/v1/pools/?dry_run=true", six_disks).json(), exact(PlanAnswer))
    msgspec.convert(api.post("/api/v1/pools/", six_disks).json(), exact(JobAnswer))
    problem = api.delete("/api/v1/pools/tank/").json()
    assert msgspec.convert(problem, ProblemAnswer).plan is not None
    described = {field.encode_name for field in msgspec.structs.fields(ProblemAnswer)}
    assert set(problem) <= described


def test_only_the_last_address_of_the_api_catches_all() -> None:
    api_urls = next(
        entry
        for entry in get_resolver().url_patterns
        if isinstance(entry.pattern, RoutePattern) and str(entry.pattern) == "api/v1/"
    )
    kinds = [type(entry.pattern).__name__ for entry in api_urls.url_patterns]  # type: ignore[union-attr]
    assert kinds.index("RegexPattern") == len(kinds) - 1


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]
    assert nasweb.__version__ == project["version"]
