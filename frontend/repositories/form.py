"""The form of a repository: what is typed, and the request that it makes."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec

from frontend.typed_size import whole_typed

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that is taken for another when it is read from paper
# The fields of each kind: name, title, example, whether it is needed.
KINDS: dict[str, tuple[tuple[str, str, str, bool], ...]] = {
    "local": (("path", "Folder", "/media/disk/backup", True),),
    "sftp": (
        ("host", "Server", "backup.example.org", True), ("port", "Port", "22", False),
        ("user", "User", "nas", True), ("path", "Folder", "backup/nas", True),
    ),
    "rest": (
        ("host", "Server", "backup.example.org", True), ("port", "Port", "8000", False),
        ("path", "Path", "nas", False), ("user", "User", "nas", False),
    ),
    "s3": (
        ("host", "Endpoint", "s3.example.org", True), ("port", "Port", "443", False),
        ("bucket", "Bucket", "my-backups", True), ("prefix", "Folder in it", "nas", False),
        ("region", "Region", "eu-central-1", False), ("access_key", "Access key ID", "AKIA…", True),
    ),
}  # fmt: skip
KEYS = {"rest": "Password for the user", "s3": "Secret access key"}
FIELDS = {
    "name": "name", "password": "password", "key": "key", "check_cron": "checks", "sftp.host_key": "host_key",
} | {f"{kind}.{name}": name for kind, fields in KINDS.items() for name, *_ in fields} | {
    f"{kind}.authority": "authority" for kind in KEYS
}  # fmt: skip


class RepositoryForm(msgspec.Struct, frozen=True, kw_only=True):
    """As it was typed. Of secrets only the proposed password is ever shown."""

    kind: str = "local"
    existing: bool = False
    name: str = ""
    values: dict[str, str] = {}
    tls: bool = True
    authority: str = ""
    host_key: str = ""
    checks: bool = True
    written_down: bool = False

    @property
    def fields(self) -> list[tuple[str, str, str, bool, str]]:
        """Name, title, example, whether it is needed, and what was typed."""
        return [(*field, self.values.get(field[0], "")) for field in KINDS[self.kind]]


def first(sent: Any) -> RepositoryForm:
    """The empty form of the kind that the address chooses."""
    kind = sent.get("kind", "local")
    return RepositoryForm(
        kind=kind if kind in KINDS else "local", existing=sent.get("existing") == "yes",
        values={"port": ""},
    )  # fmt: skip


def of_post(sent: Any) -> RepositoryForm:
    """What was sent, but the secrets."""
    kind = sent.get("kind", "local")
    kind = kind if kind in KINDS else "local"
    return RepositoryForm(
        kind=kind, existing=sent.get("existing") == "yes", name=sent.get("name", "").strip(),
        values={name: sent.get(name, "").strip() for name, *_ in KINDS[kind]}, tls=sent.get("tls") != "no",
        authority=sent.get("authority", ""),
        host_key=sent.get("host_key", ""), checks=sent.get("checks") == "yes",
        written_down=sent.get("written_down") == "yes",
    )  # fmt: skip


def data_of(form: RepositoryForm, sent: Any) -> dict[str, Any]:
    """The request. Secrets are taken out of it at once (`jobs.secrets`)."""
    place: dict[str, Any] = {name: value for name, value in form.values.items() if value and name != "port"}
    if form.values.get("port"):
        place["port"] = whole_typed(form.values["port"])
    if form.kind in {"rest", "s3"}:
        place["tls"] = form.tls
        if form.authority.strip():
            place["authority"] = form.authority
    if form.kind == "sftp":
        place["host_key"] = form.host_key
    data: dict[str, Any] = {"name": form.name, "password": sent.get("password", ""), form.kind: place}
    if form.kind in KEYS and sent.get("key"):
        data["key"] = sent["key"]
    if not form.checks:
        data["check_cron"] = None
    return data


def new_password() -> str:
    """One that nobody guesses, and everybody can copy from paper: 100 bits in five groups."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(5))
