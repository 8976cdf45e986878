"""The form of a share of SMB: what stands in it, and the requests that it makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.http import QueryDict

from frontend.datasets.quotas_view import typed
from frontend.shares import who_form
from frontend.shares.who_form import WhoForm
from frontend.typed_size import NO_NUMBER, SAY_A_NUMBER, UNITS, bytes_typed
from host.contents.smb_parameters import ALLOWED
from host.inventory import SmbShare
from jobs.plan import Finding
from jobs.planning.findings import fault


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a share does or does not."""

    name: str
    title: str
    hint: str


class ExtraField(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter of Samba's; `options` where it is yes or no."""

    field: str
    name: str
    value: str
    sample: str
    why: str
    options: tuple[str, ...]


SWITCHES = (
    Choice(
        name="previous_versions",
        title="Previous versions",
        hint="Windows shows the snapshots of policies as previous versions of files and folders.",
    ),
    Choice(
        name="recycle_bin",
        title="Recycle bin",
        hint="Deleted files go to the folder .recycle, separately for each person, until it is emptied.",
    ),
    Choice(
        name="audit",
        title="Log deletions",
        hint="Logs who deleted or renamed what, and from where, to the system journal.",
    ),
    Choice(
        name="macos",
        title="macOS support",
        hint="Keeps what macOS stores beside files: tags, colours, resource forks.",
    ),
    Choice(
        name="case_sensitive",
        title="Case-sensitive names",
        hint="Quicker in folders with very many files; some Windows programs then do not find their files.",
    ),
    Choice(
        name="hidden",
        title="Hidden",
        hint="Not listed when browsing the NAS. Anyone who knows its name can still open it.",
    ),
)
ENCRYPTION = (
    ("offered", "if the client supports it"),
    ("required", "required: others are refused"),
    ("off", "off: fastest, readable on the network"),
)
GUESTS = (
    ("no", "none: everybody signs in"),
    ("read", "read, without a name or password"),
    ("write", "read and write, without a name or password"),
)
FIELDS = {
    name: name
    for name in ("name", "dataset", "purpose", "comment", "enabled", "guests", "encryption",
                 *(one.name for one in SWITCHES))
} | who_form.FIELDS | {"most_bytes": "size"} | {
    f"extra.{name}": f"extra-{name.replace(' ', '-')}" for name in ALLOWED
}  # fmt: skip
_TEXTS = ("name", "dataset", "purpose", "comment", "guests", "encryption", "size", "unit")
_WORDS = {True: "yes", False: "no", None: ""}
_MEANT = {"yes": True, "no": False}


class ShareForm(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the fields. A switch is yes, no, or empty: as the purpose has it."""

    name: str = ""
    dataset: str = ""
    purpose: str = "general"
    comment: str = ""
    guests: str = ""
    encryption: str = ""
    size: str = ""
    unit: str = "G"
    enabled: str = "yes"
    switches: dict[str, str] = {}
    extra: dict[str, str] = {}
    who: WhoForm = WhoForm(levels={who_form.ALL: ""})


def of_share(share: SmbShare) -> ShareForm:
    """The fields of a share."""
    size, unit = typed(share.most_bytes or 0)
    return ShareForm(
        name=share.name, dataset=share.dataset, purpose=share.purpose, comment=share.comment,
        guests=share.guests, encryption=share.encryption, size=size, unit=unit,
        enabled=_WORDS[share.enabled],
        switches={one.name: _WORDS[getattr(share, one.name)] for one in SWITCHES},
        extra=dict(share.extra), who=who_form.of_lists(share.read, share.write),
    )  # fmt: skip


def of_post(post: QueryDict, *, boxes: bool) -> ShareForm:
    """What was sent. With `boxes` a switch is a box to tick, which sends nothing when it is not."""
    names = ("enabled", *(one.name for one in SWITCHES))
    sent = {name: post.get(name, "no" if boxes else "") for name in names}
    extra = {name: post.get(_slug(name), "").strip()[:1500] for name in ALLOWED}
    return ShareForm(
        **{name: post.get(name, "").strip()[:1024] for name in _TEXTS},
        enabled=sent.pop("enabled") or "yes",
        switches=sent,
        extra={name: value for name, value in extra.items() if value},
        who=who_form.of_post(post),
    )


def of_request(data: Mapping[str, Any]) -> ShareForm:
    """The form that a request for a new share came from."""
    size, unit = typed(data["most_bytes"] if isinstance(data.get("most_bytes"), int) else 0)
    texts = {name: str(data.get(name) or "") for name in _TEXTS if name not in {"size", "unit"}}
    extra = data.get("extra")
    return ShareForm(
        **texts,
        size=size,
        unit=unit,
        enabled=_WORDS[data.get("enabled") is not False],
        switches={one.name: _word(data.get(one.name)) for one in SWITCHES},
        extra={str(name): str(value) for name, value in extra.items()} if isinstance(extra, dict) else {},
        who=who_form.of_lists(_names(data.get("read")), _names(data.get("write"))),
    )


def to_request(form: ShareForm) -> dict[str, Any]:
    """The data of `smb.create`. What the purpose decides is left out."""
    read, write = who_form.lists(form.who, form.purpose)
    data: dict[str, Any] = {
        "name": form.name, "dataset": form.dataset, "purpose": form.purpose, "read": read, "write": write,
    }  # fmt: skip
    data |= {name: getattr(form, name) for name in ("comment", "guests", "encryption") if getattr(form, name)}
    data |= {name: _MEANT[value] for name, value in form.switches.items() if value in _MEANT}
    if form.enabled == "no":
        data["enabled"] = False
    if form.extra:
        data["extra"] = form.extra
    return data | size_of(form)


def changes(form: ShareForm, share: SmbShare) -> dict[str, Any]:
    """What `smb.change` is asked to change: only what differs."""
    before = of_share(share)
    texts = ("name", "purpose", "comment", "guests", "encryption")
    data: dict[str, Any] = {
        name: getattr(form, name) for name in texts if getattr(form, name) != getattr(before, name)
    }
    switches = before.switches | {"enabled": before.enabled}
    wanted = form.switches | {"enabled": form.enabled}
    data |= {name: wanted[name] == "yes" for name in switches if wanted[name] != switches[name]}
    if form.extra != share.extra:
        data["extra"] = form.extra
    size = size_of(form).get("most_bytes")
    if size != share.most_bytes:
        data["most_bytes"] = size or 0
    return data | who_form.changed_lists(form.who, share.read, share.write)


def size_of(form: ShareForm) -> dict[str, int]:
    """The size that a Time Machine may fill; nothing for other purposes, or where none was typed."""
    size = bytes_typed(form.size, form.unit) if form.purpose == "time-machine" else None
    return {} if size is None or size == NO_NUMBER else {"most_bytes": size}


def faults(form: ShareForm) -> tuple[Finding, ...]:
    """What was typed and is no value."""
    if form.purpose == "time-machine" and bytes_typed(form.size, form.unit) == NO_NUMBER:
        return (fault("bad-value", "most_bytes", SAY_A_NUMBER),)
    return ()


def extra_fields(form: ShareForm) -> tuple[ExtraField, ...]:
    """The parameters that can be added, with what they are for."""
    return tuple(
        ExtraField(
            field=_slug(name), name=name, value=form.extra.get(name, ""), sample=one.looks, why=one.why,
            options=("yes", "no") if one.looks == "yes or no" else (),
        )
        for name, one in ALLOWED.items()
    )  # fmt: skip


def form_context(form: ShareForm) -> dict[str, Any]:
    """What the fields' template needs besides what can be chosen on this machine."""
    return {
        "form": form,
        "switches": [(one, form.switches.get(one.name, "")) for one in SWITCHES],
        "encryption": ENCRYPTION,
        "guests": GUESTS,
        "extra": extra_fields(form),
        "units": tuple(UNITS)[1:],
    }


def _slug(name: str) -> str:
    return f"extra-{name.replace(' ', '-')}"


def _word(value: Any) -> str:
    return _WORDS[value] if isinstance(value, bool) else ""


def _names(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()
