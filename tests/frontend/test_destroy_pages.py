"""What is lost is shown, named, and only then destroyed."""

from __future__ import annotations

from typing import Any

from django.test import Client

from accounts.models import User
from jobs import cache
from jobs.models import CachedInventory, Job
from tests.conftest import refresh
from tests.frontend.conftest import decide, make_tank, signed_in


def pools() -> list[str]:
    inventory = cache.current()
    assert inventory is not None
    return [pool.name for pool in inventory.pools]


def datasets() -> list[str]:
    inventory = cache.current()
    assert inventory is not None
    return [dataset.name for dataset in inventory.datasets]


def taken_along(browser: Client, refused: Any) -> Any:
    """The plan behind the button of a refusal."""
    sent = {"operation": refused.context["operation"], "request": refused.context["wider_json"]}
    return browser.post("/plans/", sent)


def list_again() -> None:
    """Look at the machine as for the first time: ZFS' own mark of change counts whole seconds."""
    CachedInventory.objects.all().delete()
    cache._newest = None
    refresh()


def test_a_pool_is_destroyed_after_its_name_was_typed(browser: Client) -> None:
    make_tank(browser)
    plan = browser.get("/destroy/pool/tank/")
    assert plan.context["plan"].losses[0].what == "tank"
    assert decide(browser, plan, typed="tank").status_code == 302
    assert pools() == []


def test_another_name_destroys_nothing(browser: Client) -> None:
    make_tank(browser)
    for typed in ("", "tan", "Tank"):
        answer = decide(browser, browser.get("/destroy/pool/tank/"), typed=typed)
        assert answer.status_code == 422
        assert "Type tank to confirm." in answer.content.decode()
    assert pools() == ["tank"]
    assert Job.objects.count() == 1


def test_a_dataset_with_snapshots_offers_to_take_them_too(browser: Client) -> None:
    make_tank(browser)
    decide(browser, browser.post("/create/dataset/", {"parent": "tank", "leaf": "a", "kind": "filesystem"}))
    browser.post("/snapshots/tank/a/", {"name": "before", "do": "take"})
    refused = browser.get("/destroy/dataset/tank/a/")
    assert refused.status_code == 422
    assert refused.context["wider"] == "Destroy everything below and all snapshots too"
    assert "More would be destroyed" in refused.content.decode()
    assert decide(browser, taken_along(browser, refused), typed="tank/a").status_code == 302
    assert datasets() == ["tank"]


def test_selected_datasets_are_destroyed_after_their_number_was_typed(browser: Client) -> None:
    make_tank(browser)
    for leaf in ("a", "b", "c"):
        form = {"parent": "tank", "leaf": leaf, "kind": "filesystem"}
        decide(browser, browser.post("/create/dataset/", form))
    browser.post("/snapshots/tank/b/", {"name": "before", "do": "take"})
    refused = browser.post("/destroy/datasets/", {"name": ["tank/a", "tank/b"]})
    assert refused.status_code == 422
    plan = taken_along(browser, refused)
    assert plan.context["plan"].button == "Destroy 2 datasets and 1 snapshot"
    for shown in (refused, plan):  # whatever its address is
        assert 'href="/datasets/" aria-current="page">Datasets' in shown.content.decode()
    assert decide(browser, plan, typed="tank").status_code == 422
    assert decide(browser, plan, typed="2 datasets").status_code == 302
    assert datasets() == ["tank", "tank/c"]


def test_destroying_no_dataset_is_refused(browser: Client) -> None:
    make_tank(browser)
    answer = browser.post("/destroy/datasets/", {})
    assert answer.status_code == 422
    assert not answer.context["wider"]
    assert datasets() == ["tank"]


def test_ticked_snapshots_are_destroyed(browser: Client) -> None:
    make_tank(browser)
    for name in ("one", "two", "three"):
        browser.post("/snapshots/tank/", {"name": name, "do": "take"})
    list_again()
    plan = browser.post("/snapshots/tank/", {"do": "destroy", "names": ["one", "three"]})
    assert plan.context["plan"].button == "Destroy 2 snapshots"
    decide(browser, plan, typed="tank")
    list_again()
    rows = browser.get("/snapshots/tank/").context["rows"]
    assert [row.tag for row in rows] == ["two"]


def test_without_a_tick_nothing_is_planned(browser: Client) -> None:
    make_tank(browser)
    answer = browser.post("/snapshots/tank/", {"do": "destroy"})
    assert answer.context["errors"].by_field == {
        "names": ("Select snapshots, or name the first and the last of a range.",)
    }


def test_an_operator_reads_why_the_button_is_shut_and_cannot_go_round_it(
    browser: Client, operator: Client
) -> None:
    make_tank(browser)
    page = operator.get("/pools/tank/").content.decode()
    assert "Your role does not allow destroying anything." in page
    assert 'href="/destroy/pool/tank/"' not in page
    assert operator.get("/destroy/pool/tank/").status_code == 403
    assert decide(operator, browser.get("/destroy/pool/tank/"), typed="tank").status_code == 403
    assert pools() == ["tank"]


def test_a_second_admin_is_told_which_job_holds_the_pool(browser: Client) -> None:
    make_tank(browser)
    plan = browser.get("/destroy/pool/tank/")
    held = Job.objects.get()
    Job.objects.filter(pk=held.pk).update(state="running")
    held.claimed.create(resource="pool:tank")
    other = signed_in(User.objects.create_user("grace", role="admin"))
    answer = decide(other, plan, typed="tank")
    assert answer.status_code == 409
    assert "Another job is using pool tank" in answer.content.decode()
    assert f'href="/jobs/{held.pk}/"' in answer.content.decode()
