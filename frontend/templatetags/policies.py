"""What the page of a dataset shows of its snapshot policy."""

from __future__ import annotations

from datetime import UTC, datetime

from django import template

from frontend.policies.view import PolicyRow, dataset_policy
from host.inventory import Dataset
from jobs import cache

register = template.Library()


@register.simple_tag
def policy_of(dataset: Dataset) -> PolicyRow | None:
    """The policy of a dataset in one line; None where none holds."""
    inventory = cache.current()
    return None if inventory is None else dataset_policy(dataset, inventory, datetime.now(UTC))
