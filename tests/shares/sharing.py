"""Through the API: a pool with datasets, people, and shares of them."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

Answer = dict[str, Any]


def did(answer: Any) -> Answer:
    """The job of a write, which must have gone well."""
    job: Answer = answer.json()
    assert answer.status_code == 202, job
    assert job["state"] == "succeeded", job
    return job


def dataset(api: APIClient, name: str, **more: Any) -> Answer:
    """A file system."""
    return did(api.post("/api/v1/datasets/", {"name": name, **more}))


def person(api: APIClient, name: str, **more: Any) -> Answer:
    """Somebody with a password."""
    return did(api.post("/api/v1/users/", {"name": name, "password": "correct horse", **more}))


def smb(api: APIClient, name: str, **more: Any) -> Answer:
    """A share of SMB."""
    return did(api.post("/api/v1/shares/smb/", {"name": name, "dataset": "tank/files", **more}))


def faults(answer: Any) -> set[tuple[str, str]]:
    """Field and code of all errors of a refused write."""
    assert answer.status_code == 422, answer.json()
    return {(one["field"], one["code"]) for one in answer.json()["findings"] if one["level"] == "error"}
