"""The worker's own key: in a file that nobody else can read, and its public half in the database."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from alerts.channels import sealing
from alerts.channels.models import WorkerKey


def private_key() -> str:
    """The worker's key, made when missing. Raises `OSError` where the file cannot be read or made."""
    path = Path(settings.NASWEB_CHANNEL_KEY)
    with suppress(FileNotFoundError):
        return path.read_text().strip()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Written beside and linked: a power cut leaves no half of a key, and of two makers one wins.
    mine = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(sealing.new_key())
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(mine, path)
    finally:
        mine.unlink()
    return path.read_text().strip()


def publish() -> None:
    """Publish the public half in the database, where it is another. For the worker. Raises `OSError`."""
    try:
        public = sealing.public_of(private_key())
    except ValueError:
        # Channels without secrets are served all the same.
        message = f"{settings.NASWEB_CHANNEL_KEY} contains no key. Remove it, and a new one is created."
        raise OSError(message) from None
    if public_key() != public:
        WorkerKey.objects.update_or_create(pk=1, defaults={"public": public})


def public_key() -> str | None:
    """What secrets are sealed with; None before the worker's first start."""
    row = WorkerKey.objects.filter(pk=1).first()
    return None if row is None else row.public
