"""Who holds what: an active job claims its resources, and a clash is refused at once."""

from __future__ import annotations

from jobs.models import Claim, Job


class Busy(Exception):
    """A resource is held by a job that has not ended."""

    def __init__(self, resource: str, job: Job) -> None:
        self.resource = resource
        self.job = job
        super().__init__(f"{resource} is held by job {job.pk} ({job.operation}), which has not ended.")


def take(job: Job, resources: tuple[str, ...]) -> None:
    """Claim `resources` for `job`, within the caller's write transaction. Raises `Busy`."""
    for held in Claim.objects.select_related("job"):
        for resource in resources:
            if overlap(held.resource, resource):
                raise Busy(resource, held.job)
    Claim.objects.bulk_create(Claim(resource=resource, job=job) for resource in dict.fromkeys(resources))


def release(job_id: int) -> None:
    """Give back all that a job holds."""
    Claim.objects.filter(job_id=job_id).delete()


def overlap(one: str, other: str) -> bool:
    """True where two resources are the same or one contains the other, as a pool does its datasets."""
    first, second = _path(one), _path(other)
    return first == second or first.startswith(f"{second}/") or second.startswith(f"{first}/")


def _path(resource: str) -> str:
    kind, _, name = resource.partition(":")
    return f"storage:{name}" if kind in {"pool", "dataset"} else resource
