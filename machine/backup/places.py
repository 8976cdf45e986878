"""Where this installation lays out what is kept, and finds what was restored."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from host.backup.folders import Folders, beside


def folders() -> Folders:
    """Those of the installed machine, or those beside a simulated one."""
    if settings.NASWEB_HOST == "helper":
        return Folders()
    return beside(Path(settings.NASWEB_MACHINE_STATE).parent)
