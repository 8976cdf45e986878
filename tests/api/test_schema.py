"""The description of the API says what is true."""

from __future__ import annotations

import tomllib
from typing import Any, get_type_hints

import msgspec
import pytest
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
    assert set(operations()) == {
        "GET alerts/",
        "GET alerts/{alert_id}/",
        "POST alerts/{alert_id}/acknowledge/",
        "GET repositories/",
        "POST repositories/",
        "POST repositories/import/",
        "GET repositories/server-keys/",
        "GET repositories/{name}/",
        "DELETE repositories/{name}/",
        "POST repositories/{name}/connect/",
        "POST repositories/{name}/check/",
        "GET repositories/{name}/key/",
        "GET repositories/{name}/snapshots/",
        "GET repositories/{name}/snapshots/{stored_id}/files/",
        "POST repositories/{name}/snapshots/{stored_id}/restore/",
        "GET backups/",
        "POST backups/",
        "GET backups/{name}/",
        "PATCH backups/{name}/",
        "DELETE backups/{name}/",
        "POST backups/{name}/run/",
        "GET backup-runs/",
        "POST backup-runs/{run}/stop/",
        "GET channels/",
        "POST channels/",
        "GET channels/{channel_id}/",
        "PATCH channels/{channel_id}/",
        "DELETE channels/{channel_id}/",
        "POST channels/preview/",
        "POST channels/{channel_id}/send/",
        "POST channels/{channel_id}/test/",
        "GET ping/",
        "PATCH ping/",
        "DELETE ping/",
        "GET channels/{channel_id}/deliveries/",
        "GET channels/{channel_id}/deliveries/{delivery_id}/",
        "GET accounts/",
        "POST accounts/",
        "GET accounts/{account_id}/",
        "PATCH accounts/{account_id}/",
        "DELETE accounts/{account_id}/",
        "POST accounts/{account_id}/reset/",
        "GET arrays/",
        "GET arrays/{name}/history/",
        "GET pools/{name}/events/",
        "POST arrays/",
        "GET arrays/{name}/",
        "DELETE arrays/{name}/",
        "POST arrays/{name}/add/",
        "POST arrays/{name}/check/",
        "POST arrays/{name}/grow/",
        "POST arrays/{name}/remove/",
        "POST arrays/{name}/replace/",
        "POST arrays/{name}/start/",
        "GET audit/",
        "GET bays/",
        "PUT bays/",
        "GET bays/{label}/",
        "PUT bays/{label}/",
        "POST advice/",
        "POST capacity/",
        "GET chassis/",
        "PUT chassis/",
        "GET chassis/export/",
        "POST chassis/import/",
        "GET chassis/profiles/",
        "GET configuration/copies/",
        "POST configuration/copies/",
        "GET configuration/copies/{pool}/{copy}/",
        "GET configuration/copies/{pool}/{copy}/download/",
        "GET configuration/settings/",
        "PATCH configuration/settings/",
        "POST configuration/uploads/",
        "POST configuration/restore/",
        "GET datasets/",
        "POST datasets/",
        "GET datasets/{name}/",
        "PATCH datasets/{name}/",
        "DELETE datasets/{name}/",
        "PATCH datasets/",
        "DELETE datasets/",
        "POST datasets/{name}/change-key/",
        "POST datasets/{name}/load-key/",
        "POST datasets/{name}/test-key/",
        "POST datasets/{name}/unload-key/",
        "POST datasets/{name}/folders/",
        "GET datasets/{name}/quotas/",
        "POST datasets/{name}/quotas/",
        "POST datasets/{name}/mount/",
        "POST datasets/{name}/promote/",
        "POST datasets/{name}/rename/",
        "POST datasets/{name}/unmount/",
        "GET dataset-presets/",
        "GET dataset-properties/",
        "GET disks/",
        "GET disks/{disk_id}/",
        "DELETE disks/{disk_id}/",
        "POST disks/{disk_id}/burn-in/",
        "DELETE disks/{disk_id}/burn-in/",
        "POST disks/{disk_id}/locate/",
        "PUT disks/{disk_id}/note/",
        "GET disks/{disk_id}/self-tests/",
        "PUT disks/{disk_id}/self-tests/",
        "POST disks/{disk_id}/smart-test/",
        "GET disks/{disk_id}/story/",
        "POST disks/{disk_id}/wipe/",
        "GET doctor/",
        "POST doctor/{code}/acknowledge/",
        "DELETE doctor/{code}/acknowledge/",
        "GET groups/",
        "POST groups/",
        "GET groups/{name}/",
        "PATCH groups/{name}/",
        "DELETE groups/{name}/",
        "POST inventory/refresh/",
        "GET jobs/",
        "GET jobs/{job_id}/",
        "POST jobs/{job_id}/abort/",
        "GET metrics/series/",
        "GET slow/",
        "GET boot/",
        "POST boot/add/",
        "POST boot/copies/",
        "GET boot/adopt/",
        "POST boot/adopt/",
        "GET boot/convert/",
        "POST boot/convert/",
        "POST boot/convert/restart/",
        "POST boot/convert/leave/",
        "POST boot/remove/",
        "POST boot/replace/",
        "GET boot/swap/",
        "POST boot/swap/",
        "GET boot/state/",
        "POST boot/state/move/",
        "POST boot/state/return/",
        "POST boot/state/discard/",
        "GET pools/",
        "POST pools/",
        "GET pools/{name}/",
        "DELETE pools/{name}/",
        "POST pools/import/",
        "GET pools/importable/",
        "POST pools/importable/",
        "POST pools/{name}/checkpoint/",
        "POST pools/{name}/export/",
        "POST pools/{name}/initialize/",
        "POST pools/{name}/relink/",
        "POST pools/{name}/scrub/",
        "POST pools/{name}/trim/",
        "POST pools/{name}/upgrade/",
        "POST pools/{name}/add/",
        "POST pools/{name}/attach/",
        "POST pools/{name}/clear/",
        "POST pools/{name}/detach/",
        "POST pools/{name}/expand/",
        "POST pools/{name}/offline/",
        "POST pools/{name}/online/",
        "POST pools/{name}/remove/",
        "POST pools/{name}/replace/",
        "GET pools/{name}/scrubs/",
        "GET replications/",
        "POST replications/",
        "GET replications/{number}/",
        "PATCH replications/{number}/",
        "DELETE replications/{number}/",
        "POST replications/{number}/run/",
        "POST replications/{number}/stop/",
        "POST replications/{number}/drop-partial/",
        "POST replications/go-live/",
        "POST replications/{number}/prove/",
        "GET replications/{number}/progress/",
        "GET replications/{number}/estimate/",
        "GET replications/{number}/runs/",
        "GET targets/",
        "POST targets/",
        "POST targets/pair/",
        "GET targets/{number}/",
        "PATCH targets/{number}/",
        "DELETE targets/{number}/",
        "POST targets/{number}/trust/",
        "GET targets/{number}/look/",
        "GET targets/{number}/probe/",
        "GET pairings/",
        "POST pairings/",
        "POST pairings/answer/",
        "GET pairings/{number}/",
        "PATCH pairings/{number}/",
        "DELETE pairings/{number}/",
        "POST pairings/{number}/code/",
        "GET schedules/",
        "POST schedules/preview/",
        "GET schedules/{schedule_id}/",
        "PATCH schedules/{schedule_id}/",
        "DELETE schedules/{schedule_id}/",
        "GET scrub-schedules/",
        "POST scrub-schedules/",
        "GET scrub-schedules/{schedule_id}/",
        "PATCH scrub-schedules/{schedule_id}/",
        "DELETE scrub-schedules/{schedule_id}/",
        "GET self-tests/",
        "PUT self-tests/",
        "GET snapshot-policies/",
        "POST snapshot-policies/",
        "POST snapshot-policies/preview/",
        "POST snapshot-policies/prune/",
        "POST snapshot-policies/run/",
        "GET snapshot-policies/{name}/",
        "PATCH snapshot-policies/{name}/",
        "DELETE snapshot-policies/{name}/",
        "GET pools/{name}/live/",
        "GET report/",
        "POST report/send/",
        "GET system/settings/log-target/",
        "PUT system/settings/log-target/",
        "GET system/settings/metrics/",
        "PUT system/settings/metrics/",
        "GET snapshots/",
        "POST snapshots/",
        "DELETE snapshots/",
        "POST snapshots/reclaim/",
        "POST snapshots/{name}/clone/",
        "GET snapshots/{name}/details/",
        "GET snapshots/{name}/diff/",
        "POST snapshots/{name}/hold/",
        "POST snapshots/{name}/release/",
        "POST snapshots/{name}/rename/",
        "POST snapshots/{name}/rollback/",
        "GET snapshots/{name}/",
        "DELETE snapshots/{name}/",
        "GET snapshots/{name}/files/",
        "GET snapshots/{name}/files/download/",
        "POST snapshots/{name}/restore/",
        "GET files/",
        "GET files/versions/",
        "GET files/compare/",
        "GET files/download/",
        "GET files/restores/",
        "POST files/restores/stop/",
        "GET setup/",
        "POST setup/",
        "GET system/",
        "GET system/first-boot/",
        "PATCH system/first-boot/",
        "POST system/first-start/",
        "GET system/settings/",
        "PUT system/settings/name/",
        "PUT system/settings/time-zone/",
        "POST system/restart/",
        "POST system/shut-down/",
        "GET network/",
        "GET network/interfaces/{interface}/",
        "PUT network/interfaces/{interface}/",
        "POST network/confirm/",
        "POST network/revert/",
        "GET tokens/",
        "POST tokens/",
        "GET tokens/{token_id}/",
        "DELETE tokens/{token_id}/",
        "DELETE shares/sessions/{session}/",
        "GET shares/smb/",
        "POST shares/smb/",
        "GET shares/smb/{share}/",
        "PATCH shares/smb/{share}/",
        "DELETE shares/smb/{share}/",
        "GET shares/nfs/",
        "POST shares/nfs/",
        "GET shares/nfs/{share_id}/",
        "PATCH shares/nfs/{share_id}/",
        "DELETE shares/nfs/{share_id}/",
        "GET shares/settings/",
        "PATCH shares/settings/",
        "POST shares/folder/",
        "POST shares/personal-folder/",
        "POST shares/apply/",
        "GET shares/rights/",
        "GET shares/sessions/",
        "POST shares/rights/",
        "POST shares/rights/stop/",
        "GET users/",
        "POST users/",
        "GET users/{name}/",
        "PATCH users/{name}/",
        "DELETE users/{name}/",
        "POST users/{name}/password/",
        "GET uploads/",
        "POST uploads/",
        "GET uploads/{key}/",
        "PUT uploads/{key}/",
        "DELETE uploads/{key}/",
        "POST uploads/{key}/finish/",
    }


def test_every_operation_has_an_endpoint() -> None:
    ids = {operation["operationId"] for operation in operations().values()}
    # What the clock does for itself is sharing.apply, and configuration.keep, for everybody else.
    by_the_clock = {"sharing.follow", "configuration.follow"}
    by_a_code = {"pairing.accept"}  # of another machine, which POST pairings/answer/ hears
    assert {name.replace(".", "_") for name in OPERATIONS.keys() - by_the_clock - by_a_code} <= ids


@pytest.mark.parametrize("label", sorted(operations()))
def test_errors_are_described_for_every_endpoint(label: str) -> None:
    responses = operations()[label]["responses"]
    expected = {"401", "403", "422", "500"} | ({"404"} if "{" in label else set())
    assert expected <= set(responses)
    for status in expected:
        assert list(responses[status]["content"]) == ["application/problem+json"]


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
