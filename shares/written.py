"""Whether what is stored can be written into the files that root reads.

Rows are held to the rules of requests: whoever can change the database is not root by that. The helper holds
the files themselves to their grammar (`host.contents`), so a bad row would fail all shares: here it is found
before, and it alone is not served.
"""

from __future__ import annotations

from collections.abc import Iterator

from host.contents.clients import client_fault
from host.contents.samba import who_fault
from host.contents.smb_names import comment_fault, interface_fault, netbios_fault, share_name_fault
from host.contents.smb_parameters import extra_fault
from host.inventory import NfsShare, SharingSettings, SmbShare


def share_fault(share: SmbShare | NfsShare) -> str | None:
    """Why a share cannot be served as it is stored; None when it can."""
    faults = _smb(share) if isinstance(share, SmbShare) else _nfs(share)
    return next((fault for fault in faults if fault), None)


def settings_fault(settings: SharingSettings) -> str | None:
    """Why the settings for all shares cannot be written as they are stored; None when they can."""
    faults = (
        netbios_fault(settings.workgroup),
        netbios_fault(settings.name) if settings.name else None,
        *(interface_fault(name) for name in settings.interfaces),
    )
    return next((fault for fault in faults if fault), None)


def _smb(share: SmbShare) -> Iterator[str | None]:
    yield share_name_fault(share.name)
    yield comment_fault(share.comment)
    yield from (who_fault(name) for name in (*share.read, *share.write))
    yield from (extra_fault(name, value) for name, value in share.extra.items())


def _nfs(share: NfsShare) -> Iterator[str | None]:
    yield from (client_fault(client.host) for client in share.clients)
