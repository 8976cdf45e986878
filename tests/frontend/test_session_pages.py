"""Who is connected, on its page."""

from __future__ import annotations

from django.test import Client

from host.simulated import SimulatedHost
from jobs.models import Job
from tests.frontend.conftest import decide
from tests.frontend.test_key_pages import text


def connect(simulated: SimulatedHost, person: str = "ada", **report: object) -> str:
    return simulated.connect(person=person, uid=30000, share="home", folder="/mnt/tank/home", **report)


def test_nobody_is_connected(browser: Client) -> None:
    page = text(browser.get("/sessions/"))
    assert "Nobody is connected" in page
    assert "NFS version 3 clients are not listed" in page


def test_the_list_is_filtered(browser: Client, simulated: SimulatedHost) -> None:
    connect(simulated, files={"Letters/a.txt": "rw"}, degree="full")
    connect(simulated, "bob")
    simulated.connect(protocol="nfs", name="lab-client")
    page = text(browser.get("/sessions/"))
    assert [word in page for word in ("ada", "bob", "lab-client", "encrypted", "not signed")] == [True] * 5
    assert "/mnt/tank/home/Letters/a.txt" in page
    found = text(browser.get("/sessions/?q=letters"))
    assert ("ada" in found, ">bob<" in found, "lab-client" in found) == (True, False, False)
    assert "No match for “zz”" in text(browser.get("/sessions/?q=zz"))


def test_a_poll_gets_the_part_that_is_new_and_nothing_else(browser: Client, simulated: SimulatedHost) -> None:
    connect(simulated)
    mark = browser.get("/sessions/").context["mark"]
    same = browser.get(f"/sessions/?seen={mark}", headers={"HX-Request": "true"})
    assert (same.status_code, same.content) == (204, b"")
    new = browser.get("/sessions/?seen=old", headers={"HX-Request": "true"})
    assert new.status_code == 200
    assert "<html" not in text(new)
    assert ">ada<" in text(new)


def test_a_client_is_disconnected_by_a_plan(browser: Client, simulated: SimulatedHost) -> None:
    session = connect(simulated, files={"a.txt": "rw"})
    plan = browser.post("/sessions/", {"session": session})
    words = text(plan)
    assert "Unsaved work may be lost" in words
    assert "ada at 10.0.2.2 (SMB)" in words
    assert "1 file is open, 1 of them for writing." in words
    decide(browser, plan, agreed="yes")
    assert Job.objects.get().state == "succeeded"
    assert simulated.machine().clients == []
    gone = browser.post("/sessions/", {"session": session})
    assert "This session no longer exists" in text(gone)


def test_a_viewer_looks_and_does_not_disconnect(viewer: Client, simulated: SimulatedHost) -> None:
    session = connect(simulated, files={"diary.txt": "r"})
    page = text(viewer.get("/sessions/"))
    assert "Your role only allows reading" in page
    assert ("1 file" in page, "diary.txt" in page) == (True, False)
    assert viewer.post("/sessions/", {"session": session}).status_code == 403


def test_an_operator_cannot_lose_what_others_have_not_saved(
    operator: Client, simulated: SimulatedHost
) -> None:
    reading = connect(simulated, files={"a.txt": "r"})
    decide(operator, operator.post("/sessions/", {"session": reading}))
    assert simulated.machine().clients == []
    writing = connect(simulated, files={"a.txt": "w"})
    assert operator.post("/sessions/", {"session": writing}).status_code == 403
