"""Name, clock and network on their pages, and the page that keeps a change."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from host.commands.network import network_file
from host.simulated import SimulatedHost
from jobs.models import Job
from tests.conftest import refresh
from tests.frontend.conftest import decide
from tests.frontend.test_key_pages import text

FIXED = {
    "v4-method": "fixed", "v4-addresses": "192.168.1.20/24", "v4-gateway": "192.168.1.1",
    "v6-method": "automatic", "dns": "192.168.1.1",
}  # fmt: skip
OURS = network_file("52:54:00:6e:61:73")
KEY = re.compile(r"/keep/network/[^\"<]+/")


def change(browser: Client) -> str:
    """Set up eno1, and the path of the page that keeps it."""
    plan = browser.post("/settings/network/eno1/", FIXED)
    found = KEY.search(text(plan))
    assert found is not None
    assert decide(browser, plan).status_code == 302
    return found[0]


def test_the_interfaces_are_listed_with_what_they_have(browser: Client) -> None:
    page = text(browser.get("/settings/network/"))
    assert "192.168.1.10/24 automatic" in page
    assert page.index("eno1") < page.index("eno2")
    assert "no cable" in page


def test_a_fixed_address_by_a_plan_that_says_where_the_console_will_be(browser: Client) -> None:
    plan = browser.post("/settings/network/eno1/", FIXED)
    page = text(plan)
    assert "The machine can no longer be reached at 192.168.1.10" in page
    assert "http://192.168.1.20/keep/network/" in page
    assert "http://nas.local/keep/network/" in page
    assert "+Address=192.168.1.20/24" in page
    decide(browser, plan)
    assert Job.objects.get(operation="network.set").state == "succeeded"
    assert "192.168.1.20/24" in text(browser.get("/settings/network/"))


def test_every_page_counts_down_until_it_is_kept(browser: Client, simulated: SimulatedHost) -> None:
    change(browser)
    assert "data-until=" in text(browser.get("/pools/"))
    answer = browser.post("/settings/network/decide/confirm/", {}, follow=True)
    assert "Network settings kept." in text(answer)
    assert "data-until=" not in text(browser.get("/pools/"))
    simulated.pass_time(90)
    assert "Address=192.168.1.20/24" in simulated.machine().files[OURS]


def test_it_is_taken_back_by_a_button(browser: Client, simulated: SimulatedHost) -> None:
    change(browser)
    answer = browser.post("/settings/network/decide/revert/", {}, follow=True)
    assert "Network settings reverted." in text(answer)
    assert "was reverted" in text(answer)
    assert OURS not in simulated.machine().files


def test_nobody_keeps_it_so_it_goes(browser: Client, simulated: SimulatedHost) -> None:
    change(browser)
    simulated.pass_time(61)
    refresh()
    page = text(browser.get("/settings/network/"))
    assert "The change of eno1 was reverted" in page
    assert "192.168.1.10/24" in page
    assert "data-until=" not in page


def test_it_is_kept_under_the_new_address_without_signing_in(browser: Client) -> None:
    path = change(browser)
    stranger = Client(headers={"host": "192.168.1.20"})
    page = stranger.get(path)
    assert "Keep the network settings of eno1?" in text(page)
    assert "no-store" in page.headers["Cache-Control"]
    assert "Network change kept" in text(stranger.post(path))
    job = Job.objects.get(operation="network.confirm")
    assert (job.state, job.submitted_by) == ("succeeded", "admin")
    assert stranger.get("/settings/network/").status_code == 302  # to sign in: the key opened nothing else


def test_a_key_that_nobody_gave_opens_nothing(browser: Client) -> None:
    path = change(browser)
    stranger = Client()
    forged = path.replace("/keep/network/", "/keep/network/x")
    assert stranger.get(forged).status_code == 404
    assert stranger.post(forged).status_code == 404
    assert not Job.objects.filter(operation="network.confirm").exists()


def test_a_key_before_its_time_says_that_nothing_waits(browser: Client) -> None:
    found = KEY.search(text(browser.post("/settings/network/eno1/", FIXED)))
    assert found is not None
    assert "No pending change" in text(Client().get(found[0]))
    answer = Client().post(found[0])
    assert (answer.status_code, "No pending change" in text(answer)) == (422, True)


def test_a_key_of_somebody_who_may_only_read_keeps_nothing(viewer: Client, browser: Client) -> None:
    from frontend.plans.elsewhere import key_of

    change(browser)
    assert Client().post(f"/keep/network/{key_of('vera')}/").status_code == 403
    assert viewer.post("/settings/network/decide/confirm/").status_code == 403


def test_faults_stand_beside_their_fields_and_what_was_typed_stays(browser: Client) -> None:
    page = browser.post(
        "/settings/network/eno1/", FIXED | {"v4-addresses": "192.168.1.0/24", "dns": "dns.lan"}
    )
    assert page.status_code == 422
    assert set(page.context["errors"].by_field) == {"v4-addresses", "dns"}
    assert 'value="192.168.1.0/24"' in text(page)


@pytest.mark.parametrize(("family", "address"), [("4", "192.168.1.20/24"), ("6", "fd12::20/64")])
@pytest.mark.parametrize("method", ["automatic", "off"])
def test_an_address_beside_another_method_is_asked_about_and_not_left_out(
    browser: Client, family: str, address: str, method: str
) -> None:
    asked = {"v4-method": "automatic", "v6-method": "automatic", f"v{family}-method": method}
    answer = browser.post("/settings/network/eno1/", asked | {f"v{family}-addresses": address})
    assert answer.status_code == 422
    assert f"Choose “Fixed addresses” for IPv{family}, or clear this field." in text(answer)
    assert f'value="{address}"' in answer.content.decode()


def test_a_gateway_beside_dhcp_is_asked_about(browser: Client) -> None:
    answer = browser.post("/settings/network/eno1/", FIXED | {"v4-method": "automatic", "v4-addresses": ""})
    assert answer.status_code == 422
    assert "Choose “Fixed addresses” for IPv4, or clear this field." in text(answer)


def test_what_was_fixed_goes_when_dhcp_is_chosen_instead(browser: Client) -> None:
    change(browser)
    browser.post("/settings/network/decide/confirm/", {}, follow=True)
    plan = browser.post("/settings/network/eno1/", FIXED | {"v4-method": "automatic", "dns": ""})
    assert plan.status_code == 200
    assert "-Address=192.168.1.20/24" in text(plan)


def test_one_server_too_many_is_said_and_not_left_out(browser: Client) -> None:
    servers = " ".join(f"192.168.1.{number}" for number in range(1, 10))
    page = browser.post("/settings/network/eno1/", FIXED | {"dns": servers})
    assert page.status_code == 422
    assert set(page.context["errors"].by_field) == {"dns"}
    assert f'value="{servers}"' in text(page)


def test_the_form_has_what_is_set(browser: Client) -> None:
    change(browser)
    page = text(browser.get("/settings/network/eno1/"))
    assert 'value="192.168.1.20/24"' in page
    assert '<option value="fixed" selected>' in page


def test_what_another_program_decides_on_is_shown_only(browser: Client, simulated: SimulatedHost) -> None:
    simulated.rule_network("ifupdown")
    refresh()
    assert "ifupdown manages eno1" in text(browser.get("/settings/network/"))
    assert "Not managed here" in text(browser.get("/settings/network/eno1/"))


def test_an_interface_that_is_not_there(browser: Client) -> None:
    assert browser.get("/settings/network/eno9/").status_code == 404
    assert browser.post("/settings/network/decide/explode/").status_code == 404


def test_the_machine_gets_another_name(browser: Client, simulated: SimulatedHost) -> None:
    plan = browser.post("/settings/machine/", {"name": "attic"})
    assert "https://attic.local/" in text(plan)
    decide(browser, plan)
    machine = simulated.machine()
    assert machine.hostname == "attic"
    assert "127.0.1.1\tattic" in machine.files["/etc/hosts"]
    assert "<span>attic</span>" in text(browser.get("/settings/machine/"))


def test_the_machine_moves_to_another_time_zone(browser: Client, simulated: SimulatedHost) -> None:
    decide(browser, browser.post("/settings/machine/", {"time_zone": "Asia/Tokyo"}))
    assert simulated.machine().network.time_zone == "Asia/Tokyo"
    assert "<option selected>Asia/Tokyo</option>" in text(browser.get("/settings/machine/"))


@pytest.mark.parametrize(("field", "value"), [("name", "My NAS"), ("time_zone", "Mars/Base")])
def test_what_cannot_be_is_told_beside_its_field(browser: Client, field: str, value: str) -> None:
    page = browser.post("/settings/machine/", {field: value})
    assert (page.status_code, set(page.context["errors"].by_field)) == (422, {field})


def test_who_may_only_read_finds_the_buttons_shut(viewer: Client) -> None:
    for path in ("/settings/machine/", "/settings/network/eno1/"):
        assert "Your role only allows reading" in text(viewer.get(path))
