"""What all views of the API share: scopes, known parameters, and the inventory they read from."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, cast

from rest_framework.exceptions import APIException, NotFound
from rest_framework.permissions import SAFE_METHODS, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from host.inventory import Inventory
from jobs import cache, waiting
from jobs.api import query
from jobs.rights import User, need


class NotReady(APIException):
    """The machine has not been probed yet."""

    status_code = 503
    default_detail = "The machine has not been probed yet. Is the worker running?"
    default_code = "not-ready"


class _WithScopes(Protocol):
    def scope_for(self, method: str) -> str: ...


class HasScope(BasePermission):
    """The caller's role, and its token if it came with one, have the view's scope."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Raises `Forbidden`, which names the scope."""
        need(user_of(request), cast("_WithScopes", view).scope_for(request.method or "GET"))
        return True


class View(APIView):
    """A resource in an area of scopes. Its methods are described by `jobs.api.document.describe`."""

    area: ClassVar[str]
    write_scope: ClassVar[str | None] = None  # where writing is not the area's own scope
    permission_classes = (IsAuthenticated, HasScope)
    http_method_names = ("get", "head", "post", "put", "patch", "delete")

    def scope_for(self, method: str) -> str:
        """The scope that `method` needs."""
        if method in SAFE_METHODS:
            return f"{self.area}:read"
        return self.write_scope or f"{self.area}:write"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """After the caller is known and allowed: refuse parameters that the method is not described with."""
        super().initial(request, *args, **kwargs)
        method = (request.method or "GET").lower()
        handler = getattr(self, method, None) if method in self.http_method_names else None
        if handler is not None:  # else the answer is 405, whatever the parameters
            query.known_only(request, handler.parameters)


def user_of(request: Request) -> User:
    """Who asks: an account, or a token on behalf of one."""
    return cast("User", request.user)


def inventory_now() -> Inventory:
    """The cached inventory. Raises `NotReady` when the first probe does not come within some seconds."""
    inventory = cache.current() or waiting.first_inventory()
    if inventory is None:
        raise NotReady
    return inventory


def found[T](thing: T | None, what: str) -> T:
    """`thing`, or 404 saying that there is no such `what`."""
    if thing is None:
        raise NotFound(f"There is no such {what}.")
    return thing


__all__ = ["HasScope", "NotReady", "Response", "View", "found", "inventory_now", "user_of"]
