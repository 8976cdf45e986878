"""The part of forms where somebody chooses a passphrase or a key for something new."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.views.decorators.debug import sensitive_variables

from frontend.typed_size import whole_typed
from jobs.plan import Finding
from jobs.planning.findings import fault

MODES = ("inherit", "passphrase", "key", "off")
FIELDS = {
    "passphrase": "passphrase", "passphrase_again": "passphrase_again", "key": "key",
    "pbkdf2iters": "pbkdf2iters", "encryption": "encryption",
}  # fmt: skip


class Chosen(NamedTuple):
    """Fields of a request, and what is wrong with what was typed."""

    fields: dict[str, Any]
    faults: tuple[Finding, ...]


@sensitive_variables()
def chosen(sent: Mapping[str, str]) -> Chosen:
    """What a form with `parts/key_fields.html` asks for."""
    mode = sent.get("lock", "inherit")
    if mode == "off":
        return Chosen({"encryption": "off"}, ())
    if mode == "key":
        return Chosen({"key": sent.get("key", "").strip()}, ())
    if mode != "passphrase":
        return Chosen({}, ())
    passphrase = sent.get("passphrase", "")
    faults: tuple[Finding, ...] = ()
    if passphrase != sent.get("passphrase_again", ""):
        faults = (fault("not-equal", "passphrase_again", "The passphrases differ. Enter them again."),)
    fields: dict[str, Any] = {"passphrase": passphrase}
    if iterations := sent.get("pbkdf2iters", "").strip():
        fields["pbkdf2iters"] = whole_typed(iterations)
    return Chosen(fields, faults)


def mode_of(data: Mapping[str, Any]) -> str:
    """The choice that a request came from. What was typed is not shown again: it has to be typed again."""
    if data.get("passphrase") is not None:
        return "passphrase"
    if data.get("key") is not None:
        return "key"
    return "off" if data.get("encryption") == "off" else "inherit"
