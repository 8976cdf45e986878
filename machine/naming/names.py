"""What a machine may be called, and where its name stands."""

from __future__ import annotations

import re

LONGEST = 63  # RFC 1123, 2.1; RFC 1035, 2.3.4
LONGEST_NETBIOS = 15
OWN_ADDRESS = "127.0.1.1"  # where Debian has a machine's own name lead (Debian Reference, 5.1.1)
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")


def name_fault(name: str) -> str | None:
    """Why no machine can be called so; None when it can. RFC 1123, 2.1: one label."""
    if not name:
        return "Enter a name."
    if len(name) > LONGEST:
        return f"A name can have at most {LONGEST} characters; this one has {len(name)}."
    if "." in name:
        return "Enter the name without a domain: dots are not allowed."
    if not _LABEL.fullmatch(name):
        return "Use lower-case letters a to z, digits and hyphens, with no hyphen at either end."
    if name.isdigit():
        return "A name cannot consist of digits only. Add a letter."
    if name == "localhost":
        return "“localhost” is reserved. Choose another name."
    return None


def hosts_with(text: str, *, old: str, new: str) -> str:
    """/etc/hosts with the new name instead of the old one, where the machine's own names stand."""
    return "".join(_line(line, old, new) for line in text.splitlines(keepends=True))


def _line(line: str, old: str, new: str) -> str:
    entry, mark, note = line.partition("#")
    words = entry.split()
    if words[:1] != [OWN_ADDRESS] or old not in words[1:]:
        return line
    # The name with its domain (nas.lan) comes first on such a line, and is what `hostname --fqdn` answers.
    domain = f"{old}."
    names = dict.fromkeys(
        new if word == old else new + word[len(old) :] if word.startswith(domain) else word
        for word in words[1:]
    )
    return f"{words[0]}\t{' '.join(names)}" + (f" {mark}{note}" if mark else "\n")
