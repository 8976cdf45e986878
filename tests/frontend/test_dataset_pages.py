"""The pages of datasets: the tree, properties with their sources, and what is done with one or many."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from host.inventory import Property
from tests import made
from tests.frontend.conftest import decide, make_tank, show

TREE = (
    made.dataset("tank", compression="lz4", canmount="on", mounted="yes"),
    made.dataset(
        "tank/a",
        compression=made.inherited("lz4", "tank"),
        sync=Property(value="always", source="local", received="disabled"),
        used=str(5 << 30),
        quota=str(6 << 30),
        canmount="on",
        mounted="no",
        **{"org.me:note": "for Anna"},
    ),
    made.dataset("tank/a/b", compression=made.inherited("lz4", "tank"), canmount="on", mounted="yes"),
    made.dataset("tank/c", compression="zstd", canmount="on", mounted="yes"),
)


@pytest.fixture
def tree(browser: Client) -> Client:
    show(made.inventory(pools=(made.pool(),), datasets=TREE))
    return browser


def test_the_tree_opens_a_branch_by_its_address(tree: Client) -> None:
    page = tree.get("/datasets/").content.decode()
    assert "tank/a/b" not in re.findall(r'aria-label="(tank[^"]*)"', page)
    assert "83 % of 6G" in page
    opened = tree.get("/datasets/?open=tank&open=tank/a").content.decode()
    assert re.findall(r'<a href="[^"]*" aria-label="(tank[^"]*)"', opened) == [
        "tank", "tank/a", "tank/a/b", "tank/c",
    ]  # fmt: skip


def test_a_poll_of_the_tree_keeps_what_is_open(tree: Client) -> None:
    address = tree.get("/datasets/?open=tank&open=tank/a").context["address"]
    part = tree.get(f"/datasets/{address}&seen=older", headers={"HX-Request": "true"}).content.decode()
    assert "tank/a/b" in part and "<html" not in part


def test_heads_sort_and_keep_the_filter(tree: Client) -> None:
    page = tree.get("/datasets/?sort=-used&only=tight")
    assert [row.name for row in page.context["rows"]] == ["tank/a"]
    text = page.content.decode()
    assert 'aria-sort="descending" class="number"><a class="sorts" href="?only=tight&amp;sort=used"' in text
    assert 'name="sort" value="-used"' in text
    assert tree.get("/datasets/?sort=nonsense&kind=nonsense&only=nonsense").context["tree"].flat is False


def test_a_list_needs_as_many_queries_for_many_datasets_as_for_few(tree: Client) -> None:
    tree.get("/datasets/")
    with CaptureQueriesContext(connection) as few:
        tree.get("/datasets/?open=")
    with CaptureQueriesContext(connection) as many:
        tree.get("/datasets/?open=tank&open=tank/a")
    assert len(many) == len(few)


def test_selected_datasets_are_chosen_on_the_page_that_changes_several(tree: Client) -> None:
    answer = tree.post("/edit/datasets/", {"do": "choose", "name": ["tank/c", "tank/a/b"]})
    assert (answer.status_code, "errors" in answer.context) == (200, True)
    assert [(one.name, ticked) for one, ticked in answer.context["rows"]][:3] == [
        ("tank/a/b", True), ("tank/c", True), ("tank", False),
    ]  # fmt: skip


def test_a_filter_without_a_match_says_so(tree: Client) -> None:
    assert "No dataset has “zzz” in its name." in tree.get("/datasets/?q=zzz").content.decode()


def test_each_property_says_where_it_comes_from_and_leads_there(tree: Client) -> None:
    page = tree.get("/properties/tank/a/")
    rows = {row.name: row for row in page.context["rows"]}
    assert (rows["compression"].whence, rows["compression"].ancestor) == ("inherited from", "tank")
    assert (rows["sync"].own, rows["org.me:note"].value) == (True, "for Anna")
    assert 'href="/properties/tank/?edit=compression"' in page.content.decode()
    own = {row.name for row in tree.get("/properties/tank/a/?show=own").context["rows"]}
    assert "sync" in own and "compression" not in own
    assert [row.name for row in tree.get("/properties/tank/a/?show=user").context["rows"]] == ["org.me:note"]


def test_the_form_of_a_property_offers_what_zfs_allows_and_the_received_value(tree: Client) -> None:
    editor = tree.get("/properties/tank/a/?edit=sync").context["editor"]
    assert editor.options == ("standard", "always", "disabled")
    assert (editor.inherit, editor.received) == ("Inherit", "disabled")
    plan = tree.post("/properties/tank/a/", {"property": "sync", "how": "received"}).context["plan"]
    assert plan.steps[0].commands == (("zfs", "inherit", "-S", "sync", "tank/a"),)
    plan = tree.post("/properties/tank/a/", {"property": "sync", "how": "inherit", "value": "x"}).context[
        "plan"
    ]
    assert plan.steps[0].commands == (("zfs", "inherit", "sync", "tank/a"),)
    plan = tree.post("/properties/tank/", {"property": "compression", "how": "set", "value": "zstd"})
    assert "tank/c keeps its own value zstd." in plan.context["plan"].notes
    assert "tank/a/b: lz4 → zstd" in plan.context["plan"].notes


def test_a_bad_value_is_told_beside_its_field_and_stays_typed(tree: Client) -> None:
    answer = tree.post("/properties/tank/a/", {"property": "quota", "how": "set", "value": "lots"})
    assert answer.status_code == 422
    assert answer.context["errors"].by_field.keys() == {"value"}
    assert 'value="lots"' in answer.content.decode()
    assert tree.post("/properties/tank/a/", {"property": "", "how": "set", "value": ""}).status_code == 422


def test_user_properties_are_added_and_removed(tree: Client) -> None:
    added = tree.post("/properties/tank/a/", {"how": "set", "property": "org.me:who", "value": "Bo"})
    assert added.context["plan"].steps[0].commands == (("zfs", "set", "org.me:who=Bo", "tank/a"),)
    removed = tree.post("/properties/tank/a/", {"how": "inherit", "property": "org.me:note"})
    assert removed.context["plan"].steps[0].commands == (("zfs", "inherit", "org.me:note", "tank/a"),)


def test_two_datasets_side_by_side_show_what_differs(tree: Client) -> None:
    rows = tree.get("/compare/datasets/?left=tank/a&right=tank/c").context["rows"]
    assert {row.name: (row.left, row.right) for row in rows} == {
        "compression": ("lz4", "zstd"), "org.me:note": ("for Anna", "–"), "quota": ("6G", "–"),
        "sync": ("always", "–"),
    }  # fmt: skip
    everything = tree.get("/compare/datasets/?left=tank/a&right=tank/c&show=all").context["rows"]
    assert {"canmount", "available"} <= {row.name for row in everything if not row.differs}
    assert tree.get("/compare/datasets/?left=tank/zzz&right=tank").status_code == 404


def test_many_are_changed_by_one_form_that_keeps_what_was_ticked(tree: Client) -> None:
    sent = {"name": ["tank/a", "tank/c"], "property": "atime", "value": "off", "how": "set"}
    plan = tree.post("/edit/datasets/", sent).context["plan"]
    assert [step.commands for step in plan.steps] == [
        (("zfs", "set", "atime=off", "tank/a"),), (("zfs", "set", "atime=off", "tank/c"),),
    ]  # fmt: skip
    answer = tree.post("/edit/datasets/?q=zzz", sent | {"value": "maybe"})
    assert answer.status_code == 422
    assert [dataset.name for dataset, ticked in answer.context["rows"] if ticked] == ["tank/a", "tank/c"]
    nothing = tree.post("/edit/datasets/", {"property": "atime", "value": "off"})
    assert (nothing.status_code, nothing.context["errors"].by_field.keys()) == (422, {"names"})


def test_a_rename_that_is_refused_stays_typed(tree: Client) -> None:
    answer = tree.post("/rename/dataset/tank/a/", {"parent": "tank", "leaf": "c"})
    assert answer.status_code == 422
    assert answer.context["errors"].by_field == {"leaf": ("There is a dataset tank/c already.",)}
    assert answer.context["parents"] == ["tank", "tank/c"]
    plan = tree.post("/rename/dataset/tank/a/", {"parent": "tank/c", "leaf": "z", "keep_mounts": "yes"})
    assert plan.context["plan"].steps[0].commands == (("zfs", "rename", "-u", "tank/a", "tank/c/z"),)


def test_buttons_of_a_dataset_lead_to_plans(tree: Client) -> None:
    plan = tree.post("/act/dataset/tank/a/", {"do": "mount"}).context["plan"]
    assert (plan.button, plan.steps[0].commands) == ("Mount tank/a", (("zfs", "mount", "tank/a"),))
    assert tree.post("/act/dataset/tank/c/", {"do": "mount"}).status_code == 422
    assert tree.post("/act/dataset/tank/c/", {"do": "explode"}).status_code == 400
    assert tree.get("/act/dataset/tank/c/").headers["Location"] == "/"


@pytest.mark.parametrize("path", ["/properties/no/", "/rename/dataset/no/"])
def test_what_is_not_there_is_a_404(tree: Client, path: str) -> None:
    assert tree.get(path).status_code == 404
    assert tree.post("/act/dataset/no/", {"do": "mount"}).status_code == 404


def test_a_preset_is_chosen_in_the_form_and_comes_back_to_it(browser: Client) -> None:
    make_tank(browser)
    form = {"parent": "tank", "leaf": "films", "kind": "filesystem", "preset": "media"}
    plan = browser.post("/create/dataset/", form)
    assert plan.context["plan"].steps[0].commands == (
        ("zfs", "create", "-o", "recordsize=1M", "tank/films"),
    )  # fmt: skip
    back = browser.post("/create/dataset/", {"request": plan.context["request_json"]})
    assert back.context["form"].preset == "media"
    decide(browser, plan)
    assert browser.get("/datasets/tank/films/").context["dataset"].value("recordsize") == "1048576"


def test_a_viewer_reads_why_nothing_can_be_changed(viewer: Client) -> None:
    show(made.inventory(pools=(made.pool(),), datasets=TREE))
    for path in (
        "/datasets/tank/a/",
        "/properties/tank/a/?edit=sync",
        "/rename/dataset/tank/a/",
        "/edit/datasets/",
    ):
        page = viewer.get(path)
        assert page.status_code == 200
        assert "Your role only allows reading" in page.content.decode()
