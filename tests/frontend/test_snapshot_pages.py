"""The pages of snapshots: the list and what it is narrowed down to, one snapshot, changes, and plans."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils.html import escape

from host.commands.datasets.snapshots import ZfsHold, ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate
from host.simulated import SimulatedHost
from jobs.models import Job
from tests.conftest import refresh
from tests.frontend.conftest import decide, make_tank
from tests.prepared import made_once


@pytest.fixture
@made_once
def tank(browser: Client, simulated: SimulatedHost) -> Client:
    """A pool with five snapshots, the third of which is held and the fourth made by a policy."""
    make_tank(browser)
    for number in range(1, 6):
        mark = {"nasweb:auto": "1"} if number == 4 else {}
        simulated.run(ZfsSnapshot(names=(f"tank@s{number}",), properties=mark))
    simulated.run(ZfsHold(names=("tank@s3",), tag="audit"))
    refresh()
    return browser


def shown(client: Client, query: str = "") -> list[str]:
    return [row.tag for row in client.get(f"/snapshots/tank/{query}").context["rows"]]


def test_the_newest_come_first(tank: Client) -> None:
    assert shown(tank) == ["s5", "s4", "s3", "s2", "s1"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?text=S2", ["s2"]),
        ("?kind=policy", ["s4"]),
        ("?kind=manual", ["s5", "s3", "s2", "s1"]),
        ("?held=yes", ["s3"]),
        ("?age=older-year", []),
        ("?age=day", ["s5", "s4", "s3", "s2", "s1"]),
        ("?kind=nonsense&age=nonsense&after=nonsense", ["s5", "s4", "s3", "s2", "s1"]),
    ],
)
def test_the_list_is_narrowed_down(tank: Client, query: str, expected: list[str]) -> None:
    assert shown(tank, query) == expected


def test_one_click_takes_a_snapshot_and_goes_back_with_a_toast(tank: Client) -> None:
    answer = tank.post("/create/snapshot/", {"name": ["tank"], "back": "/datasets/tank/"}, follow=True)
    assert answer.redirect_chain == [("/datasets/tank/", 302)]
    page = answer.content.decode()
    assert re.search(r"Take snapshot manual-\d{4}-\d\d-\d\d-\d{6}: done\.", page)
    assert answer.context["snapshot_count"] == 6
    assert [row.tag for row in answer.context["snapshots"]][1:] == ["s5", "s4", "s3", "s2"]


def test_one_click_takes_snapshots_of_all_that_are_selected(tank: Client, simulated: SimulatedHost) -> None:
    simulated.run(ZfsCreate(name="tank/a", properties={}))
    refresh()
    tank.post("/create/snapshot/", {"name": ["tank", "tank/a"], "back": "/datasets/"})
    job = Job.objects.filter(operation="snapshot.create").get()
    assert (job.state, job.request["datasets"]) == ("succeeded", ["tank", "tank/a"])
    nothing = tank.post("/create/snapshot/", {}, follow=True)
    assert "Select at least one dataset." in nothing.content.decode()


def test_a_viewer_takes_no_snapshot(tank: Client, viewer: Client) -> None:
    assert viewer.post("/create/snapshot/", {"name": ["tank"]}).status_code == 403
    assert "disabled" in viewer.get("/datasets/tank/").content.decode()


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("taken", ["s1", "s2", "s3", "s4", "s5"]),
        ("-name", ["s5", "s4", "s3", "s2", "s1"]),
        ("name", ["s1", "s2", "s3", "s4", "s5"]),
        ("-referenced", ["s5", "s4", "s3", "s2", "s1"]),
        ("nonsense", ["s5", "s4", "s3", "s2", "s1"]),
    ],
)
def test_the_list_is_sorted_a_page_at_a_time(
    tank: Client, monkeypatch: pytest.MonkeyPatch, sort: str, expected: list[str]
) -> None:
    assert shown(tank, f"?sort={sort}") == expected
    monkeypatch.setattr("frontend.snapshots.page._PER_PAGE", 2)
    found, here = [], f"/snapshots/tank/?sort={sort}"
    while here:
        context = tank.get(here).context
        found += [row.tag for row in context["rows"]]
        here = context["next_href"]
    assert found == expected


def test_each_snapshot_can_be_browsed(tank: Client) -> None:
    page = tank.get("/snapshots/tank/").content.decode()
    assert 'href="/files/tank/?snapshot=s3" aria-label="Browse s3"' in page


def test_none_that_fits_is_told_otherwise_than_none_at_all(tank: Client) -> None:
    page = tank.get("/snapshots/tank/?text=nothing").content.decode()
    assert "No matching snapshots" in page and "No snapshots yet" not in page


def test_sizes_are_asked_for_only_when_they_are_wanted(tank: Client) -> None:
    assert [row.used for row in tank.get("/snapshots/tank/").context["rows"]] == [None] * 5
    rows = tank.get("/snapshots/tank/?sizes=yes").context["rows"]
    assert [row.used for row in rows] == [0] * 5


def test_while_the_worker_looks_the_page_polls(tank: Client, silent_worker: None) -> None:
    page = tank.get("/snapshots/tank/?sizes=yes").content.decode()
    assert 'hx-trigger="every 1s"' in page and "The sizes are being asked for" in page


def test_what_a_selection_would_free_is_told_beside_the_buttons(tank: Client) -> None:
    sent = {"do": "reclaim", "names": ["s1"], "first": "s2", "last": "s4"}
    part = tank.post("/snapshots/tank/", sent, headers={"HX-Request": "true"}).content.decode()
    assert "Destroying 3 snapshots would free" in part and "1 snapshot of the selection is held" in part
    whole = tank.post("/snapshots/tank/", sent)
    assert "Destroying 3 snapshots would free" in whole.content.decode()
    assert whole.context["first"] == "s2"


def test_a_range_is_destroyed_and_the_held_ones_stay(tank: Client) -> None:
    sent = {"do": "destroy", "first": "s2", "last": "s4"}
    assert "tank@s3 has a hold" in tank.post("/snapshots/tank/", sent).content.decode()
    plan = tank.post("/snapshots/tank/", sent | {"skip_kept": "yes"})
    assert plan.context["plan"].button == "Destroy 2 snapshots"
    decide(tank, plan, typed="tank")
    assert shown(tank) == ["s5", "s3", "s1"]


def test_a_snapshot_tells_its_holds_and_lets_them_go(tank: Client) -> None:
    page = tank.get("/snapshot/tank@s3/").content.decode()
    assert "<strong>audit</strong>" in page
    decide(tank, tank.post("/snapshot/tank@s3/", {"do": "release", "tag": "audit"}))
    assert shown(tank, "?held=yes") == []
    tank.post("/snapshot/tank@s1/", {"do": "hold", "tag": "mine"})
    assert shown(tank, "?held=yes") == ["s1"]


def test_a_clone_is_made_from_the_page_and_named_on_it(tank: Client) -> None:
    decide(tank, tank.post("/snapshot/tank@s1/", {"do": "clone", "name": "tank/copy"}))
    assert 'href="/datasets/tank/copy/"' in tank.get("/snapshot/tank@s1/").content.decode()


@pytest.mark.parametrize("do", ["hold", "clone", "rename"])
def test_what_was_typed_wrongly_stays_with_the_reason_beside_it(tank: Client, do: str) -> None:
    field = "tag" if do == "hold" else "name"
    answer = tank.post("/snapshot/tank@s1/", {"do": do, field: "bad <name>"})
    assert answer.status_code == 422
    assert list(answer.context["errors"].by_field) == ["tag" if do == "hold" else f"{do}-name"]
    assert escape("bad <name>") in answer.content.decode()


def test_a_rollback_asks_for_the_name_of_its_dataset(tank: Client) -> None:
    plan = tank.get("/rollback/snapshot/tank@s4/")
    assert plan.context["plan"].button == "Roll back, destroy 1 snapshot"
    decide(tank, plan, typed="tank")
    assert shown(tank) == ["s4", "s3", "s2", "s1"]


def test_a_rollback_that_a_hold_forbids_says_so(tank: Client) -> None:
    answer = tank.get("/rollback/snapshot/tank@s1/")
    assert answer.status_code == 422 and "tank@s3 is newer and has a hold" in answer.content.decode()


def test_clones_in_the_way_of_a_rollback_lead_to_the_plan_that_takes_them(
    tank: Client, simulated: SimulatedHost
) -> None:
    simulated.clone("tank@s5", "tank/copy")
    refresh()
    answer = tank.get("/rollback/snapshot/tank@s4/")
    assert answer.status_code == 422 and answer.context["wider"] == "Destroy the clones too"
    sent = {"operation": "snapshot.rollback", "request": answer.context["wider_json"]}
    plan = tank.post("/plans/", sent)
    assert "the clone tank/copy" in plan.content.decode()


def test_changes_are_told_up_to_now_or_to_a_later_one(tank: Client, simulated: SimulatedHost) -> None:
    assert "Nothing changed." in tank.get("/changes/snapshot/tank@s1/?to=s2").content.decode()
    simulated.write("tank", 1 << 20)
    page = tank.get("/changes/snapshot/tank@s1/").content.decode()
    assert "folder modified" in page and "1 change" in page
    assert tank.get("/changes/snapshot/tank@s1/?to=gone").status_code == 404


@pytest.mark.parametrize("path", ["snapshot", "changes/snapshot", "rollback/snapshot", "destroy/snapshot"])
@pytest.mark.parametrize("name", ["tank@gone", "tank", "gone@s1", "@"])
def test_a_snapshot_that_is_not_there_is_404(tank: Client, path: str, name: str) -> None:
    assert tank.get(f"/{path}/{name}/").status_code == 404


def test_a_viewer_reads_why_the_buttons_are_shut(tank: Client, viewer: Client) -> None:
    page = viewer.get("/snapshot/tank@s1/").content.decode()
    assert "Your role only allows reading." in page
    assert viewer.post("/snapshot/tank@s1/", {"do": "hold", "tag": "x"}).status_code == 403
