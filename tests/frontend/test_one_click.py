"""What is harmless runs at one click: with its plan stored, a toast, and the way to undo it."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any

import msgspec
import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate
from host.commands.disks.partition import UdevSettle
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import AuditEvent, Job, State
from jobs.plan import Finding, Plan, Step
from jobs.planning.effects import HARMLESS
from nasweb.operations import OPERATIONS
from pools.snapshots import take_snapshot
from tests.conftest import refresh
from tests.frontend.conftest import make_tank, signed_in

TAKE = {"do": "take", "name": "before"}


@pytest.fixture
def tank(browser: Client) -> Client:
    make_tank(browser)
    return browser


def page(client: Client, path: str, data: dict[str, Any]) -> str:
    answer = client.post(path, data, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def lightable() -> str:
    """A disk that can show itself."""
    inventory = cache.current()
    assert inventory is not None
    return inventory.disks[0].id


def last() -> Job:
    return Job.objects.order_by("pk").last() or Job()


def test_a_snapshot_is_one_click_and_its_plan_is_kept(tank: Client) -> None:
    shown = page(tank, "/snapshots/tank/", TAKE)
    job = last()
    assert (job.operation, job.state) == ("snapshot.create", State.SUCCEEDED)
    assert [step["commands"] for step in job.plan["steps"]] == [[["zfs", "snapshot", "tank@before"]]]
    assert AuditEvent.objects.filter(job=job, action="snapshot.create").count() == 1
    assert f'id="toast-{job.pk}"' in shown
    assert f'href="/jobs/{job.pk}/">Details' in shown


def test_its_plan_is_shown_first_where_that_is_asked_for(tank: Client) -> None:
    before = Job.objects.count()
    answer = tank.post("/snapshots/tank/", TAKE | {"review": "yes"})
    assert answer.status_code == 200
    assert "Exactly what will run" in answer.content.decode()
    assert Job.objects.count() == before


@pytest.mark.parametrize("worse", ["loses", "warns", "interrupts"])
def test_what_turns_out_worse_than_declared_is_shown_first(
    tank: Client, monkeypatch: pytest.MonkeyPatch, worse: str
) -> None:
    row = OPERATIONS["snapshot.create"]

    def plan(request: take_snapshot.TakeSnapshot, inventory: Any) -> Plan:
        made = take_snapshot.plan(request, inventory)
        if worse == "warns":
            warning = Finding(level="warning", code="x", field="", message="Think first.")
            return msgspec.structs.replace(made, findings=(warning,))
        more = Step(title="More", commands=(UdevSettle(),))
        return msgspec.structs.replace(made, steps=(*made.steps, more))

    if worse == "loses":
        row = msgspec.structs.replace(row, effect="destroys")
    else:
        row = msgspec.structs.replace(row, plan=plan)
    if worse == "interrupts":
        monkeypatch.setattr("tests.effects.HARMLESS", {*HARMLESS, UdevSettle})
    monkeypatch.setitem(OPERATIONS, row.name, row)
    before = Job.objects.count()
    answer = tank.post("/snapshots/tank/", TAKE)
    assert answer.status_code == 200
    assert "Exactly what will run" in answer.content.decode()
    assert Job.objects.count() == before


def test_a_light_is_undone_by_turning_it_off(tank: Client) -> None:
    shown = page(tank, "/locate/", {"on": lightable(), "back": "/disks/"})
    lit = last()
    assert (lit.operation, lit.request["on"], lit.state) == ("disk.locate", True, State.SUCCEEDED)
    assert re.search(rf'name="job" value="{lit.pk}".*?>Undo<', shown, re.DOTALL)
    shown = page(tank, "/undo/", {"job": lit.pk, "back": "/pools/tank/"})
    assert (last().request["on"], last().state) == (False, State.SUCCEEDED)
    assert "Undone: Turn the light of bay" in shown


def test_what_a_job_destroyed_cannot_be_undone(tank: Client) -> None:
    page(tank, "/snapshots/tank/", TAKE)
    answer = tank.post("/undo/", {"job": last().pk})
    assert answer.status_code == 404
    for wrong in ("", "x", "0", "9" * 30, "²"):
        assert tank.post("/undo/", {"job": wrong}).status_code == 404


def test_who_may_only_read_is_offered_no_undo_and_gets_none(tank: Client, viewer: Client) -> None:
    page(tank, "/pools/tank/care/", {"do": "scrub"})
    job = last()
    assert "Undo" not in viewer.get(f"/jobs/{job.pk}/toast/").content.decode()
    assert viewer.post("/undo/", {"job": job.pk}).status_code == 403
    assert last() == job


def test_a_toast_follows_its_job(tank: Client, simulated: SimulatedHost) -> None:
    page(tank, "/snapshots/tank/", TAKE)
    job = last()
    done = tank.get(f"/jobs/{job.pk}/toast/").content.decode()
    assert ("hx-get" in done, "done." in done) == (False, True)
    Job.objects.filter(pk=job.pk).update(state=State.RUNNING)
    running = tank.get(f"/jobs/{job.pk}/toast/").content.decode()
    assert f'hx-get="/jobs/{job.pk}/toast/"' in running
    assert "is running." in running
    Job.objects.filter(pk=job.pk).update(state=State.FAILED)
    assert "failed." in tank.get(f"/jobs/{job.pk}/toast/").content.decode()


@pytest.mark.parametrize(
    ("current", "back"),
    [
        ("http://testserver/files/tank/?path=a&snapshot=x", "/files/tank/?path=a&snapshot=x"),
        ("http://elsewhere.example/files/", ""),
        ("http://[", ""),
        ("", ""),
    ],
)
def test_undo_of_a_toast_that_followed_its_job_leads_to_the_page_around_it(
    tank: Client, current: str, back: str
) -> None:
    page(tank, "/locate/", {"on": lightable(), "back": "/disks/"})
    job = last()
    headers = {"HX-Request": "true", "HX-Current-URL": current}
    shown = tank.get(f"/jobs/{job.pk}/toast/", headers=headers).content.decode()
    assert f'name="back" value="{escape(back or f"/jobs/{job.pk}/")}"' in shown


def backs(text: str) -> set[str]:
    """Where the buttons that every page has lead back to."""
    return {unescape(one) for one in re.findall(r'name="back" value="([^"]*)"', text)}


def test_the_buttons_around_a_page_lead_back_to_it(tank: Client) -> None:
    address = "/files/tank/?path=a/b&snapshot=x"
    assert backs(tank.get(address).content.decode()) == {address}


def test_the_buttons_around_a_plan_lead_back_to_where_it_was_made(
    tank: Client, simulated: SimulatedHost
) -> None:
    simulated.run(ZfsCreate(name="tank/a"))
    refresh()
    plan = tank.post("/destroy/datasets/", {"name": ["tank/a"]})
    sent = {name: plan.context[name] for name in ("operation", "digest", "key")}
    unconfirmed = tank.post("/plans/run/", sent | {"request": plan.context["request_json"]})
    for shown in (plan, unconfirmed):
        assert shown.status_code in {200, 422}
        assert backs(shown.content.decode()) == {shown.context["plan"].origin.href}


def test_who_opens_an_address_that_only_takes_forms_lands_on_the_overview(tank: Client) -> None:
    assert tank.get("/plans/run/").headers["Location"] == "/"
    assert tank.put("/plans/run/").status_code == 405


def test_a_toast_withholds_names_of_files(files: APIClient, admin: User, simulated: SimulatedHost) -> None:
    simulated.furnish("tank/files")
    browser = signed_in(admin)
    page(browser, "/snapshots/tank/files/", TAKE)
    form = {"snapshot": "before", "path": "Letters/neighbour.txt", "mode": "beside"}
    shown = page(browser, "/restore/tank/files/", form)
    job = last()
    assert (job.operation, job.state) == ("snapshot.restore", State.SUCCEEDED)
    assert "Restore Letters/neighbour.txt" in shown
    other = signed_in(User.objects.create_user("nora", role="viewer"))
    assert "neighbour" not in other.get(f"/jobs/{job.pk}/toast/").content.decode()


def test_what_replaces_a_file_is_still_read_first(
    files: APIClient, admin: User, simulated: SimulatedHost
) -> None:
    simulated.furnish("tank/files")
    browser = signed_in(admin)
    simulated.run(ZfsSnapshot(names=("tank/files@s1",)))
    simulated.write_file("tank/files", b"Letters/neighbour.txt", b"I moved.\n")
    refresh()
    before = Job.objects.count()
    form = {"snapshot": "s1", "path": "Letters/neighbour.txt", "mode": "over"}
    assert "Exactly what will run" in browser.post("/restore/tank/files/", form).content.decode()
    assert Job.objects.count() == before
