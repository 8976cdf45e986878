"""A secret that was sent is nowhere afterwards: in no row, log, answer, file or state, whatever happened."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from rest_framework.test import APIClient

from host.commands.datasets.keys import ZfsLoadKey
from host.simulated import SimulatedHost
from jobs import secrets
from jobs.models import AuditEvent, Job, JobStep
from tests.conftest import refresh
from tests.prepared import made_once

MARKER = "Mxq7 marker passphrase ztv"
OTHER = "Mxq7 another passphrase ztv"
KEY = "d1ce" * 16
ANSWERS: list[str] = []


@pytest.fixture
@made_once
def tank(api: APIClient, simulated: SimulatedHost) -> SimulatedHost:
    """A pool, and an encrypted dataset that MARKER opens."""
    vdevs = [{"layout": "mirror", "disks": free(api)[:2]}]
    send(api, "pools/", {"name": "tank", "vdevs": vdevs}, confirm=True)
    send(api, "datasets/", {"name": "tank/private", "passphrase": MARKER})
    return simulated


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.DEBUG):
        yield caplog


def free(api: APIClient) -> list[str]:
    """The disks that nothing uses."""
    return [disk["id"] for disk in api.get("/api/v1/disks/").json()["results"] if not disk["used_by"]]


def send(
    api: APIClient,
    path: str,
    body: dict[str, Any],
    *,
    confirm: bool = False,
    headers: dict[str, str] | None = None,
) -> Any:
    """POST, after the dry run whose digest it carries; both answers are remembered."""
    dry = api.post(f"/api/v1/{path}?dry_run=true", body)
    ANSWERS.append(dry.content.decode())
    if dry.status_code == 200 and confirm:
        body = body | {"digest": dry.json()["digest"]}
    answer = api.post(f"/api/v1/{path}", body, headers=headers or {})
    ANSWERS.append(answer.content.decode())
    return answer


def everything(simulated: SimulatedHost, settings: Any) -> str:
    """All rows of all tables, the machine's state, and every file of this installation but the store's."""
    texts = []
    with connection.cursor() as cursor:
        for model in apps.get_models():
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')
            for row in cursor.fetchall():
                texts += [
                    bytes(value).decode("utf-8", "replace")
                    if isinstance(value, bytes | memoryview)
                    else str(value)
                    for value in row
                ]
    state = Path(settings.NASWEB_MACHINE_STATE)
    texts += [
        file.read_bytes().decode("utf-8", "replace")
        for file in state.parent.rglob("*")
        if file.is_file() and Path(settings.NASWEB_SECRETS) not in file.parents
    ]
    assert any(str(part) in "".join(texts) for part in simulated.machine().pools)  # it does look there
    return "\n".join(texts)


def kept(settings: Any) -> list[str]:
    folder = Path(settings.NASWEB_SECRETS)
    return [file.name for file in folder.iterdir()] if folder.exists() else []


def check_nothing_stays(simulated: SimulatedHost, settings: Any, logged: pytest.LogCaptureFixture) -> None:
    found = everything(simulated, settings)
    said = "\n".join([*ANSWERS, *(record.getMessage() + str(record.__dict__) for record in logged.records)])
    for secret in (MARKER, OTHER, KEY):
        assert secret not in found
        assert secret not in said
    assert kept(settings) == []


def test_no_operation_leaves_its_secret_anywhere(
    api: APIClient, tank: SimulatedHost, settings: Any, logged: pytest.LogCaptureFixture
) -> None:
    base, alone = "datasets/tank/private", {"layout": "stripe", "disks": free(api)[:1]}
    wanted: list[tuple[str, dict[str, Any], str]] = [
        (f"{base}/test-key/", {"passphrase": MARKER}, "succeeded"),
        (f"{base}/test-key/", {"passphrase": OTHER}, "failed"),
        (f"{base}/unload-key/", {}, "succeeded"),
        (f"{base}/load-key/", {"passphrase": OTHER}, "failed"),
        (f"{base}/load-key/", {"passphrase": MARKER}, "succeeded"),
        (f"{base}/change-key/", {"passphrase": OTHER}, "succeeded"),
        (f"{base}/change-key/", {"key": KEY}, "succeeded"),
        (
            "datasets/",
            {"name": "tank/private/own", "passphrase": MARKER, "pbkdf2iters": 200_000},
            "succeeded",
        ),
        ("datasets/", {"name": "tank/hex", "key": KEY}, "succeeded"),
        ("pools/", {"name": "vault", "vdevs": [alone], "passphrase": MARKER}, "succeeded"),
        ("users/", {"name": "anna", "password": MARKER}, "succeeded"),
        ("users/anna/password/", {"password": OTHER}, "succeeded"),
    ]
    for path, body, state in wanted:
        answer = send(api, path, body, confirm=True)
        assert answer.status_code == 202, answer.json()
        assert answer.json()["state"] == state, answer.json()
        check_nothing_stays(tank, settings, logged)
    assert {job.operation for job in Job.objects.all()} >= {"dataset.load-key", "dataset.change-key"}
    assert JobStep.objects.count() > len(wanted)
    assert AuditEvent.objects.count() > len(wanted)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"passphrase": MARKER, "key": KEY}, {"key"}),
        ({"passphrase": MARKER, "nmae": 1}, {"nmae"}),
        ({"passphrase": MARKER + "\n"}, {"passphrase"}),
        ({"passphrase": {"is": MARKER}}, {"passphrase"}),
        ({"passphrase": [MARKER]}, {"passphrase"}),
        ({"key": KEY + "0"}, {"key"}),
        ({"passphrase": MARKER, "digest": "sha256:0"}, None),
    ],
)
def test_what_is_refused_leaves_nothing_behind(
    api: APIClient,
    tank: SimulatedHost,
    settings: Any,
    logged: pytest.LogCaptureFixture,
    body: dict[str, Any],
    fields: set[str] | None,
) -> None:
    answer = send(api, "datasets/tank/private/test-key/", body)
    if fields is None:
        assert answer.status_code == 409
    else:
        assert answer.status_code == 422
        assert fields <= {finding["field"] for finding in answer.json()["findings"]}
    check_nothing_stays(tank, settings, logged)


def test_a_machine_that_breaks_leaves_nothing_behind(
    api: APIClient, tank: SimulatedHost, settings: Any, logged: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    send(api, "datasets/tank/private/unload-key/", {}, confirm=True)
    tank.fail_next(ZfsLoadKey, stderr="cannot\n")
    answer = send(api, "datasets/tank/private/load-key/", {"passphrase": MARKER})
    assert answer.json()["state"] == "failed"
    check_nothing_stays(tank, settings, logged)

    def broken(*_: Any) -> None:
        raise ValueError("broken")

    monkeypatch.setattr("jobs.engine._run_step", broken)
    answer = send(api, "datasets/tank/private/load-key/", {"passphrase": MARKER})
    assert answer.json()["error"]["title"] == "Internal error"
    check_nothing_stays(tank, settings, logged)


def test_digest_and_key_hold_for_the_same_secret_and_not_for_another(
    api: APIClient, tank: SimulatedHost, settings: Any, logged: pytest.LogCaptureFixture
) -> None:
    path = "datasets/tank/private/test-key/"
    shown = api.post(f"/api/v1/{path}?dry_run=true", {"passphrase": MARKER}).json()
    first = send(
        api, path, {"passphrase": MARKER, "digest": shown["digest"]}, headers={"Idempotency-Key": "k"}
    )
    assert first.status_code == 202
    again = send(
        api, path, {"passphrase": MARKER, "digest": shown["digest"]}, headers={"Idempotency-Key": "k"}
    )
    # The digest is a part of what is asked for no job: the same key and body give the same job.
    assert again.json()["id"] == first.json()["id"]
    other = send(
        api, path, {"passphrase": OTHER, "digest": shown["digest"]}, headers={"Idempotency-Key": "k"}
    )
    assert other.status_code == 422
    check_nothing_stays(tank, settings, logged)


def test_a_dry_run_keeps_nothing(api: APIClient, tank: SimulatedHost, settings: Any) -> None:
    answer = api.post("/api/v1/datasets/tank/private/test-key/?dry_run=true", {"passphrase": MARKER})
    assert answer.json()["steps"][0]["commands"] == [
        ["zfs", "load-key", "-n", "-L", "prompt", "tank/private", "<<<", "(the passphrase)"]
    ]
    assert kept(settings) == []


def test_a_reference_is_no_passphrase_of_the_api(api: APIClient, tank: SimulatedHost, settings: Any) -> None:
    """What looks like a reference is what was typed: nobody gets at another's secret by its name."""
    reference = secrets.store().put(MARKER)
    answer = api.post("/api/v1/datasets/tank/private/test-key/", {"passphrase": reference})
    assert answer.json()["state"] == "failed"
    assert "Incorrect key provided" in answer.json()["error"]["detail"]


def test_a_job_whose_secret_is_gone_says_so(api: APIClient, tank: SimulatedHost, monkeypatch: Any) -> None:
    monkeypatch.setattr("jobs.secrets.gone", lambda *_: ())
    monkeypatch.setattr("host.secrets.SecretStore.put", lambda *_: f"secret:{'f' * 32}")
    answer = api.post("/api/v1/datasets/tank/private/test-key/", {"passphrase": MARKER})
    assert answer.json()["state"] == "failed"
    assert "Enter it again" in answer.json()["error"]["detail"]


def test_the_description_says_that_secrets_are_only_written(api: APIClient) -> None:
    schemas = api.get("/api/v1/schema/?format=json").json()["components"]["schemas"]
    for body, field in (
        ("LoadKeyBody", "passphrase"),
        ("ChangeKeyBody", "key"),
        ("CreateDataset", "passphrase"),
    ):
        text = str(schemas[body]["properties"][field])
        assert "'writeOnly': True" in text
        assert "secret:" not in text


def test_the_machines_own_words_about_a_wrong_key_are_kept(api: APIClient, tank: SimulatedHost) -> None:
    send(api, "datasets/tank/private/unload-key/", {}, confirm=True)
    answer = send(api, "datasets/tank/private/load-key/", {"passphrase": OTHER})
    assert "Key load error: Incorrect key provided for 'tank/private'." in answer.json()["error"]["detail"]
    refresh()
    dataset = api.get("/api/v1/datasets/tank/private/").json()
    assert (dataset["mounted"], dataset["properties"]["keystatus"]["value"]) == (False, "unavailable")
