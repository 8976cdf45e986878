"""Alerts, the doctor, and a machine whose pool stands still, as pages."""

from __future__ import annotations

import msgspec
import pytest
from django.test import Client

from alerts import tasks
from alerts.models import Acknowledgement, Incident
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import Job, State
from tests.conftest import refresh
from tests.frontend.conftest import make_tank, show


@pytest.fixture(autouse=True)
def nothing_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks._Seen, "as_of", "")
    monkeypatch.setattr(tasks._Seen, "unsure", frozenset())


def probe() -> None:
    refresh()
    tasks.watch()


def serials(simulated: SimulatedHost) -> list[str]:
    return [disk.serial for disk in simulated.machine().disks if disk.transport == "sata"]


def test_an_alert_stands_on_the_overview_its_pool_and_its_own_page(
    browser: Client, simulated: SimulatedHost
) -> None:
    make_tank(browser)
    probe()
    assert "No alerts" in browser.get("/alerts/").content.decode()
    simulated.pull(serials(simulated)[2])
    probe()
    for path in ("/", "/pools/tank/", "/alerts/"):
        page = browser.get(path).content.decode()
        assert page.count("Bay A3: a disk of tank is gone</h2>") == 1, path
        assert "press the disk in until it locks" in page
    assert browser.get("/").context["verdict"].text == "Bay A3: a disk of tank is gone"


def test_what_somebody_knows_of_no_longer_stands_above_all(browser: Client, simulated: SimulatedHost) -> None:
    make_tank(browser)
    simulated.pull(serials(simulated)[2])
    probe()
    number = Incident.objects.get().pk
    assert browser.post(f"/alerts/{number}/acknowledge/", {"back": "/"})["Location"] == "/"
    page = browser.get("/")
    assert page.context["verdict"].text == "Known: Bay A3: a disk of tank is gone"
    assert "a disk of tank is gone</h2>" not in page.content.decode()
    assert "admin acknowledged this" in browser.get("/alerts/").content.decode()
    assert browser.post("/alerts/999/acknowledge/").status_code == 404


@pytest.mark.parametrize("acknowledged", [False, True])
def test_an_alert_is_green_and_without_steps_once_it_is_well_again(
    browser: Client, simulated: SimulatedHost, acknowledged: bool
) -> None:
    make_tank(browser)
    simulated.pull(serials(simulated)[2])
    probe()
    if acknowledged:
        browser.post(f"/alerts/{Incident.objects.get().pk}/acknowledge/", {"back": "/"})
    simulated.insert(serials(simulated)[2])
    probe()
    verdict = browser.get("/").context["verdict"]
    assert (verdict.tone, verdict.text) == ("good", "tank is healthy")
    for path in ("/", "/pools/tank/", "/alerts/"):
        page = browser.get(path).content.decode()
        notice = page[page.index('<section class="notice incident') :].partition("</section>")[0]
        assert notice.startswith('<section class="notice incident good"') and "Healthy again" in notice
        for gone in ("Replace it", "What to do next", "is not in the machine", "<button", "Acknowledge<"):
            assert gone not in notice, (path, gone)


def test_an_alert_that_is_over_stays_listed(browser: Client, simulated: SimulatedHost) -> None:
    make_tank(browser)
    simulated.pull(serials(simulated)[2])
    probe()
    Incident.objects.update(closed_at=Incident.objects.get().opened_at)
    page = browser.get("/alerts/").content.decode()
    assert "No alerts" in page and "Bay A3: a disk of tank is gone" in page


def test_a_viewer_reads_alerts_and_presses_nothing(
    viewer: Client, simulated: SimulatedHost, admin: object
) -> None:
    from tests.frontend.conftest import signed_in

    make_tank(signed_in(admin))  # type: ignore[arg-type]
    simulated.pull(serials(simulated)[2])
    probe()
    page = viewer.get("/alerts/").content.decode()
    assert "Your role only allows reading." in page
    assert viewer.post(f"/alerts/{Incident.objects.get().pk}/acknowledge/").status_code == 403
    assert viewer.get("/doctor/").status_code == 200


_PAGES = ("/", "/alerts/", "/doctor/", "/disks/", "/pools/", "/pools/tank/", "/pools/tank/live/",
          "/datasets/", "/datasets/tank/", "/snapshots/tank/", "/create/dataset/?in=tank", "/create/pool/",
          "/jobs/", "/destroy/pool/tank/", "/search/?q=tank")  # fmt: skip


@pytest.mark.parametrize("path", _PAGES)
def test_every_page_stays_usable_while_a_pool_stands_still(
    browser: Client, simulated: SimulatedHost, path: str
) -> None:
    make_tank(browser)
    for serial in serials(simulated)[:3]:
        simulated.pull(serial)
    probe()
    inventory = cache.current()
    assert inventory is not None and inventory.pools[0].suspended
    # Its datasets cannot be listed by then: they may be missing, but never in a way that breaks a page.
    assert browser.get(path).status_code in ({200, 404} if path.endswith("s/tank/") else {200})
    if path in {"/", "/alerts/", "/pools/tank/"}:
        page = browser.get(path).content.decode()
        assert "tank is suspended: its disks are gone" in page
        assert "do not turn it off" in page
    if path in {"/", "/pools/", "/pools/tank/"}:
        assert "Its usage is not known" in browser.get(path).content.decode()


def test_the_doctor_shows_what_is_wrong_what_is_well_and_a_plan(browser: Client) -> None:
    make_tank(browser)
    inventory = cache.current()
    assert inventory is not None
    pool = msgspec.structs.replace(inventory.pools[0], last_scrub="2026-01-02T03:04:05+00:00")
    show(msgspec.structs.replace(inventory, pools=(pool,)))
    answer = browser.get("/doctor/")
    groups = [(group.title, [one.code for one in group.findings]) for group in answer.context["groups"]]
    assert groups[-1][0] == "Good to know"
    assert "no-copy" in groups[-1][1]
    assert "No pool is suspended" in answer.content.decode()
    scrub = next(one for group in answer.context["groups"] for one in group.findings
                 if one.code == "scrub-overdue").steps[0]  # fmt: skip
    asked = {"operation": scrub.operation, "request": scrub.request_json}
    plan = browser.post("/plans/", asked | {"review": "yes"})
    assert plan.context["plan"].steps[0].commands == (("zpool", "scrub", "tank"),)
    assert browser.post("/plans/", asked)["Location"] == "/pools/tank/"
    assert Job.objects.filter(operation="pool.scrub", state=State.SUCCEEDED).count() == 1


def test_where_the_copy_is_is_asked_beside_its_field_and_kept(browser: Client) -> None:
    make_tank(browser)
    groups = browser.get("/doctor/").context["groups"]
    found = next(one for group in groups for one in group.findings if one.code == "no-copy")
    form = {"code": found.code, "subject": found.subject, "note": " ", "until": "2001-02-03"}
    answer = browser.post("/doctor/acknowledge/", form)
    assert answer.status_code == 422
    assert set(answer.context["errors"].by_field) == {"note", "until"}
    assert 'value="2001-02-03"' in answer.content.decode()
    assert answer.content.decode().count('aria-invalid="true"') == 2
    form = form | {"note": "at my sister's", "until": ""}
    assert browser.post("/doctor/acknowledge/", form)["Location"] == "/doctor/"
    page = browser.get("/doctor/").content.decode()
    assert "at my sister&#x27;s" in page
    browser.post("/doctor/recall/", {"code": found.code, "subject": found.subject})
    assert not Acknowledgement.objects.exists()


@pytest.mark.parametrize("path", ["/doctor/acknowledge/", "/doctor/recall/"])
def test_a_forged_form_does_nothing(browser: Client, path: str) -> None:
    assert browser.post(path, {"code": "\x00", "subject": "x" * 999, "until": "{{}}"}).status_code in {
        302,
        422,
    }
    assert browser.get(path).headers["Location"] == "/"
    assert not Acknowledgement.objects.exists()
