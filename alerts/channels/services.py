"""From a channel's values to what Apprise takes: the arguments of one of its services. Pure.

Not by way of an Apprise URL where that can be avoided: in it each value could be taken for something else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from alerts.channels.check import addresses

Values = Mapping[str, str]
_SMTP_PORTS = {"starttls": 587, "tls": 465, "none": 25}
_SMTP_MODES = {"starttls": "starttls", "tls": "ssl", "none": "insecure"}


def service(kind: str, values: Values) -> dict[str, Any] | str:
    """What `apprise.Apprise.instantiate` makes a service of."""
    made = _SERVICES[kind](values)
    if isinstance(made, dict) and values.get("certificate") == "any":
        made["verify"] = False
    return made


def _email(values: Values) -> dict[str, Any]:
    encryption = values.get("encryption") or "starttls"
    # Apprise makes the sender of user and host where it is given none; it is given one.
    return {
        "schema": "mailto" if encryption == "none" else "mailtos",
        "host": values["server"], "smtp_host": values["server"],
        "port": int(values.get("port") or _SMTP_PORTS[encryption]),
        "secure": encryption != "none", "secure_mode": _SMTP_MODES[encryption],
        "user": values.get("user") or None, "password": values.get("password") or None,
        "from_addr": values["sender"], "targets": list(addresses(values["to"])), "format": "text",
    }  # fmt: skip


def _ntfy(values: Values) -> dict[str, Any]:
    token = values.get("token")
    return {
        "schema": "ntfys", **_server(values.get("server") or "https://ntfy.sh"), "mode": "private",
        "targets": [values["topic"]], "include_image": False,
        **({"auth": "token", "token": token} if token else {}),
    }  # fmt: skip


def _gotify(values: Values) -> dict[str, Any]:
    return {"schema": "gotifys", **_server(values["server"], slash=True), "token": values["token"]}


def _pushover(values: Values) -> dict[str, Any]:
    return {"schema": "pover", "user_key": values["user"], "token": values["token"]}


def _telegram(values: Values) -> dict[str, Any]:
    # Text would be sent as HTML otherwise, with all signs in it escaped by hand.
    return {"schema": "tgram", "bot_token": values["token"], "targets": [values["chat"]],
            "detect_owner": False, "include_image": False}  # fmt: skip


def _matrix(values: Values) -> dict[str, Any]:
    # Without discovery: it would ask the server which other server to talk to.
    return {
        "schema": "matrixs", **_server(values["server"]), "password": values["token"], "mode": "off",
        "targets": [values["room"]], "discovery": False, "e2ee": False, "include_image": False,
    }  # fmt: skip


def _discord(values: Values) -> dict[str, Any]:
    *_, webhook_id, token = _path(values["url"])
    return {"schema": "discord", "webhook_id": webhook_id, "webhook_token": token, "avatar": False,
            "footer": False}  # fmt: skip


def _slack(values: Values) -> dict[str, Any]:
    *_, token_a, token_b, token_c = _path(values["url"])
    return {"schema": "slack", "token_a": token_a, "token_b": token_b, "token_c": token_c,
            "include_image": False, "include_footer": False}  # fmt: skip


def _webhook(values: Values) -> dict[str, Any]:
    split = urlsplit(values["url"])
    # Apprise has the query apart; in the path it would be kept as it is.
    return {
        "schema": "jsons", **_server(values["url"]), "fullpath": split.path or "/",
        "user": unquote(split.username) if split.username else None,
        "password": unquote(split.password) if split.password else None,
        "params": dict(parse_qsl(split.query, keep_blank_values=True)),
    }  # fmt: skip


def _other(values: Values) -> str:
    return values["url"]


def _server(url: str, *, slash: bool = False) -> dict[str, Any]:
    """Host, port and path; Gotify wants a slash at the path's end."""
    split = urlsplit(url)
    path = split.path.rstrip("/")
    host = split.hostname or ""
    return {
        "host": f"[{host}]" if ":" in host else host, "port": split.port, "secure": split.scheme == "https",
        "fullpath": f"{path}/" if slash else path,
    }  # fmt: skip


def _path(url: str) -> list[str]:
    return [part for part in urlsplit(url).path.split("/") if part]


_SERVICES: dict[str, Callable[[Values], dict[str, Any] | str]] = {
    "email": _email, "ntfy": _ntfy, "gotify": _gotify, "pushover": _pushover, "telegram": _telegram,
    "matrix": _matrix, "discord": _discord, "slack": _slack, "webhook": _webhook, "other": _other,
}  # fmt: skip
