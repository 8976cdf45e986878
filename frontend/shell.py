"""What every page shows around itself: navigation, the age of what is known, what stands in the way."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest

from alerts.incidents.recording import unacknowledged
from frontend.access import why_shut
from frontend.bays.lights import LightsView, lights, lit_disks
from frontend.navigation import SECTIONS, here
from frontend.network.view import PendingView, pending_view
from frontend.plans.toasts import ToastView, toasts_and_notices
from frontend.units import moment
from frontend.welcome.going_back import ReturnView, underway
from host.inventory.bays import guessed
from jobs import broker, cache

_OLD_S = 120  # the worker probes every 15 s: after this it has stopped


class NavPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the section that is open."""

    title: str
    href: str
    here: bool


class NavItem(msgspec.Struct, frozen=True, kw_only=True):
    """A section in the rail; `pages` are there where it is open and has several."""

    title: str
    icon: str
    href: str
    here: bool
    pages: tuple[NavPage, ...] = ()
    badge: int = 0


class Shell(msgspec.Struct, frozen=True, kw_only=True):
    """`as_of` is None when the machine has never been probed."""

    nav: tuple[NavItem, ...]
    alerts: int  # open incidents that nobody has acknowledged
    machine: str
    simulated: bool
    back: str  # where a button that every page has leads back to
    as_of: str | None
    old: bool
    queue_down: bool
    lights: LightsView
    lit: frozenset[str]  # ids of disks
    guessed: frozenset[str]  # labels of bays whose disk is only guessed
    why_no_light: str | None
    network: PendingView | None
    welcome: ReturnView | None  # where somebody came from who sets the machine up
    toasts: list[ToastView]
    notices: list[Message]


def shell_of(request: HttpRequest, *, belongs_to: str = "") -> Shell:
    """The shell around the page that answers `request`; a plan `belongs_to` the page that it was made on."""
    inventory = cache.current()
    known = None if inventory is None else moment(inventory.as_of)
    toasts, notices = toasts_and_notices(request)
    alerts = unacknowledged() if request.user.has_perm("alerts:read") else 0
    return Shell(
        toasts=toasts,
        notices=notices,
        nav=_nav(request, belongs_to or request.path, alerts),
        alerts=alerts,
        machine=inventory.facts.name if inventory else "nasweb",
        # What a form was answered with is no page that can be opened; its own address mostly is.
        back=request.get_full_path() if request.method == "GET" else belongs_to or request.path,
        simulated=bool(inventory and inventory.facts.kind == "simulated"),
        as_of=inventory.as_of if inventory else None,
        old=known is not None and (datetime.now(UTC) - known).total_seconds() > _OLD_S,
        queue_down=not broker.alive(),
        lights=lights(inventory),
        lit=lit_disks(inventory) if inventory else frozenset(),
        guessed=guessed(inventory.bays, inventory.chassis) if inventory else frozenset(),
        why_no_light=why_shut(request.user, "disks:write"),
        network=pending_view(inventory, request),
        welcome=underway(request),
    )


def _nav(request: HttpRequest, path: str, alerts: int) -> tuple[NavItem, ...]:
    place = here(path)
    items = []
    for section in SECTIONS:
        pages = tuple(one for one in section.pages if not one.scope or request.user.has_perm(one.scope))
        if not pages:
            continue
        current = place is not None and place in section.pages
        shown = tuple(NavPage(title=one.title, href=one.href, here=one is place) for one in pages)
        items.append(
            NavItem(
                title=section.title, icon=section.icon, href=pages[0].href, here=current,
                pages=shown if current and len(shown) > 1 else (),
                badge=alerts if section.title == "Alerts" else 0,
            )
        )  # fmt: skip
    return tuple(items)
