"""The form of an interface: what stands in it, and the request that it makes."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import QueryDict

from machine.network.settings import Addressing, InterfaceSettings

_MOST = 9  # of each list: one more than a request may have, which then says so
METHODS = {
    4: (("automatic", "Automatic (DHCP)"), ("fixed", "Fixed addresses"), ("off", "Off")),
    6: (("automatic", "Automatic"), ("fixed", "Fixed addresses"), ("off", "Off")),
}
FIELDS = {
    **{
        f"ipv{family}.{name}": f"v{family}-{name}"
        for family in (4, 6)
        for name in ("method", "addresses", "gateway")
    },
    "dns": "dns",
    "search": "search",
}


class FamilyForm(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of one family of addresses, as typed."""

    family: int
    method: str
    addresses: str
    gateway: str

    @property
    def short(self) -> str:
        """4 or 6, as a part of names."""
        return str(self.family)

    @property
    def methods(self) -> tuple[tuple[str, str], ...]:
        """What can be chosen."""
        return METHODS[self.family]

    @property
    def example(self) -> str:
        """An address with its prefix."""
        return "192.168.1.20/24" if self.family == 4 else "fd12:3456:789a::20/64"


class NetworkForm(msgspec.Struct, frozen=True, kw_only=True):
    """All of it."""

    families: tuple[FamilyForm, FamilyForm]
    dns: str
    search: str


def form_of(settings: InterfaceSettings) -> NetworkForm:
    """What an interface has now."""
    return NetworkForm(
        families=(_family(4, settings.ipv4), _family(6, settings.ipv6)),
        dns=" ".join(settings.dns),
        search=" ".join(settings.search),
    )


def sent(post: QueryDict) -> NetworkForm:
    """What was typed."""

    def text(name: str) -> str:
        return post.get(name, "").strip()[:1000]

    first, second = (
        FamilyForm(
            family=family,
            method=text(f"v{family}-method"),
            addresses=text(f"v{family}-addresses"),
            gateway=text(f"v{family}-gateway"),
        )
        for family in (4, 6)
    )
    return NetworkForm(families=(first, second), dns=text("dns"), search=text("search"))


def request_of(form: NetworkForm, interface: str, before: NetworkForm) -> dict[str, Any]:
    """What is asked for. Fixed addresses that stood in the form `before` go when another method is chosen;
    what was typed beside such a method is asked for too, so that the plan refuses it."""
    pairs = zip(form.families, before.families, strict=True)
    return {
        "interface": interface,
        **{f"ipv{one.family}": _asked(one, was) for one, was in pairs},
        "dns": _words(form.dns),
        "search": _words(form.search),
    }


def _asked(one: FamilyForm, was: FamilyForm) -> dict[str, Any]:
    stays = one.method == "fixed" or (one.addresses, one.gateway) != (was.addresses, was.gateway)
    given = {"addresses": _words(one.addresses), "gateway": one.gateway} if stays else {}
    return {"method": one.method, **given}


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()[:_MOST]


def _family(family: int, given: Addressing) -> FamilyForm:
    return FamilyForm(
        family=family, method=given.method, addresses=" ".join(given.addresses), gateway=given.gateway
    )
