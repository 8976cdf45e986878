"""Files are sent to a folder from its page: chosen or dropped, with a row for each."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from host.commands.datasets.zfs import ZfsCreate
from host.commands.shares.accounts import AddPerson
from host.commands.shares.rights import SetFolderRights
from host.inventory.people import EVERYBODY_GID, FIRST_PERSON
from host.simulated import SimulatedHost
from tests.browser.accessible import in_both_schemes
from tests.browser.conftest import Complaints, make_tank
from tests.browser.geometry import misplaced
from tests.conftest import refresh

pytestmark = pytest.mark.browser

HOME = "tank/home"
OPEN = "user::rwx,group::rwx,mask::rwx,other::---"


def prepare(page: Page, host: SimulatedHost) -> None:
    """A folder that the NAS user of the account may write."""
    make_tank()
    host.run(ZfsCreate(name=HOME))
    host.run(AddPerson(name="admin", uid=FIRST_PERSON, full_name=""))
    host.run(SetFolderRights(dataset=HOME, path="", owner=0, group=EVERYBODY_GID, acl=OPEN))
    host.write_file(HOME, b"a.txt", b"old")
    refresh()
    page.goto(f"/files/{HOME}/")


def file(name: str, data: bytes) -> Any:
    return {"name": name, "mimeType": "text/plain", "buffer": data}


def choose(page: Page, *files: Any) -> None:
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Upload files").click()
    chosen.value.set_files(list(files))


def rows(page: Page) -> Locator:
    return page.get_by_role("list", name="Uploads")


def content(host: SimulatedHost) -> dict[str, bytes | int]:
    states = host.machine().pools["tank"].datasets[HOME].files
    return {one.path: one.size if one.data is None else one.data for one in states if one.died is None}


def test_files_are_chosen_and_a_name_that_is_taken_is_asked_about(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = signed_in()
    prepare(page, simulated)
    choose(page, file("50% off.txt", b"new"), file("a.txt", b"second"), file("b.bin", b"x" * (9 << 20)))
    expect(rows(page).get_by_text("Uploaded as 50% off.txt.")).to_be_visible()
    expect(rows(page).get_by_text("Uploaded as b.bin.")).to_be_visible()
    expect(rows(page).get_by_text("Replacing it deletes the existing file")).to_be_visible()
    page.get_by_role("button", name="Keep both a.txt").click()
    expect(rows(page).get_by_text("Uploaded as a (2).txt.")).to_be_visible()
    expect(page.get_by_role("table").get_by_role("link", name="a (2).txt", exact=True)).to_be_visible()
    assert content(simulated) == {
        "50%25 off.txt": b"new", "a.txt": b"old", "a (2).txt": b"second", "b.bin": 9 << 20,
    }  # fmt: skip
    assert complaints == []


def test_a_file_is_dropped_and_replaces_another(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = signed_in()
    prepare(page, simulated)
    page.evaluate(
        """() => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(["dropped"], "a.txt"));
          const how = { dataTransfer, bubbles: true, cancelable: true };
          for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, how));
        }"""
    )
    page.get_by_role("button", name="Replace a.txt").click()
    expect(rows(page).get_by_text("Uploaded as a.txt.")).to_be_visible()
    assert content(simulated) == {"a.txt": b"dropped"}
    assert complaints == []


def test_a_folder_is_uploaded_with_all_in_it(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints, tmp_path: Path
) -> None:
    page = signed_in()
    prepare(page, simulated)
    top = tmp_path / "Photos 100%"
    (top / "2026" / "May").mkdir(parents=True)
    (top / "one.jpg").write_text("one")
    (top / "2026" / "May" / "two.jpg").write_text("two")
    for _ in range(2):
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Upload a folder").click()
        chooser.value.set_files(top)
        expect(rows(page).get_by_text("Photos 100%/2026/May/two.jpg").last).to_be_visible()
        expect(page.get_by_role("table").get_by_role("link", name="Photos 100%", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Keep both Photos 100%/one.jpg")).to_be_visible()
    found = {path: data for path, data in content(simulated).items() if path.endswith(".jpg")}
    assert found == {"Photos 100%25/one.jpg": b"one", "Photos 100%25/2026/May/two.jpg": b"two"}
    assert complaints == []


def test_what_was_cut_off_goes_on_after_the_page_was_loaded_again(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = signed_in()
    prepare(page, simulated)
    page.route(re.compile(r"offset=4194304"), lambda route: route.abort())
    choose(page, file("b.bin", b"x" * (9 << 20)))
    expect(page.get_by_text("No answer from the NAS. Retrying…")).to_be_visible()
    page.get_by_role("button", name="Pause b.bin").click()
    expect(page.get_by_text("Paused at 4.0 MiB")).to_be_visible()
    page.unroute(re.compile(r"offset=4194304"))
    page.goto(f"/files/{HOME}/")
    expect(page.get_by_text("not finished. Upload the same file again to continue.")).to_be_visible()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "PUT" else None)
    choose(page, file("b.bin", b"x" * (9 << 20)))
    expect(rows(page).get_by_text("Uploaded as b.bin.")).to_be_visible()
    assert [url.partition("?")[2] for url in sent] == ["offset=4194304", "offset=8388608"]
    assert content(simulated)["b.bin"] == 9 << 20
    assert all("net::ERR_FAILED" in one for one in complaints)


def test_a_cancelled_file_leaves_nothing(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = signed_in()
    prepare(page, simulated)
    page.route(re.compile(r"offset=4194304"), lambda route: route.abort())
    choose(page, file("b.bin", b"x" * (9 << 20)))
    expect(page.get_by_text("No answer from the NAS. Retrying…")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        page.get_by_role("button", name="Cancel b.bin").click()
    assert content(simulated) == {"a.txt": b"old"}


def test_the_page_is_accessible_at_any_width(
    signed_in: Callable[..., Page], simulated: SimulatedHost
) -> None:
    page = signed_in(width=360, reduced_motion="reduce")
    prepare(page, simulated)
    choose(page, file("a.txt", b"second"))
    expect(page.get_by_role("button", name="Keep both a.txt")).to_be_visible()
    page.get_by_text("New folder").click()
    assert in_both_schemes(page) == []
    assert misplaced(page) == []
