"""What the page of a dataset shows of its shares."""

from __future__ import annotations

from django import template

from frontend.shares.view import ShareRow, rows_of
from host.inventory import Dataset
from jobs import cache

register = template.Library()


@register.simple_tag
def shares_of(dataset: Dataset) -> tuple[tuple[str, ShareRow], ...]:
    """The shares and exports of a dataset, each with its protocol."""
    inventory = cache.current()
    return () if inventory is None else rows_of(dataset.name, inventory)
