"""The operations on rights to files, and on who has them open."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from jobs.operation import Operation
from jobs.wording import Data, Link, Wording, at
from shares.following import READS as SERVED
from shares.rights import set_rights, stop
from shares.sessions import end


def _rights_page(data: Data) -> Link:
    folder = str(data.get("folder") or "")
    query = f"?folder={quote(folder, safe='')}" if folder else ""
    return Link("Rights", f"/rights/{quote(str(data.get('dataset', '')))}/{query}")


def _disconnect(data: Data) -> str:
    nfs = str(data.get("session")).startswith("nfs")
    return f"Disconnect {'an NFS client' if nfs else 'an SMB client'}"


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="rights.set",
        request=set_rights.SetRights,
        plan=set_rights.plan,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        needs=set_rights.needs,
        remember=set_rights.remember,
        names_files=True,
        wording=Wording(title="Set permissions of {dataset}", page=_rights_page),
    ),
    Operation(
        name="rights.stop",
        request=stop.StopSettingRights,
        plan=stop.plan,
        scope="shares:write",
        effect="changes",
        facts=SERVED,
        needs=stop.needs,
        remember=stop.remember,
        names_files=True,
        wording=Wording(title="Stop setting permissions in {dataset}", page=_rights_page),
    ),
    Operation(
        name="session.end",
        request=end.EndSession,
        plan=end.plan,
        scope="shares:write",
        effect="destroys",
        facts=SERVED,
        needs=end.needs,
        remember=end.remember,
        wording=Wording(title=_disconnect, page=at("Connections", "/sessions/")),
    ),
)
