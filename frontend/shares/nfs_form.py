"""The form of an export of NFS: its clients as rows, which come and go without a script too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.http import QueryDict

from host.inventory import NfsClient, NfsShare

SQUASH = (
    ("root", "is nobody"),
    ("all", "all are nobody"),
    ("none", "stays root"),
)
SECURITY = (
    ("sys", "address only (sys)"),
    ("krb5", "Kerberos"),
    ("krb5i", "Kerberos, signed"),
    ("krb5p", "Kerberos, encrypted"),
)
_MOST = 100


class ClientRow(msgspec.Struct, frozen=True, kw_only=True):
    """A client as it stands in the form; `security` is joined by colons."""

    host: str = ""
    access: str = "write"
    squash: str = "root"
    security: str = "sys"


class ExportForm(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the fields."""

    dataset: str = ""
    below: bool = True
    enabled: bool = True
    rows: tuple[ClientRow, ...] = (ClientRow(),)


def of_export(share: NfsShare) -> ExportForm:
    """The fields of an export, with a row for one more client."""
    rows = tuple(_row(one) for one in share.clients)
    return ExportForm(
        dataset=share.dataset, below=share.below, enabled=share.enabled, rows=(*rows, ClientRow())
    )


def of_post(post: QueryDict) -> ExportForm:
    """What was sent, with a row more or less where that was asked for."""
    return ExportForm(
        dataset=post.get("dataset", "").strip()[:1024],
        below=post.get("below") == "yes",
        enabled=post.get("enabled") == "yes",
        rows=rows_of_post(post),
    )


def rows_of_post(post: QueryDict) -> tuple[ClientRow, ...]:
    """The rows that were sent; `do` may be `row-more` or `row-drop-<number>`."""
    do = post.get("do", "")
    rows = [
        _sent(post, number)
        for number in range(_MOST)
        if f"host-{number}" in post and do != f"row-drop-{number}"
    ]
    if do == "row-more" or not rows:
        rows.append(ClientRow())
    return tuple(rows)


def of_request(data: Mapping[str, Any]) -> ExportForm:
    """The form that a request for a new export came from."""
    return ExportForm(
        dataset=str(data.get("dataset", "")),
        below=data.get("below") is not False,
        enabled=data.get("enabled") is not False,
        rows=rows_of_request(data.get("clients")),
    )


def rows_of_request(clients: Any) -> tuple[ClientRow, ...]:
    """The rows of the clients of a request, and one more."""
    found = [one for one in clients if isinstance(one, dict)] if isinstance(clients, list) else []
    rows = [
        ClientRow(
            host=str(one.get("host", "")),
            access="read" if one.get("read_only") is True else "write",
            squash=str(one.get("squash", "root")),
            security=":".join(map(str, one.get("security", ("sys",)))),
        )
        for one in found[:_MOST]
    ]
    return (*rows, ClientRow())


def asks_for_rows(post: QueryDict) -> bool:
    """Whether only the rows shall change, and nothing is planned yet."""
    return post.get("do", "").startswith("row-")


def clients(rows: tuple[ClientRow, ...]) -> list[dict[str, Any]]:
    """The clients of the request; rows without a host are left out."""
    return [
        {
            "host": row.host,
            "read_only": row.access == "read",
            "squash": row.squash,
            "security": row.security.split(":"),
        }
        for row in rows
        if row.host
    ]


def changes(form: ExportForm, share: NfsShare) -> dict[str, Any]:
    """What `nfs.change` is asked to change: only what differs."""
    data: dict[str, Any] = {}
    wanted = clients(form.rows)
    if wanted != clients(tuple(_row(one) for one in share.clients)):
        data["clients"] = wanted
    if form.below != share.below:
        data["below"] = form.below
    if form.enabled != share.enabled:
        data["enabled"] = form.enabled
    return data


def fields_of(rows: tuple[ClientRow, ...], path: str) -> dict[str, str]:
    """Where findings about clients at `path` of the request are shown: rows without a host do not count."""
    numbers = [number for number, row in enumerate(rows) if row.host]
    found = {path: "host-0"}
    for index, number in enumerate(numbers):
        found |= {f"{path}[{index}]": f"host-{number}", f"{path}[{index}].security": f"security-{number}",
                  f"{path}[{index}].squash": f"squash-{number}"}  # fmt: skip
    return found


def security_choices(row: ClientRow) -> tuple[tuple[str, str], ...]:
    """What can be chosen; a mix that is set already is one choice more."""
    if row.security in dict(SECURITY):
        return SECURITY
    return (*SECURITY, (row.security, row.security.replace(":", " or ")))


def _sent(post: QueryDict, number: int) -> ClientRow:
    names = ClientRow.__struct_fields__
    return ClientRow(**{name: post.get(f"{name}-{number}", "").strip()[:300] for name in names})


def _row(client: NfsClient) -> ClientRow:
    return ClientRow(
        host=client.host,
        access="read" if client.read_only else "write",
        squash=client.squash,
        security=":".join(client.security),
    )
