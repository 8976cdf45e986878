"""The boot pair through the API."""

from __future__ import annotations

from rest_framework.test import APIClient

from host.simulated import SimulatedHost
from jobs.models import Job
from tests.conftest import refresh

HERE = "/api/v1/boot/"
NEW = "4C530001999999999999"


def test_the_pair_is_told(api: APIClient) -> None:
    report = api.get(HERE).json()
    assert (report["pair"], report["complete"], report["work"]) == (True, True, None)
    assert [(half["state"], half["model"]) for half in report["halves"]] == [("whole", "Cruzer Fit")] * 2


def test_a_half_is_added_after_its_loss_was_read(api: APIClient, simulated: SimulatedHost) -> None:
    gone = api.get(HERE).json()["halves"][1]["disk"]
    simulated.swap(gone, NEW)
    new = gone.replace(gone.split("_")[-1].split("-")[0], NEW)
    simulated.occupy(new, "unmounted-ntfs")
    refresh()
    unread = api.post(f"{HERE}add/", {"disk": new}, format="json")
    assert (unread.status_code, unread.json()["type"].rpartition("/")[2]) == (409, "confirmation-required")
    wish = {"disk": new, "digest": unread.json()["plan"]["digest"]}
    done = api.post(f"{HERE}add/", wish, format="json", headers={"Prefer": "wait=10"})
    assert done.status_code == 202
    job = Job.objects.get(pk=done.json()["id"])
    assert (job.operation, job.state) == ("boot.add", "succeeded")
    refresh()
    report = api.get(HERE).json()
    assert (report["complete"], report["work"]["kind"]) == (False, "recovery")
    assert [half["state"] for half in report["halves"] if half["disk"] == new] == ["rebuilding"]
    simulated.pass_time(3600)
    refresh()
    assert api.get(HERE).json()["complete"] is True


def test_the_last_half_stays(api: APIClient) -> None:
    one, two = (half["disk"] for half in api.get(HERE).json()["halves"])
    gone = api.post(f"{HERE}remove/", {"disk": one}, format="json", headers={"Prefer": "wait=10"})
    assert gone.status_code == 202
    refresh()
    refused = api.post(f"{HERE}remove/", {"disk": two}, format="json")
    assert refused.status_code == 422
    assert [finding["code"] for finding in refused.json()["findings"]] == ["last-half"]


def test_unknown_fields_are_refused(api: APIClient) -> None:
    refused = api.post(f"{HERE}replace/", {"old": "a", "disk": "b", "now": True}, format="json")
    assert (refused.status_code, refused.json()["findings"][0]["field"]) == (422, "now")
