"""The page of a paired machine: what it has sent, worked with here while it is away."""

from __future__ import annotations

from django.test import Client
from rest_framework.test import APIClient

from host.commands.datasets.zfs import ZfsCreate
from host.simulated import SimulatedHost
from replication.models import PairingRow
from tests.conftest import refresh
from tests.frontend.conftest import decide, free_disks
from tests.shares.sharing import did

REPLICA = "tank/replicas/cellar/photos"


def test_what_was_sent_goes_live_and_is_frozen_again(
    browser: Client, api: APIClient, simulated: SimulatedHost
) -> None:
    vdev = {"role": "data", "layout": "mirror", "disks": free_disks()[:2]}
    did(api.post("/api/v1/pools/", {"name": "tank", "vdevs": [vdev]}))
    did(api.post("/api/v1/pairings/", {"name": "cellar", "dataset": "tank/replicas/cellar"}))
    quiet = {"readonly": "on", "canmount": "noauto"}
    simulated.run(ZfsCreate(name=REPLICA, properties=quiet))
    simulated.run(ZfsCreate(name=f"{REPLICA}/raw", properties=quiet))
    refresh()
    page = f"/replication/pairings/{PairingRow.objects.get().pk}/"
    (found,) = browser.get(page).context["received"]
    assert (found.name, found.holds, found.live) == (REPLICA, "2 datasets", False)

    plan = browser.post(page, {"do": "go-live", "dataset": REPLICA})
    assert "cellar may still be running" in plan.content.decode()
    decide(browser, plan)
    refresh()
    shown = browser.get(page)
    assert shown.context["received"][0].live
    assert f"/create/share/smb/?dataset={REPLICA}" in shown.content.decode()
    replica = api.get(f"/api/v1/datasets/{REPLICA}/").json()
    assert (replica["mounted"], replica["properties"]["setuid"]["value"]) == (True, "off")

    def frozen() -> set[str]:
        plan = browser.post(page, {"do": "freeze", "dataset": REPLICA})
        assert "which cellar gets when it copies back" in plan.content.decode()
        decide(browser, plan)
        refresh()
        assert not browser.get(page).context["received"][0].live
        taken = api.get("/api/v1/snapshots/", {"dataset": REPLICA}).json()["results"]
        below = api.get("/api/v1/snapshots/", {"dataset": f"{REPLICA}/raw"}).json()["results"]
        names = {one["name"].rpartition("@")[2] for one in taken}
        assert names == {one["name"].rpartition("@")[2] for one in below}
        return names

    first = frozen()
    assert first == {"frozen-0"}
    decide(browser, browser.post(page, {"do": "go-live", "dataset": REPLICA}))
    refresh()
    assert len(frozen() - first) == 1
    assert browser.post(page, {"do": "go-live", "dataset": "tank/other"}).status_code == 422
