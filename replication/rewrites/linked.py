"""What belongs to a dataset by its guid, once another one takes its place."""

from __future__ import annotations

from collections.abc import Mapping

from replication.models import TaskRow


def follow(replaced: Mapping[str, str]) -> None:
    """Replications of the one are replications of the other. Snapshots have the same guids in both."""
    for row in TaskRow.objects.all():
        guid = replaced.get(row.value.get("source_guid", ""))
        if guid is not None:
            TaskRow.objects.filter(pk=row.pk).update(value=row.value | {"source_guid": guid})
