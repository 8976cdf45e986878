"""Under which names this machine may be reached.

A NAS has no domain of its own, so the list cannot be written down beforehand; but answering to every name
would let a web site whose name is pointed at this machine (DNS rebinding) read it with the visitor's
session. Such a site needs a name in the public DNS. So these are answered: addresses, names without a dot,
names under the endings that are never public, this host's own name, and what NASWEB_ALLOWED_HOSTS adds.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Iterable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.http.request import split_domain_port, validate_host

from nasweb import errors
from nasweb.api.problems import Problem

_NEVER_PUBLIC = (".local", ".localhost", ".lan", ".home.arpa", ".internal", ".home", ".test")


class OnlyOwnNames:
    """Refuses requests that name another host."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        name = socket.gethostname().lower()
        self.own = (name, *settings.NASWEB_ALLOWED_HOSTS)
        self.local = f"{name.partition('.')[0]}.local"

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, or 400."""
        if not is_own(request.META.get("HTTP_HOST", ""), self.own):
            detail = (
                f"Use the address of this machine, or {self.local}. To use this name as well, add it to "
                "NASWEB_ALLOWED_HOSTS in /etc/nasweb/environment.local."
            )
            return errors.answer(request, Problem.UNKNOWN_HOST, detail)
        return self.get_response(request)


def is_own(host: str, names: Iterable[str]) -> bool:
    """Whether a Host header (with or without port) names this machine; absent (HTTP/1.0) it does."""
    if not host:
        return True
    domain, _ = split_domain_port(host)
    if not domain:
        return False
    return (
        _is_address(domain)
        or "." not in domain
        or domain.endswith(_NEVER_PUBLIC)
        or validate_host(domain, names)
    )


def _is_address(domain: str) -> bool:
    try:
        ipaddress.ip_address(domain.strip("[]"))
    except ValueError:
        return False
    return True
