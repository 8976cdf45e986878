"""A pool is lost for good: everything comes back from its copy, with few clicks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from rest_framework.test import APIClient

from host.commands.pools.zpool import ZpoolDestroy
from host.simulated import SimulatedHost
from replication import tasks
from replication.models import TaskRow
from shares import tasks as share_tasks
from tests.api.test_snapshots import do
from tests.browser.accessible import in_both_schemes
from tests.browser.conftest import Complaints
from tests.browser.counted import Counted
from tests.conftest import refresh
from tests.frontend.conftest import free_disks

pytestmark = pytest.mark.browser


def test_a_lost_pool_comes_back_with_its_share_in_twelve_clicks(
    api: APIClient, signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    disks = free_disks()
    for name, of in (("tank", disks[:2]), ("second", disks[2:3])):
        vdev = {"role": "data", "layout": "mirror" if len(of) > 1 else "stripe", "disks": of}
        do(api, "post", "/api/v1/pools/", {"name": name, "vdevs": [vdev]})
    do(api, "post", "/api/v1/datasets/", {"name": "tank/photos"})
    do(api, "post", "/api/v1/snapshots/", {"datasets": ["tank/photos"], "name": "one"})
    refresh()
    do(api, "post", "/api/v1/targets/", {"name": "attic", "kind": "pool", "dataset": "second"})
    do(api, "post", "/api/v1/shares/smb/", {"name": "Photos", "dataset": "tank/photos", "guests": "read"})
    body = {"name": "photos", "source": "tank/photos", "target": "attic"}
    do(api, "post", "/api/v1/replications/", body)

    def ended() -> None:
        simulated.pass_time(1000)
        tasks.follow()

    do(api, "post", f"/api/v1/replications/{TaskRow.objects.get().pk}/run/")
    ended()
    simulated.run(ZpoolDestroy(name="tank"))
    refresh()

    page = signed_in(reduced_motion="reduce")
    page.goto("/")
    user = Counted(page)
    user.click(page.get_by_role("navigation").get_by_role("link", name="Storage").first)
    user.click(user.link("Create a pool"))
    expect(page.get_by_label("Name", exact=True)).to_have_value("tank")
    user.click(page.get_by_role("button", name="All free disks"))
    expect(page.locator("input[name=layout]:checked")).to_have_count(1)  # the one that is recommended
    user.click(user.button("Review changes"))
    user.click(page.get_by_role("button", name="Create tank"))
    page.get_by_role("link", name="Open tank").wait_for()
    refresh()
    user.click(user.link("Open tank"))
    found = in_both_schemes(page)
    user.click(page.get_by_role("button", name="Copy it back"))
    user.click(page.locator(".decide").get_by_role("button"))
    expect(page.get_by_role("status").filter(has_text="done")).to_be_visible()
    ended()
    user.click(user.link("Replication"))
    found += in_both_schemes(page)
    user.click(user.button("Go live, and replicate again"))
    user.click(page.locator(".decide").get_by_role("button"))
    expect(page.get_by_role("status").filter(has_text="done")).to_be_visible()
    ended()
    refresh()
    share_tasks.follow()  # what is mounted again is served again within seconds
    assert "[Photos]\n    path = /mnt/tank/photos\n" in simulated.machine().samba
    assert user.clicks <= 12
    assert not found, "\n".join(found)
    assert complaints == []
