"""Who did what, when: one row for each thing that was asked or done."""

from __future__ import annotations

from typing import Any

import structlog
from django.utils import timezone

from jobs.models import AuditEvent, Job

_log = structlog.get_logger("audit")


def record(actor: str, action: str, subject: str, *, job: Job | None = None, **detail: Any) -> None:
    """Add an audit event. `detail` must hold no secret."""
    AuditEvent.objects.create(
        at=timezone.now(),
        actor=actor[:150],
        action=action,
        subject=subject[:300],
        job=job,
        detail=detail,
    )
    _log.info(action, actor=actor, subject=subject, job=None if job is None else job.pk, **detail)
