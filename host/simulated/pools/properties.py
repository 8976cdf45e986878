"""The properties of pools that can be set, as OpenZFS 2.3."""

from __future__ import annotations

from host.simulated.datasets.properties import BadProperty
from host.simulated.refusal import Refusal

_WORDS = {
    "autoexpand": "on | off",
    "autoreplace": "on | off",
    "autotrim": "on | off",
    "delegation": "on | off",
    "failmode": "wait | continue | panic",
    "listsnapshots": "on | off",
    "multihost": "on | off",
}
_TEXTS = {"comment", "cachefile", "compatibility", "bootfs", "altroot", "dedup_table_quota"}
_LONGEST_COMMENT = 32


def check_known(properties: dict[str, str]) -> int | None:
    """What the program itself checks first. Returns the ashift asked for."""
    for name in sorted(properties):
        if name not in _WORDS and name not in _TEXTS and name != "ashift":
            raise Refusal(f"property '{name}' is not a valid pool or vdev property\n")
    if "ashift" not in properties:
        return None
    text = properties["ashift"]
    if not text.isdecimal():
        raise Refusal(f"invalid 'ashift={text}' property: bad numeric value '{text}'.\n")
    if int(text) != 0 and not 9 <= int(text) <= 16:
        raise Refusal(f"invalid 'ashift={text}' property: only values between 9 and 16 are allowed.\n")
    return int(text) or None


def checked(name: str, value: str) -> str:
    """`value` as zpool shows it. Raises `BadProperty`."""
    if name in _WORDS and value not in _WORDS[name].split(" | "):
        raise BadProperty(f"'{name}' must be one of '{_WORDS[name]}'")
    if name == "comment" and len(value) > _LONGEST_COMMENT:
        raise BadProperty(f"comment must not exceed {_LONGEST_COMMENT} characters")
    return value
