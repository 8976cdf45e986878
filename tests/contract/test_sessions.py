"""Who is connected to shares. Nobody is: that clients come and go is tried by the lab."""

from __future__ import annotations

import pytest

from host.base import CommandFailed, Host
from host.commands.shares.sessions import EndSmbd, ExpireNfsClient, NfsClients, SambaStatus
from host.probe.shares.sessions import parse_nfs_clients, parse_smbstatus, read_sessions

pytestmark = pytest.mark.user_space


@pytest.mark.core
def test_nobody_is_connected(host: Host) -> None:
    assert parse_smbstatus(host.run(SambaStatus()).stdout) == ()
    assert parse_nfs_clients(host.run(NfsClients()).stdout) == ()
    assert read_sessions(host) == ()


def test_who_is_not_there_cannot_be_disconnected(host: Host) -> None:
    with pytest.raises(CommandFailed):
        host.run(EndSmbd(process=4_194_300))
    with pytest.raises(CommandFailed):
        host.run(ExpireNfsClient(client=4_294_967_000))
