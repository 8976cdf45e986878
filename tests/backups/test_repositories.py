"""Repositories on servers with TLS: whose authority is trusted."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from host.simulated import SimulatedHost
from host.simulated.network.certificate import pem
from tests.backups.conftest import PASSWORD, done

PLACES: dict[str, dict[str, Any]] = {
    "rest": {"host": "store.internal", "port": 443},
    "s3": {"host": "store.internal", "bucket": "nas-backups", "access_key": "nas"},
}
PEM = pem("store")


def body(kind: str, **more: Any) -> dict[str, Any]:
    found = {"name": "store", "password": PASSWORD, kind: PLACES[kind] | more}
    return found | ({"key": "a secret access key"} if kind == "s3" else {})


@pytest.mark.parametrize("kind", PLACES)
def test_a_certificate_of_an_authority_of_its_own(
    api: APIClient, simulated: SimulatedHost, kind: str
) -> None:
    failed = done(api.post("/api/v1/repositories/", body(kind)))
    assert failed["state"] == "failed"
    assert "The certificate of store.internal is not accepted" in failed["error"]["detail"]
    assert api.get("/api/v1/repositories/").json()["results"] == [] and not simulated.machine().backups.kept
    made = done(api.post("/api/v1/repositories/", body(kind, authority=f"\r\n{PEM}")))
    assert made["state"] == "succeeded"
    (found,) = api.get("/api/v1/repositories/").json()["results"]
    assert found["own_authority"] is True
    (kept,) = simulated.machine().backups.kept.values()
    assert kept.settings is not None and kept.settings.authority == PEM


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"authority": "my own"}, "bad-authority"),
        ({"authority": PEM.replace("MI", "AA", 1)}, "bad-authority"),
        (
            {"authority": f"{PEM}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"},
            "bad-authority",
        ),
        ({"authority": PEM, "tls": False}, "no-tls"),
    ],
)
def test_what_is_no_authority_is_refused_by_its_field(
    api: APIClient, more: dict[str, Any], code: str
) -> None:
    answer = api.post("/api/v1/repositories/", body("s3", **more))
    assert answer.status_code == 422
    (finding,) = answer.json()["findings"]
    assert (finding["code"], finding["field"]) == (code, "s3.authority")
