"""What every page shows around itself: navigation, the age of what is known, what stands in the way."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest

from frontend.access import why_shut
from frontend.bays.lights import LightsView, lights, lit_disks
from frontend.network.view import PendingView, pending_view
from frontend.plans.toasts import ToastView, toasts_and_notices
from frontend.units import moment
from frontend.welcome.going_back import ReturnView, underway
from jobs import broker, cache

_OLD_S = 120  # the worker looks every 15 s: after this it is not looking


class NavItem(msgspec.Struct, frozen=True, kw_only=True):
    """A page in the rail."""

    title: str
    icon: str
    href: str
    here: bool


class Shell(msgspec.Struct, frozen=True, kw_only=True):
    """`as_of` is None when the machine was never looked at."""

    nav: tuple[NavItem, ...]
    machine: str
    simulated: bool
    as_of: str | None
    old: bool
    queue_down: bool
    lights: LightsView
    lit: frozenset[str]  # ids of disks
    why_no_light: str | None
    network: PendingView | None
    welcome: ReturnView | None  # where somebody came from who sets the machine up
    toasts: list[ToastView]
    notices: list[Message]


_NAV = (
    ("Overview", "layout-dashboard", "/"),
    ("Disks", "hard-drive", "/disks/"),
    ("Pools", "database", "/pools/"),
    ("Datasets", "folder-tree", "/datasets/"),
    ("Shares", "share-2", "/shares/"),
    ("Jobs", "list-checks", "/jobs/"),
    ("Alerts", "bell", "/alerts/"),
    ("Settings", "settings", "/settings/"),
)
_ALSO = {"/create/pool/": "/pools/", "/destroy/pool/": "/pools/", "/import/": "/pools/",
         "/arrays/": "/pools/", "/create/array/": "/pools/", "/destroy/array/": "/pools/",
         "/create/dataset/": "/datasets/",
         "/snapshots/": "/datasets/", "/snapshot/": "/datasets/",
         "/changes/snapshot/": "/datasets/", "/rollback/snapshot/": "/datasets/",
         "/destroy/snapshot/": "/datasets/",
         "/files/": "/datasets/", "/versions/": "/datasets/", "/difference/": "/datasets/",
         "/destroy/dataset/": "/datasets/", "/rename/dataset/": "/datasets/", "/act/dataset/": "/datasets/",
         "/edit/datasets/": "/datasets/", "/properties/": "/datasets/", "/compare/datasets/": "/datasets/",
         "/policies/": "/datasets/", "/prune/": "/datasets/",
         "/accounts/": "/settings/", "/boot/": "/settings/", "/welcome/": "/settings/",
         "/doctor/": "/alerts/",
         "/sessions/": "/shares/", "/rights/": "/shares/", "/stop-rights/": "/shares/",
         "/people/": "/shares/", "/groups/": "/shares/",
         "/create/person/": "/shares/", "/create/group/": "/shares/",
         "/create/share/": "/shares/", "/delete/share/": "/shares/", "/share/": "/shares/",
         "/settings/shares/": "/shares/",
         "/chassis/": "/disks/", "/teach/": "/disks/"}  # fmt: skip


def shell_of(request: HttpRequest) -> Shell:
    """The shell around the page that answers `request`."""
    inventory = cache.current()
    known = None if inventory is None else moment(inventory.as_of)
    toasts, notices = toasts_and_notices(request)
    return Shell(
        toasts=toasts,
        notices=notices,
        nav=tuple(
            NavItem(title=title, icon=icon, href=href, here=_here(request.path) == href)
            for title, icon, href in _NAV
        ),
        machine=inventory.facts.name if inventory else "nasweb",
        simulated=bool(inventory and inventory.facts.kind == "simulated"),
        as_of=inventory.as_of if inventory else None,
        old=known is not None and (datetime.now(UTC) - known).total_seconds() > _OLD_S,
        queue_down=not broker.alive(),
        lights=lights(inventory),
        lit=lit_disks(inventory) if inventory else frozenset(),
        why_no_light=why_shut(request.user, "disks:write"),
        network=pending_view(inventory, request),
        welcome=underway(request),
    )


def _here(path: str) -> str:
    path = next((to for start, to in _ALSO.items() if path.startswith(start)), path)
    return next((href for _, _, href in _NAV[1:] if path.startswith(href)), "/" if path == "/" else "")
