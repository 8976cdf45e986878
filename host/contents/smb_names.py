r"""What may be written into smb.conf(5). Whatever Samba would read otherwise than it is written is refused:
% begins a macro, a \ at the end of a line joins the next one, quotes are taken off, [ ] make a section.
"""

from __future__ import annotations

import re

LONGEST_NAME, LONGEST_COMMENT = 80, 200
# Of a share: what Windows refuses ( \ / : * ? " < > | + = ; , ) and what smb.conf reads otherwise.
_NAME = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069%\[\]\"/\\:*?<>|+=;,&'`#$@]+")
_COMMENT = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069%\"\\]*")
_NETBIOS = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,13}[A-Za-z0-9])?")
_INTERFACE = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9_.@-]{0,14}|[0-9.]{7,15}(?:/[0-9]{1,2})?|[0-9a-fA-F:]{2,39}(?:/[0-9]{1,3})?"
)
_RESERVED = {"global", "homes", "printers", "print$", "ipc$", "admin$", "netlogon", "sysvol", "profiles"}


def share_name_fault(name: str) -> str | None:
    """Why no share can be called so; None when it can."""
    if not name or len(name) > LONGEST_NAME:
        return f"Give it a name of 1 to {LONGEST_NAME} characters."
    if name != name.strip() or "  " in name or name.startswith(".") or name.endswith("."):
        return "A name has no spaces at its ends or side by side, and no dot at its ends."
    if not _NAME.fullmatch(name):
        return "A name has none of these: % [ ] \" ' ` / \\ : * ? < > | + = ; , & # $ @, and no line breaks."
    if name.casefold() in _RESERVED:
        return f"“{name}” has a meaning of its own in Samba. Choose another name."
    return None


def comment_fault(comment: str) -> str | None:
    """Why that cannot be said of a share; None when it can."""
    if len(comment) > LONGEST_COMMENT:
        return f"A comment has at most {LONGEST_COMMENT} characters."
    if comment != comment.strip() or "  " in comment:
        return "A comment has no spaces at its ends or side by side."
    if not _COMMENT.fullmatch(comment) or comment[:1] in {"#", ";"}:
        return 'A comment is one line without %, " and \\, and does not begin with # or ;.'
    return None


def netbios_fault(name: str) -> str | None:
    """Why no machine or workgroup can be called so; None when it can."""
    if _NETBIOS.fullmatch(name):
        return None
    return "Use 1 to 15 letters, digits and hyphens, with no hyphen at an end."


def interface_fault(name: str) -> str | None:
    """Why that is no interface or address; None when it can be one."""
    return None if _INTERFACE.fullmatch(name) else "Give the name of an interface, an address or a network."
