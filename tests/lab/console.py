"""The appliance's API as a script sees it: HTTPS through the forwarded port, with a token."""

from __future__ import annotations

import http
import http.client
import json
import ssl
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import urlopen

from tests.lab.machine import Machine

PASSWORD = "a pass phrase of the lab"
SCOPES = [
    f"{area}:{right}"
    for area in ("system", "disks", "pools", "files", "shares", "jobs", "alerts", "users")
    for right in ("read", "write")
]


class Answer(NamedTuple):
    """A status with the decoded body."""

    status: int
    body: Any


def request(
    machine: Machine, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
) -> Answer:
    """One request to `/api/v1/` from outside, as anybody may send it. Raises OSError, HTTPException.

    Where nobody answers for minutes, which nginx does after 120 seconds, it says what the machine said.
    """
    context = _any_certificate()
    connection = http.client.HTTPSConnection("127.0.0.1", machine.https_port, timeout=180, context=context)
    payload = None if body is None else json.dumps(body)
    try:
        sent = {"Content-Type": "application/json"} | (headers or {})
        connection.request(method, f"/api/v1/{path}", payload, sent)
        answer = connection.getresponse()
        text = answer.read()
    except TimeoutError:
        raise TimeoutError(f"{method} {path} got no answer.\n{machine.last_words()}") from None
    finally:
        connection.close()
    if answer.status == http.HTTPStatus.INTERNAL_SERVER_ERROR:
        said = machine.run("journalctl --unit nasweb-web --lines 60 --output cat --no-pager").stdout
        raise AssertionError(f"{method} {path} broke:\n{said}")
    return Answer(answer.status, json.loads(text) if text else None)


def front_page(machine: Machine) -> Answer:
    """Status and text of where a browser without an account gets by `/`. Raises OSError, HTTPException."""
    address = f"https://127.0.0.1:{machine.https_port}/"
    try:
        with urlopen(address, timeout=180, context=_any_certificate()) as answer:
            return Answer(answer.status, answer.read().decode())
    except HTTPError as error:
        return Answer(error.code, error.read().decode())


def _any_certificate() -> ssl.SSLContext:
    """The machine's is self-made, and this is the loopback."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class Console:
    """Makes the first account of `machine`, unless somebody `claimed` it already, and a token, as its README
    says; and then talks to the API."""

    def __init__(self, machine: Machine, *, claimed: bool = False) -> None:
        self._machine = machine
        self._undisturbed = False
        # A machine of many disks that has just started, on a busy emulator: five minutes were too short.
        if not claimed:
            setup = ["nasweb", "setup", "--username", "admin", "--password-stdin"]
            machine.run(setup, input=PASSWORD, timeout_s=900)
        scopes = [word for scope in SCOPES for word in ("--scope", scope)]
        self.token = machine.run(["nasweb", "token", "create", "lab", *scopes], timeout_s=900).stdout.strip()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """One request to `/api/v1/`. Header names are given with underscores."""
        sent = {"Authorization": f"Bearer {self.token}"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return request(self._machine, method, path, body, sent)

    def get(self, path: str) -> Any:
        """The body of a read that must succeed."""
        answer = self.ask("GET", path)
        assert answer.status == 200, (path, answer)
        return answer.body

    def read(self, path: str) -> Any:
        """The body of a read for which the machine itself is asked, however long that takes it."""
        for _ in range(15):
            answer = self.ask("GET", path, Prefer="wait=60")
            if answer.status != http.HTTPStatus.ACCEPTED:
                break
        assert answer.status == http.HTTPStatus.OK, (path, answer)
        return answer.body

    def do(self, method: str, path: str, body: Any = None) -> Any:
        """A write as a job that must succeed; what destroys is confirmed by its own digest."""
        job = self.end_of(self.submit(method, path, body))
        assert job["state"] == "succeeded", json.dumps(job, indent=1)
        return job

    def submit(self, method: str, path: str, body: Any = None) -> int:
        """The number of the job that a write became."""
        answer = self.in_turn(method, path, body)
        if answer.status == 409 and answer.body["type"].endswith("confirmation-required"):
            answer = self.in_turn(method, path, {**(body or {}), "digest": answer.body["plan"]["digest"]})
        assert answer.status == 202, (path, answer)
        return int(answer.body["id"])

    def in_turn(self, method: str, path: str, body: Any = None, *, wait_s: int = 60) -> Answer:
        """The answer to a write, asked again while the machine is still asked for it, or while a job of the
        clock holds what it is about: one that copies the settings to a pool takes a minute on an emulator."""
        for _ in range(15):
            answer = self.ask(method, path, body, Prefer=f"wait={wait_s}")
            if answer.status == 409 and answer.body["type"].endswith("/busy"):
                self.end_of(int(answer.body["job"]))
            elif "still-asking" not in codes(answer):
                break
        return answer

    def end_of(self, job_id: int) -> Any:
        """The job once it has ended, or after some minutes; it reads an inventory between attempts."""
        for _ in range(60):
            job = self.get(f"jobs/{job_id}/")
            if job["state"] not in {"queued", "running"}:
                break
            self.ask("POST", "inventory/refresh/", Prefer="wait=5")
        return job

    def fresh(self) -> None:
        """Have the inventory read again, now."""
        answer = self.ask("POST", "inventory/refresh/", Prefer="wait=60")
        assert answer.status in {200, 202}, answer
        if not self._undisturbed:
            # Between one and six at night a test of a disk would be in a drill's way for seconds.
            self._undisturbed = True
            self.ask("PUT", "self-tests/", {"enabled": False}, Prefer="wait=60")


def codes(answer: Answer) -> list[str]:
    """Of the findings of a refusal."""
    body = answer.body if isinstance(answer.body, dict) else {}
    return [finding["code"] for finding in body.get("findings", ())]
