"""Pages that poll while the worker reads: what a poll takes from its answer is in there, once."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from rest_framework.test import APIClient

from host.commands.datasets.snapshots import ZfsHold, ZfsSnapshot
from host.replication.values import Target
from host.simulated import SimulatedHost
from host.simulated.backups.places import server_keys
from jobs.models import AskedQuestion
from replication.models import TargetRow
from replication.stored import value_of
from replication.targets.reaching import PROBE
from tests.conftest import refresh
from tests.prepared import made_once
from tests.shares.sharing import did

ADDRESSES = (
    "/snapshots/tank/?sizes=yes", "/snapshot/tank@s1/", "/changes/snapshot/tank@s1/", "/quotas/tank/files/",
    "/files/tank/files/", "/versions/tank/files/?path=a", "/difference/tank/files/?path=a&before=s1",
    "/repositories/stick/", "/repositories/stick/abcdef12/", "/repositories/far/",
)  # fmt: skip


@pytest.fixture
@made_once
def busy(files: APIClient, browser: Client, simulated: SimulatedHost) -> Client:
    """`tank/files` with snapshots, a repository and a server."""
    simulated.run(ZfsSnapshot(names=("tank@s1", "tank/files@s1")))
    simulated.run(ZfsHold(names=("tank@s1",), tag="audit"))
    local = {"path": "/media/stick/backups"}
    did(
        files.post("/api/v1/repositories/", {"name": "stick", "password": "apples and pears", "local": local})
    )
    far = {"host": "far.lan", "user": "nas", "path": "photos", "host_key": server_keys("far.lan")[0]}
    did(files.post("/api/v1/repositories/", {"name": "far", "password": "apples and pears", "sftp": far}))
    server = Target(id=0, name="far", kind="ssh", dataset="vault", host="far.lan", user="nas")
    TargetRow.objects.create(name="far", value=value_of(server))
    refresh()
    return browser


@pytest.fixture
def silent(busy: Client, silent_worker: None) -> Client:
    """The same, with a worker that answers nothing."""
    return busy


@pytest.mark.parametrize("address", ADDRESSES)
def test_what_a_poll_takes_is_in_its_answer_once(silent: Client, address: str) -> None:
    polls_for_one_part(silent, address)


def test_the_page_of_a_target_polls_for_one_part(silent: Client) -> None:
    polls_for_one_part(silent, f"/replication/targets/{TargetRow.objects.get().pk}/")


def test_a_target_is_polled_until_its_keys_are_read_too(silent: Client) -> None:
    address = f"/replication/targets/{TargetRow.objects.get().pk}/"
    silent.get(address)
    said = [{"level": "error", "code": "silent", "field": "", "message": "It does not answer."}]
    AskedQuestion.objects.filter(name=PROBE).update(findings=said)
    assert "It does not answer." in silent.get(address).content.decode()
    polls_for_one_part(silent, address)


def polls_for_one_part(client: Client, address: str) -> None:
    page = client.get(address).content.decode()
    (poll,) = re.findall(r'<p class="asking [^>]+>', page)
    said = dict(re.findall(r'(hx-[a-z]+)="([^"]*)"', poll))
    assert said["hx-trigger"] == "every 1s"
    assert said["hx-select"] == said["hx-target"]
    answer = client.get(unescape(said["hx-get"]), headers={"HX-Request": "true"}).content.decode()
    name = said["hx-target"].removeprefix("#")
    assert [part.count(f' id="{name}"') for part in (page, answer)] == [1, 1]
