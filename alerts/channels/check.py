"""Whether what was typed for a channel can be used. Pure; the worker asks the same again before it sends."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from urllib.parse import SplitResult, urlsplit

from alerts.channels.hosts import UNKNOWN, Own, fault_of_host
from alerts.channels.kinds import FIXED_SERVER, OWN_SERVER, Field, Kind
from jobs.planning.findings import Findings

LONGEST = 1000
_WORD = re.compile(r"[!-~]+", re.ASCII)
_EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}", re.ASCII)
_PORTS = range(1, 65536)
# One reading of who and where: Apprise ends the account at the first “@”, and everybody else at the last.
_AUTHORITY = re.compile(r"([^@:\\]*(:[^@:\\]*)?@)?(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]+)?", re.ASCII)
TWO_READINGS = "Its address can be read in two ways. Write an “@” in a name or password as %40."
Judge = Callable[[Field, str, Own], str]


def check(
    kind: Kind, values: Mapping[str, str], findings: Findings, *, kept: Collection[str] = (),
    own: Own = UNKNOWN,
) -> None:  # fmt: skip
    """Adds a finding on `fields.<name>` for each value that cannot be used. `kept` are secrets that are
    sealed already; `own` is what belongs to this machine."""
    for name in values:
        if kind.field(name) is None:
            known = ", ".join(field.name for field in kind.fields)
            message = f"{kind.title} has no such field; it has {known}."
            findings.error("unknown-field", f"fields.{name}"[:200], message)
    for field in kind.fields:
        value = values.get(field.name, "")
        if not value:
            if field.required and not field.default and field.name not in kept:
                findings.error("required", f"fields.{field.name}", f"{field.title}: enter a value.")
        elif said := _fault(field, value, own):
            findings.error("bad-value", f"fields.{field.name}", said)
    _check_encryption(kind, values, kept, findings)


def hosts_of(kind: Kind, values: Mapping[str, str]) -> tuple[str, ...]:
    """The hosts of its own that a channel leads to, which have to be looked up before it is used."""
    found = []
    for field in kind.fields:
        value = values.get(field.name) or field.default
        if field.looks == "host":
            found.append(value)
        elif field.looks in {"address", "webhook", "apprise"}:
            split = _split(value)
            if split is not None and (field.looks != "apprise" or split.scheme in OWN_SERVER):
                found.append(split.hostname or "")
    return tuple(host for host in found if host)


def goes_to(kind: Kind, values: Mapping[str, str]) -> str:
    """Whom or what a channel leads to, in words that hold no secret."""
    if kind.field("to") is not None:
        return values.get("to", "")
    hosts = hosts_of(kind, values)
    if hosts:
        return hosts[0]
    split = _split(values.get("url", ""))
    return split.scheme if split is not None and split.scheme else kind.title


def _fault(field: Field, value: str, own: Own) -> str:
    if len(value) > LONGEST or not value.isprintable():
        return f"Use at most {LONGEST} printable characters, without line breaks."
    return _JUDGES[field.looks](field, value, own)


def _text(_field: Field, _value: str, _own: Own) -> str:
    return ""


def _word(_field: Field, value: str, _own: Own) -> str:
    return "" if _WORD.fullmatch(value) else "Use letters, digits and signs, without spaces."


def _host(_field: Field, value: str, own: Own) -> str:
    return fault_of_host(value, own)


def _port(_field: Field, value: str, _own: Own) -> str:
    fits = value.isascii() and value.isdecimal() and len(value) < 6 and int(value) in _PORTS
    return "" if fits else "Give a number from 1 to 65535."


def _email(_field: Field, value: str, _own: Own) -> str:
    return "" if _EMAIL.fullmatch(value) else "Give an address such as you@example.org."


def _emails(field: Field, value: str, own: Own) -> str:
    wrong = [one for one in addresses(value) if _email(field, one, own)]
    if wrong:
        return f"“{wrong[0][:60]}” is not an e-mail address such as you@example.org."
    return "" if addresses(value) else "Enter at least one recipient."


def _choice(field: Field, value: str, _own: Own) -> str:
    known = [option for option, _ in field.options]
    return "" if value in known else f"Use one of {', '.join(known)}."


def _address(field: Field, value: str, own: Own) -> str:
    split = _split(value)
    if split is None or split.scheme not in {"http", "https"} or not split.hostname:
        return f"Give an address that starts with https:// or http://, such as {field.example}."
    if split.username is not None or split.query or split.fragment or not _WORD.fullmatch(value):
        return "Give only the server's address, without an account, “?” or “#”."
    return fault_of_host(split.hostname, own)


def _webhook(field: Field, value: str, own: Own) -> str:
    split = _split(value)
    schemes = {"https"} if field.hosts else {"http", "https"}
    if split is None or split.scheme not in schemes or not split.hostname or not _WORD.fullmatch(value):
        return f"Give an address such as {field.example}"
    if field.hosts and (split.hostname not in field.hosts or split.port not in {None, 443}):
        return f"It must lead to {' or '.join(field.hosts)}."
    if field.hosts and (split.username is not None or not re.fullmatch(field.path, split.path, re.ASCII)):
        return f"Copy all of it; it looks like {field.example}"
    return fault_of_host(split.hostname, own)


def _apprise(_field: Field, value: str, own: Own) -> str:
    split = _split(value)
    if split is None or split.scheme not in OWN_SERVER | FIXED_SERVER or not _WORD.fullmatch(value):
        return f"It must start with one of {', '.join(sorted(OWN_SERVER | FIXED_SERVER))}, and “://”."
    if split.scheme not in OWN_SERVER:
        return ""
    return fault_of_host(split.hostname or "", own) if _AUTHORITY.fullmatch(split.netloc) else TWO_READINGS


_JUDGES: dict[str, Judge] = {
    "text": _text, "word": _word, "host": _host, "port": _port, "email": _email, "emails": _emails,
    "choice": _choice, "address": _address, "webhook": _webhook, "apprise": _apprise,
}  # fmt: skip


def addresses(text: str) -> tuple[str, ...]:
    """The addresses of a list with commas."""
    return tuple(one.strip() for one in text.split(",") if one.strip())


def _check_encryption(
    kind: Kind, values: Mapping[str, str], kept: Collection[str], findings: Findings
) -> None:
    if kind.name == "email":
        has_password = bool(values.get("password")) or "password" in kept
        if has_password and values.get("encryption") == "none":
            message = "A password is not sent unencrypted. Choose STARTTLS or TLS, or leave the password out."
            findings.error("not-encrypted", "fields.encryption", message)
        if has_password and not values.get("user"):
            findings.error("required", "fields.user", "Enter the user name for this password.")


def _split(value: str) -> SplitResult | None:
    """The parts of a URL; None for what has none, or a port that is no number."""
    try:
        split = urlsplit(value)
        _ = (split.port, split.hostname)
    except ValueError:
        return None
    return split
