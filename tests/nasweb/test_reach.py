"""Names that can only be ours are answered; a name from the public DNS could be an attacker's."""

from __future__ import annotations

import socket

import pytest
from django.test import Client

from nasweb.reach import is_own


@pytest.mark.parametrize(
    "host",
    [
        "",
        "localhost",
        "localhost:8000",
        "127.0.0.1:8000",
        "192.168.1.20",
        "[::1]:8000",
        "[fe80::1]",
        "nas",
        "nas:443",
        "NAS.local",
        "nas.local.",
        "nas.lan",
        "nas.home.arpa",
        "nas.internal",
    ],
)
def test_addresses_and_local_names_are_ours(host: str) -> None:
    assert is_own(host, [])


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "nas.example.com",
        "local.evil.com",
        "127.0.0.1.evil.com",
        "a b",
        "nas.local@evil.com",
        "[::1",
    ],
)
def test_names_of_the_public_dns_are_not_ours(host: str) -> None:
    assert not is_own(host, [])


@pytest.mark.parametrize("host", ["nas.example.com", "nas.example.com:8443", "a.home.example"])
def test_names_that_were_added_are_ours(host: str) -> None:
    assert is_own(host, ["nas.example.com", ".home.example"])


def test_a_foreign_name_gets_400_as_page_and_as_json() -> None:
    page = Client().get("/", headers={"host": "evil.example"})
    assert (page.status_code, page.headers["Content-Type"]) == (400, "text/html; charset=utf-8")
    text = page.content.decode()
    assert "<h1>Unknown host name</h1>" in text
    assert f"or {socket.gethostname().split('.')[0].lower()}.local" in text
    answer = Client().get("/api/v1/disks/", headers={"host": "evil.example"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")


@pytest.mark.django_db
def test_this_hosts_own_name_is_answered() -> None:
    assert Client().get("/api/v1/docs/", headers={"host": socket.gethostname()}).status_code == 200
