"""Replications on pages: the list, the form, one that runs, and what stands in the way."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from host.commands.datasets.snapshots import ZfsSnapshot
from host.commands.pools.zpool import ZpoolDestroy
from host.commands.replication.runs import StartReplication
from host.replication.proof import BY_GUID_ALONE
from host.replication.values import Target
from host.simulated import SimulatedHost
from jobs.models import StoredSchedule
from replication.models import RunRow, TargetRow, TaskRow
from replication.replications import following
from replication.stored import value_of
from tests.conftest import refresh
from tests.frontend.conftest import decide, free_disks
from tests.prepared import made_once
from tests.shares.sharing import dataset, did

FIELDS = {
    "source": "tank/photos", "target": "attic", "recursive": "yes", "raw": "yes", "properties": "yes",
    "own_snapshots": "no", "when": "hand", "aim_hours": "26",
}  # fmt: skip


@pytest.fixture
@made_once
def attic(browser: Client, api: APIClient, simulated: SimulatedHost) -> APIClient:
    """tank/photos with tank/photos/raw and a snapshot, and the pool second as the target attic."""
    disks = free_disks()
    for name, of in (("tank", disks[:2]), ("second", disks[2:3])):
        layout = "mirror" if len(of) > 1 else "stripe"
        vdevs = [{"role": "data", "layout": layout, "disks": of}]
        did(api.post("/api/v1/pools/", {"name": name, "vdevs": vdevs}))
    for name in ("tank/photos", "tank/photos/raw"):
        dataset(api, name)
    simulated.write("tank/photos", 300 << 20)
    simulated.run(ZfsSnapshot(names=("tank/photos@one",), recursive=True))
    guid = api.get("/api/v1/pools/second/").json()["guid"]
    target = Target(id=0, name="attic", kind="pool", dataset="second", pool_guid=guid)
    TargetRow.objects.create(name=target.name, value=value_of(target))
    refresh()
    return api


def arranged(browser: Client, **fields: str) -> int:
    """The number of a replication that was made by the form."""
    decide(browser, browser.post("/replication/new/", FIELDS | fields))
    return TaskRow.objects.get().pk


def run(browser: Client, number: int) -> None:
    browser.post(f"/replication/{number}/act/", {"do": "run"})


def ended(simulated: SimulatedHost) -> None:
    simulated.pass_time(1000)
    following.follow(simulated)
    refresh()


def card_of(browser: Client) -> Any:
    (card,) = browser.get("/replication/").context["cards"]
    return card


def test_without_any_the_page_says_why_and_how_to_begin(browser: Client) -> None:
    page = browser.get("/replication/").content.decode()
    assert "It does not survive theft, fire" in page
    assert "It begins with a pool and a dataset" in page


def test_the_way_begins_at_a_target(browser: Client, attic: APIClient) -> None:
    assert 'href="/replication/new/"' in browser.get("/replication/").content.decode()
    TargetRow.objects.all().delete()
    refresh()
    for path in ("/replication/", "/replication/new/"):
        page = browser.get(path).content.decode()
        assert 'class="button primary" href="/replication/targets/new/"' in page


def test_one_is_made_by_form_and_plan(browser: Client, attic: APIClient) -> None:
    form = browser.get("/replication/new/?source=tank/photos").context["form"]
    assert (form.source, form.target, form.when, form.cron) == ("tank/photos", "attic", "times", "0 3 * * *")
    times = {"when": "times", "every": "day", "time": "04:30", "time_zone": "Europe/Berlin"}
    limit = {"rate-0": "2,5", "start-0": "08:00", "end-0": ""}
    plan = browser.post("/replication/new/", FIELDS | times | limit | {"keep-daily": "30"})
    assert plan.context["plan"].title == "Create replication photos to attic"
    back = browser.post("/replication/new/", {"request": plan.context["request_json"]}).context["form"]
    assert (back.name, back.when, back.cron) == ("photos to attic", "times", "30 4 * * *")
    assert [(one.rate, one.start, one.end) for one in back.limits] == [("2.5", "08:00", "24:00")]
    assert back.keep == {"daily": "30"}
    decide(browser, plan)
    assert TaskRow.objects.get().value["retention"]["daily"] == 30
    card = card_of(browser)
    assert (card.name, card.place, card.target) == ("photos to attic", "second/photos", "attic")
    assert (card.state.word, card.aim, card.last) == ("no copy yet", "26 hours", "")
    assert card.when.startswith("Every day at 04:30, next ")
    assert TaskRow.objects.get().value["limits"] == [
        {"bytes_per_s": 2_500_000, "start_min": 480, "end_min": 1440}
    ]
    (row,) = [one for one in browser.get("/schedules/").context["rows"] if one.title.startswith("Replicate")]
    assert row.change.href == f"/replication/{card.number}/#settings"


@pytest.mark.parametrize(
    ("typed", "field", "said"),
    [
        ({"source": "tank/none"}, "source", "no dataset tank/none"),
        ({"target": ""}, "target", "no target of that name"),
        ({"excluded": "tank/other"}, "excluded", "does not lie below tank/photos"),
        ({"rate-1": "fast"}, "limits", "megabytes a second"),
        ({"when": "times", "every": "custom", "cron": "x", "time_zone": "UTC"}, "cron", "five fields"),
        ({"aim_hours": "often"}, "aim_hours", "number of hours"),
    ],
)
def test_errors_stand_beside_their_field_and_what_was_typed_stays(
    browser: Client, attic: APIClient, typed: dict[str, str], field: str, said: str
) -> None:
    answer = browser.post("/replication/new/", FIELDS | typed)
    assert answer.status_code == 422
    assert said in " ".join(answer.context["errors"].by_field[field])
    assert answer.context["form"].aim_hours == typed.get("aim_hours", "26")
    assert TaskRow.objects.count() == 0


def test_a_first_copy_is_estimated_run_and_followed(
    browser: Client, attic: APIClient, simulated: SimulatedHost
) -> None:
    number = arranged(browser)
    first = browser.get(f"/replication/{number}/").context["amount"]
    assert (first.datasets, first.first, first.seconds, first.too_little_room) == (2, 2, None, False)
    assert first.size_bytes > 300 << 20
    run(browser, number)
    simulated.pass_time(1)
    shown = browser.get(f"/replication/{number}/")
    assert shown.context["card"].state.word == "running"
    assert "MB/s" in shown.context["card"].progress.figures
    assert {row.state.word for row in shown.context["rows"]} == {"sending"}
    page = browser.get("/replication/").content.decode()
    assert "tick from:body, every 2s" in page and 'value="stop"' in page
    ended(simulated)
    card = card_of(browser)
    assert (card.state.word, card.running, card.last) == ("up to date", False, "2 datasets up to date.")
    shown = browser.get(f"/replication/{number}/?estimate=yes")
    assert (shown.context["amount"].datasets, len(shown.context["runs"])) == (0, 1)
    assert "Nothing: the copy has all that there is." in shown.content.decode()
    seen = shown.context["mark"]
    poll = f"/replication/{number}/?estimate=yes&seen={seen}"
    assert browser.get(poll, headers={"HX-Request": "true"}).status_code == 204


def test_what_takes_long_is_told_by_the_rate_of_the_last_run(
    browser: Client, attic: APIClient, simulated: SimulatedHost
) -> None:
    number = arranged(browser)
    began = timezone.now()
    RunRow.objects.create(
        task_id=number, started=began, finished=began + timedelta(seconds=100), verdict="stopped",
        sent_bytes=100 << 20, datasets=2,
    )  # fmt: skip
    shown = browser.get(f"/replication/{number}/")
    assert 300 < shown.context["amount"].seconds < 330
    assert "≈ 5 min at the rate of earlier runs" in shown.content.decode()


def test_a_conflict_leads_to_the_page_that_resolves_it(
    browser: Client, attic: APIClient, simulated: SimulatedHost
) -> None:
    number = arranged(browser)
    run(browser, number)
    ended(simulated)
    simulated.run(ZfsSnapshot(names=("second/photos@own",)))
    simulated.run(ZfsSnapshot(names=("tank/photos@two",), recursive=True))
    run(browser, number)
    ended(simulated)
    assert card_of(browser).state.word == "partly behind"
    first = browser.get(f"/replication/{number}/").context["rows"][0]
    assert (first.source, first.state.word) == ("tank/photos", "cannot go on")
    assert first.way_out.href == "/rollback/snapshot/second/photos%40one/"
    assert browser.get(first.way_out.href).status_code == 200


def test_what_has_arrived_of_no_use_is_dropped_from_the_page(
    browser: Client, attic: APIClient, simulated: SimulatedHost
) -> None:
    number = arranged(browser)
    run(browser, number)
    ended(simulated)
    report = TaskRow.objects.get().report
    assert report is not None
    report["datasets"][0] |= {"state": "conflict", "code": "stale-token"}
    TaskRow.objects.update(report=report)
    shown = browser.get(f"/replication/{number}/").content.decode()
    assert shown.count('value="drop"') == 1 and "zfs receive -A" not in shown
    plan = browser.post(f"/replication/{number}/act/", {"do": "drop", "source": "tank/photos"})
    assert (
        plan.context["plan"].steps[0].title == "Drop what has arrived of the broken stream to second/photos"
    )


def test_it_is_paused_and_resumed_at_one_click_and_late_in_between_says_nothing(
    browser: Client, attic: APIClient
) -> None:
    number = arranged(browser)
    TaskRow.objects.update(made_at=timezone.now() - timedelta(hours=30))
    assert card_of(browser).state.word == "late"
    browser.post(f"/replication/{number}/act/", {"do": "pause", "back": "/replication/"})
    assert (card_of(browser).state.word, card_of(browser).late) == ("paused", False)
    browser.post(f"/replication/{number}/act/", {"do": "resume"})
    assert card_of(browser).state.word == "late"
    assert browser.post(f"/replication/{number}/act/", {"do": "x"}).status_code == 400


def test_settings_change_by_a_plan_of_what_differs(browser: Client, attic: APIClient) -> None:
    number = arranged(browser)
    same = browser.post(f"/replication/{number}/", FIELDS | {"name": "photos to attic"})
    assert same.context["unchanged_form"] is True
    changed = FIELDS | {"name": "pictures", "when": "hour", "time_zone": "UTC", "aim_hours": "48"}
    plan = browser.post(f"/replication/{number}/", changed)
    assert plan.context["plan"].steps[0].title == (
        "Change the replication photos to attic: aim_hours, name, schedule"
    )
    decide(browser, plan)
    assert StoredSchedule.objects.get(operation="replication.run").cron == "0 * * * *"
    card = card_of(browser)
    assert (card.name, card.aim) == ("pictures", "2 days")
    assert card.when.startswith("Every hour, next ")


def test_files_are_compared_at_a_click_but_on_a_server_that_is_no_nasweb(
    browser: Client, attic: APIClient, simulated: SimulatedHost
) -> None:
    number = arranged(browser)
    run(browser, number)
    ended(simulated)
    page = f"/replication/{number}/"
    row = TargetRow.objects.get()
    for kind, offered in (("pool", True), ("nasweb", True), ("ssh", False)):
        TargetRow.objects.update(value=row.value | {"kind": kind})
        refresh()
        shown = browser.get(page).content.decode()
        assert ("Compare files now" in shown, BY_GUID_ALONE in shown) == (offered, not offered)


def test_it_is_stopped_and_deleted_by_plans(browser: Client, attic: APIClient) -> None:
    number = arranged(browser)
    run(browser, number)
    stop = browser.post(f"/replication/{number}/act/", {"do": "stop"})
    assert stop.context["plan"].title == "Stop the replication photos to attic"
    decide(browser, stop)
    decide(browser, browser.post(f"/replication/{number}/act/", {"do": "delete"}))
    assert TaskRow.objects.count() == 0
    assert browser.get(f"/replication/{number}/").status_code == 404


def test_datasets_tell_of_their_copies(browser: Client, attic: APIClient, simulated: SimulatedHost) -> None:
    number = arranged(browser)
    page = browser.get("/datasets/tank/photos/").content.decode()
    assert "not copied yet" in page and "/replication/new/?source=tank%2Fphotos" in page
    run(browser, number)
    ended(simulated)
    (copy,) = browser.get("/datasets/tank/photos/raw/").context["copies"]
    assert (copy.target, copy.dataset, copy.late) == ("attic", "second/photos/raw", False)
    assert copy.copied_at is not None
    page = browser.get("/datasets/tank/photos/raw/").content.decode()
    assert "This data exists 2 times: here and on attic." in page and "none was proven yet" in page
    assert "This data exists" not in browser.get("/datasets/tank/").content.decode()
    assert "This is the copy of" in browser.get("/datasets/second/photos/").content.decode()
    rows = browser.get("/datasets/?only=uncopied").context["rows"]
    assert [row.name for row in rows] == ["second", "second/photos", "second/photos/raw", "tank"]


def test_a_viewer_sees_and_cannot_act(viewer: Client, browser: Client, attic: APIClient) -> None:
    number = arranged(browser)
    for path in ("/replication/", f"/replication/{number}/", "/replication/new/"):
        assert "Your role only allows reading" in viewer.get(path).content.decode()
    assert viewer.post(f"/replication/{number}/act/", {"do": "run"}).status_code == 403
    assert viewer.post("/replication/new/", FIELDS).status_code == 403


def test_one_that_is_not_there_is_missing(browser: Client) -> None:
    assert browser.get("/replication/7/").status_code == 404
    assert browser.post("/replication/7/act/", {"do": "run"}).status_code == 404
    assert StartReplication.__name__ not in browser.get("/replication/").content.decode()


def test_a_lost_source_is_copied_back_and_goes_live_from_its_page(
    browser: Client, attic: APIClient, simulated: SimulatedHost
) -> None:
    number = arranged(browser)
    run(browser, number)
    ended(simulated)
    page, act = f"/replication/{number}/", f"/replication/{number}/act/"
    assert browser.get(page).context["turning"].stage == "here"
    simulated.run(ZpoolDestroy(name="tank"))
    refresh()
    shown = browser.get(page)
    assert (shown.context["turning"].stage, shown.context["turning"].pool) == ("lost", "tank")
    assert "create a pool tank" in shown.content.decode()
    assert card_of(browser).state.word == "source is missing"
    vdev = {"role": "data", "layout": "mirror", "disks": free_disks()[:2]}
    did(attic.post("/api/v1/pools/", {"name": "tank", "vdevs": [vdev]}))
    assert "tank/photos is missing, but it has a copy" in browser.get("/pools/tank/").content.decode()
    decide(browser, browser.post(act, {"do": "reverse", "into": "tank/photos"}))
    assert browser.get(page).context["turning"].stage == "back"
    assert card_of(browser).state.word == "running"
    ended(simulated)
    assert card_of(browser).state.word == "copies back"
    assert browser.get(page).context["turning"].stage == "ready"
    assert "This is being copied back" in browser.get("/datasets/tank/photos/").content.decode()
    decide(browser, browser.post(act, {"do": "forward"}))
    ended(simulated)
    assert browser.get(page).context["turning"].stage == "here"
    assert card_of(browser).state.word == "up to date"


def test_the_copy_is_worked_with_once_its_replication_is_paused(
    browser: Client, attic: APIClient, simulated: SimulatedHost
) -> None:
    number = arranged(browser)
    run(browser, number)
    ended(simulated)
    act = f"/replication/{number}/act/"
    assert "pause the replication first" in browser.get(f"/replication/{number}/").content.decode()
    browser.post(act, {"do": "pause"})
    decide(browser, browser.post(act, {"do": "go-live"}))
    refresh()
    assert browser.get(f"/replication/{number}/").context["turning"].copy_live
    decide(browser, browser.post(act, {"do": "freeze"}))
    refresh()
    assert not browser.get(f"/replication/{number}/").context["turning"].copy_live


def test_a_target_gets_another_name_and_its_disk_may_be_unplugged(browser: Client, attic: APIClient) -> None:
    number = TargetRow.objects.get().pk
    page = f"/replication/targets/{number}/change/"
    assert b'value="attic"' in browser.get(page).content
    decide(browser, browser.post(page, {"name": "shelf", "rotating": "yes"}))
    (target,) = attic.get("/api/v1/targets/").json()["results"]
    assert (target["name"], target["rotating"]) == ("shelf", True)
    same = browser.post(page, {"name": "shelf", "rotating": "yes"})
    assert same.status_code == 422 and b"Nothing to change." in same.content


def test_a_disk_that_was_plugged_in_shows_how_far_it_has_come(browser: Client, attic: APIClient) -> None:
    row = TargetRow.objects.get()
    TargetRow.objects.update(value=row.value | {"rotating": True}, visit={"stage": "proving"})
    refresh()
    page = f"/replication/targets/{row.pk}/"
    assert browser.get(page).context["view"].state.word == "comparing files"
    TargetRow.objects.update(visit={"stage": "importing", "said": "No room.", "blocked": True})
    shown = browser.get(page)
    assert shown.context["view"].state.word == "needs attention"
    assert b"<dt>In its way</dt><dd>No room.</dd>" in shown.content
    TargetRow.objects.update(visit={})
    assert browser.get(page).context["view"].state.word == "imported"


def test_another_machine_gets_another_address(browser: Client, attic: APIClient) -> None:
    barn = Target(
        id=0, name="barn", kind="ssh", host="10.0.0.8", user="nas", dataset="vault", connection="a" * 8
    )
    number = TargetRow.objects.create(name=barn.name, value=value_of(barn)).pk
    refresh()
    page = f"/replication/targets/{number}/change/"
    wrong = browser.post(page, {"name": "barn", "host": "10.0.0.9", "port": "x", "user": "nas"})
    assert (wrong.status_code, b'id="port"' in wrong.content) == (422, True)
    review = browser.post(
        page, {"name": "barn", "host": "10.0.0.9", "port": "22", "user": "nas"}, follow=True
    )
    assert b"barn is reached as nas at 10.0.0.9, port 22." in review.content
    assert browser.get("/replication/targets/999/change/").status_code == 404
