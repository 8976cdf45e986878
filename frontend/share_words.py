"""What operations on shares are called, and the pages that they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

_TITLES = {
    "smb.create": "Share {dataset} as {name}",
    "smb.change": "Change the share {share}",
    "smb.delete": "Delete the share {share}",
    "nfs.create": "Export {dataset}",
    "nfs.change": "Change an export",
    "nfs.delete": "Delete an export",
    "sharing.set": "Change what holds for all shares",
    "sharing.apply": "Apply the shares again",
    "folder.share": "Share the folder {dataset} as {name}",
}
_SHARES = ("Shares", "/shares/")


def title(operation: str, data: Mapping[str, Any]) -> str | None:
    """`Share tank/files as Files`; None for what is none of this."""
    words = {name: str(data.get(name, "")) for name in ("dataset", "name", "share")}
    template = _TITLES.get(operation)
    if operation == "folder.share" and data.get("create"):
        template = "Create {dataset} and share it as {name}"
    return template.format(**words) if template else None


def origin(operation: str, data: Mapping[str, Any]) -> tuple[str, str]:
    """Title and address of the page that the operation is asked for on."""
    if operation in {"smb.change", "smb.delete"}:
        share = str(data.get("share", ""))
        return share, share_href(share)
    if operation in {"nfs.change", "nfs.delete"}:
        return "The export", export_href(data.get("id"))
    return {
        "smb.create": ("New share", "/create/share/smb/"),
        "nfs.create": ("New export", "/create/share/nfs/"),
        "sharing.set": ("Settings for all shares", "/settings/shares/"),
        "folder.share": ("Share a folder", "/share/folder/"),
    }.get(operation, _SHARES)


def outcome(operation: str, data: Mapping[str, Any]) -> tuple[str, str]:
    """Title and address of the page that shows what it made or left."""
    if operation in {"smb.create", "folder.share"}:
        name = str(data.get("name", ""))
        return f"Connect to {name}", share_href(name)
    if operation == "smb.change" and data.get("name"):
        name = str(data["name"])
        return f"Open {name}", share_href(name)
    if operation in {"smb.delete", "nfs.delete", "nfs.create"}:
        return _SHARES
    return origin(operation, data)


def share_href(name: str) -> str:
    """The page of a share of SMB."""
    return f"/shares/smb/{quote(name, safe='')}/"


def export_href(share_id: Any) -> str:
    """The page of an export of NFS."""
    return f"/shares/nfs/{quote(str(share_id), safe='')}/"


def rights_href(dataset: str) -> str:
    """The page with the rights of a dataset's folder."""
    return f"/rights/{quote(dataset)}/"
