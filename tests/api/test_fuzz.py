"""Random requests made from the description: never a 500, and every answer is as described."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any
from zlib import crc32

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.result import Ok
from schemathesis.generation.feedback import NO_FEEDBACK, FeedbackSources
from schemathesis.generation.hypothesis.builder import InvalidHeadersExampleMark, MissingPathParameters
from schemathesis.generation.meta import CoveragePhaseData, CoverageScenario
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source

from accounts import tokens
from accounts.models import User
from accounts.roles import SCOPES
from nasweb.wsgi import application
from tests.fuzzing import tries

# The cases that the description itself suggests are tried in each run, twenty for each operation. Random ones
# would be the same ones each time: `make fuzz` tries them. Two for each took a quarter of all this.
_EACH_RUN = settings().derandomize
_FEW = settings(tries(2), suppress_health_check=list(HealthCheck))
_config = schemathesis.Config.from_dict(
    {
        "generation": {
            "deterministic": _EACH_RUN,
            "max-examples": _FEW.max_examples,
            "database": "none",
        },
        # One rule of the router answers all methods that a path has not: each run tries one, `make fuzz` all.
        "phases": {"coverage": {"unexpected-methods": ["TRACE"]} if _EACH_RUN else {}},
        # What the description allows may still be refused by the rules, with findings: no such disk, no name.
        "checks": {
            "positive_data_acceptance": {
                "expected-statuses": ["2xx", "401", "403", "404", "409", "415", "422"]
            },
            # A list that is longer than allowed can make a body that is larger than anybody reads.
            "negative_data_rejection": {
                "expected-statuses": ["401", "403", "404", "405", "409", "413", "415", "422", "503"]
            },
        },
    }
)
_OF_ALL = {"dry_run", "limit", "cursor"}
_MANY_FOR_EACH_FIELD = {CoverageScenario.INCORRECT_TYPE, CoverageScenario.VALID_OBJECT}
_SHARED_ON = 8  # each run tries what all share on one of so many operations, `make fuzz` on all
schema = schemathesis.openapi.from_wsgi("/api/v1/schema/", application, config=_config)


def described() -> Iterator[Any]:
    """Each operation of the description."""
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found.err()
        yield found.ok()


OPERATIONS = {one.label: one for one in described()}


@pytest.fixture
def token(tank: dict[str, Any], admin: User) -> str:
    """The credentials of a caller who may do everything, on a machine with a pool."""
    return f"Bearer {tokens.create(name='fuzz', scopes=SCOPES, user=admin)[1]}"


@pytest.fixture(scope="module")
def feedback() -> FeedbackSources:
    """The values that our own source compares with, for random requests to draw from."""
    if _EACH_RUN:
        return NO_FEEDBACK
    return FeedbackSources(constants_value_source=make_constants_value_source(schema))


def shared(case: Any) -> bool:
    """Whether it is about what one place answers for all operations: headers, methods, dry runs, pages of a
    list, and the digest."""
    about = case.meta.phase.data
    if not isinstance(about, CoveragePhaseData):
        return False
    if about.parameter_location is ParameterLocation.HEADER or "digest" in about.description:
        return True
    if about.parameter_location is ParameterLocation.QUERY and about.parameter in _OF_ALL:
        return True
    return about.scenario is CoverageScenario.UNSPECIFIED_HTTP_METHOD


def one_for_each_field(cases: list[Any], label: str) -> list[Any]:
    """The cases with one wrong type and one valid value for each field, rather than up to ten: one decoder
    refuses and takes them all."""
    kept, alike = [], defaultdict[tuple[str | None, ...], list[Any]](list)
    for one in cases:
        about = one.meta.phase.data
        if isinstance(about, CoveragePhaseData) and about.scenario in _MANY_FOR_EACH_FIELD:
            field = about.description.partition(":")[0]
            alike[about.scenario, about.parameter, about.location, field].append(one)
        else:
            kept.append(one)
    # Another one for each field, and the same ones in each run.
    return kept + [some[crc32(f"{label} {field}".encode()) % len(some)] for field, some in alike.items()]


# `schema.parametrize` would make the cases of all operations in each worker, before the first test.
@pytest.mark.parametrize("label", OPERATIONS)
def test_random_requests_get_answers_as_described(label: str, token: str, feedback: FeedbackSources) -> None:
    @_FEW
    def send(case: Any) -> None:
        case.call_and_validate(headers={"Authorization": token})

    test: Any = build_operation_test(
        config=schema.config, operation=OPERATIONS[label], test_func=send, given_kwargs={}, feedback=feedback
    )
    assert [mark.get(test) for mark in (InvalidHeadersExampleMark, MissingPathParameters)] == [None, None]
    if not _EACH_RUN:
        test()
        return
    examples = {id(one.kwargs["case"]): one.kwargs["case"] for one in test.hypothesis_explicit_examples}
    cases = one_for_each_field([*examples.values()], label)
    if crc32(label.encode()) % _SHARED_ON:
        cases = [case for case in cases if not shared(case)]
    assert cases
    for case in cases:
        send(case)
