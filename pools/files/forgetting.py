"""Removes what has arrived of uploads that nobody goes on with."""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog

from host.base import Host, HostError
from host.commands.uploads import ForgetUpload
from pools.files.uploads import KEPT
from pools.models import Upload

_log = structlog.get_logger("uploads")
_GIVEN_UP = timedelta(days=30)  # its dataset has not been mounted since, or is gone


def forget_uploads(now: datetime, host: Host) -> None:
    """Those that were silent for a day. Where a dataset is not mounted, they wait for it."""
    for upload in Upload.objects.filter(last_at__lt=now - KEPT):
        try:
            host.run(ForgetUpload(dataset=upload.dataset, folder=upload.folder, upload=upload.key))
        except HostError as error:
            _log.info("upload not forgotten", upload=upload.key, dataset=upload.dataset, why=str(error))
            if upload.last_at > now - _GIVEN_UP:
                continue
        upload.delete()
