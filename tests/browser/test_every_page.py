"""What must hold on every page: WCAG 2.2 AA in both schemes, the content security policy, 360 to 2560 px."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from accounts import setup
from accounts.models import User
from tests.browser.accessible import ahead, in_both_schemes
from tests.browser.conftest import Complaints, make_people, make_share, make_tank
from tests.browser.geometry import misplaced

pytestmark = pytest.mark.browser

PAGES = (
    "/", "/disks/", "/disks/?view=heat", "/disks/?show=gone", "/chassis/edit/?profile=top-loader-60",
    "/teach/", "/teach/?mode=pull", "/pools/", "/pools/tank/", "/pools/tank/scrubs/",
    "/pools/tank/schedule/scrub/", "/import/", "/pools/tank/live/",
    "/alerts/", "/doctor/", "/create/pool/", "/destroy/pool/tank/",
    "/arrays/", "/arrays/0/", "/create/array/", "/boot/", "/boot/swap/",
    "/boot/state/",
    "/pools/tank/replace/", "/pools/tank/grow/", "/pools/tank/add/",
    "/datasets/?open=", "/datasets/?q=zzz", "/properties/tank/", "/properties/tank/?edit=compression",
    "/properties/tank/?edit=quota&show=user", "/edit/datasets/", "/compare/datasets/",
    "/compare/datasets/?left=tank&right=tank&show=all", "/properties/tank/?show=own", "/datasets/",
    "/datasets/tank/", "/create/dataset/", "/create/dataset/?kind=volume", "/snapshots/tank/",
    "/files/tank/", "/versions/tank/?path=gone", "/difference/tank/?path=gone", "/policies/",
    "/policies/tank/", "/policies/tank/?preset=machines", "/jobs/?every=yes", "/datasets/locked/",
    "/keys/tank/", "/quotas/tank/", "/people/", "/people/?q=zzz", "/people/anna/", "/create/person/",
    "/create/group/", "/groups/family/", "/sessions/", "/rights/tank/", "/compression/tank/", "/scan/tank/",
    "/rewrite/tank/",
    "/benchmark/tank/", "/network-speed/",
    "/dedup/tank/",
    "/metadata/tank/",
    "/shares/", "/share/folder/", "/share/folder/?dataset=tank",
    "/create/share/smb/", "/create/share/nfs/", "/settings/shares/",
    "/settings/notifications/", "/settings/notifications/ping/",
    "/settings/notifications/add/email/", "/settings/notifications/add/webhook/",
    "/welcome/start/", "/welcome/name/", "/welcome/network/", "/welcome/summary/",
    "/replication/targets/", "/replication/targets/new/", "/replication/targets/new/?way=ssh",
    "/replication/targets/new/?way=pool", "/replication/pairings/new/",
    "/settings/accounts/", "/settings/accounts/1/",
    "/settings/copies/", "/settings/machine/", "/settings/memory/", "/space/",
    "/settings/monitoring/",
    "/settings/network/", "/settings/network/eno1/",
    "/settings/network/eno9/",
    "/power/", "/slow/", "/health/", "/charts/", "/charts/?of=pool:tank&range=hour", "/charts/?of=port:eno1",
    "/charts/table/?chart=cpu&range=hour", "/charts/table/?chart=nothing", "/snapshots/",
    "/files/", "/replication/", "/replication/new/", "/replication/9/", "/backups/", "/create/backup/",
    "/create/repository/?kind=sftp",
    "/schedules/", "/self-tests/", "/audit/",
    "/jobs/", "/settings/", "/settings/tokens/", "/search/?q=a", "/pools/nothing/",
    "/accounts/password/change/", "/accounts/2fa/", "/accounts/2fa/totp/activate/", "/accounts/logout/",
)  # fmt: skip
# Two tests that take as long, side by side.
HALVES = (PAGES[::2], PAGES[1::2])


def disk_pages(page: Page) -> list[str]:
    """The page of a data disk with its label, and that of a boot drive."""
    page.goto("/disks/")
    links = page.locator("a.sled").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    return [links[0], f"{links[0]}label/", links[-1]]


def share_pages(page: Page) -> list[str]:
    """The pages of a share of SMB and of an export of NFS."""
    page.goto("/shares/")
    links = page.locator(".share-table tbody th a")
    hrefs: list[str] = links.evaluate_all("links => links.map(link => link.getAttribute('href'))")
    return hrefs


@pytest.mark.long
@pytest.mark.parametrize("half", [0, 1])
def test_every_page_is_accessible_fits_and_breaks_no_policy(
    signed_in: Callable[..., Page], complaints: Complaints, half: int
) -> None:
    page = signed_in(reduced_motion="reduce")
    record = make_tank()
    make_people(page)
    make_share(page)
    ahead(page)
    found = []
    for path in (*HALVES[half], *((record, *disk_pages(page)), share_pages(page))[half]):
        page.goto(path)
        found += misplaced(page)
        found += in_both_schemes(page)
    assert not found, "\n".join(found)
    assert complaints == []


def test_pages_that_appear_on_the_way_are_accessible(
    signed_in: Callable[..., Page], complaints: Complaints
) -> None:
    page = signed_in(reduced_motion="reduce")
    page.goto("/create/pool/")
    with page.expect_navigation():
        page.get_by_role("button", name="Review changes").click()  # errors beside the fields
    found = in_both_schemes(page)
    page.get_by_role("button", name="All free disks").click()
    page.get_by_role("radio", name="stripe").check()
    found += in_both_schemes(page)
    page.get_by_role("button", name="Review changes").click()  # a plan with warnings
    page.get_by_role("region", name="Warnings").wait_for()
    found += in_both_schemes(page)
    page.goto("/people/")  # with nobody there
    found += in_both_schemes(page)
    page.goto("/create/person/")
    page.get_by_label("User name").fill("Con")
    page.get_by_role("button", name="Review changes").click()
    page.get_by_role("alert").wait_for()
    found += in_both_schemes(page)
    page.goto("/disks/")
    page.get_by_role("link", name="Bay A1:").click()
    page.get_by_role("dialog").wait_for()
    found += in_both_schemes(page)
    assert not found, "\n".join(found)
    assert complaints == []


def test_pages_before_signing_in_are_accessible(
    visit: Callable[..., Page], transactional_db: None, complaints: Complaints
) -> None:
    page = visit(reduced_motion="reduce")
    found = []
    for path in ("/setup/", "/setup/no-such-code/", f"/setup/{setup.issue()}/"):
        page.goto(path)
        found += in_both_schemes(page)
    User.objects.create_user("ada")
    page.goto("/accounts/login/")
    page.get_by_role("heading", name="Sign in").wait_for()
    found += in_both_schemes(page)
    assert not found, "\n".join(found)
    assert complaints == []
