"""smb.conf(5) as testparm and smbd read it: the parameters that the console writes, and those it allows."""

from __future__ import annotations

from host.lines import lines

_PARAMETERS = {
    "available", "bind interfaces only", "browseable", "case sensitive", "comment", "create mask",
    "directory mask", "disable netbios", "disable spoolss", "force create mode", "force directory mode",
    "guest account", "guest ok", "guest only", "hide dot files", "hide unreadable", "inherit acls",
    "inherit owner", "interfaces", "load printers", "logging", "map to guest", "netbios name",
    "preserve case", "printcap name", "printing", "read only", "restrict anonymous", "root preexec",
    "root preexec close", "server min protocol", "server signing", "server smb encrypt", "server string",
    "short preserve case", "smb ports", "strict sync", "sync always", "oplocks", "level2 oplocks",
    "kernel oplocks", "usershare max shares", "path", "valid users", "veto files", "delete veto files",
    "vfs objects", "workgroup", "write list", "write ok", "aio read size", "aio write size",
    "follow symlinks", "wide links", "store dos attributes", "map archive", "hosts allow", "hosts deny",
    "max connections", "strict allocate", "allocation roundup size", "dos filemode", "hide files",
    "read list", "force user", "force group",
}  # fmt: skip


_YES_OR_NO = {
    "available", "bind interfaces only", "browseable", "case sensitive", "disable netbios", "disable spoolss",
    "guest ok", "hide dot files", "hide unreadable", "inherit acls", "inherit owner", "load printers",
    "read only", "root preexec close", "wide links", "kernel oplocks", "oplocks", "strict sync",
}  # fmt: skip
_PROTOCOLS = {"SMB2_02", "SMB2_10", "SMB3_00", "SMB3_02", "SMB3_11", "SMB2", "SMB3"}


def sections(text: str) -> dict[str, dict[str, str]]:
    """Section → parameter → value."""
    found: dict[str, dict[str, str]] = {}
    current: dict[str, str] = {}
    for raw in lines(text):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("[") and line.endswith("]"):
            current = found.setdefault(line[1:-1], {})
        else:
            name, _, value = line.partition("=")
            current[" ".join(name.split()).lower()] = value.strip()
    return found


def share(text: str, name: str) -> dict[str, str] | None:
    """The parameters of a share that is available."""
    for section, values in sections(text).items():
        if section.casefold() == name.casefold() and section != "global":
            return values if values.get("available", "yes") == "yes" else None
    return None


def complaints(text: str) -> str:
    """What testparm writes to its stderr; empty where it knows each parameter."""
    said = "".join(
        _bad_value(name, value) for values in sections(text).values() for name, value in values.items()
    )
    unknown = [
        name
        for values in sections(text).values()
        for name in values
        if name not in _PARAMETERS and ":" not in name
    ]
    return said + "".join(
        f'Unknown parameter encountered: "{name}"\nIgnoring unknown parameter "{name}"\n' for name in unknown
    )


def _bad_value(name: str, value: str) -> str:
    """As testparm reports a value that a parameter does not take, and goes on with the default."""
    if name in _YES_OR_NO and value not in {"yes", "no", "true", "false", "auto"}:
        return f"set_variable_helper({value}): value is not boolean!\n"
    if name == "server min protocol" and value not in _PROTOCOLS:
        return f"WARNING: Ignoring invalid value '{value}' for parameter '{name}'\n"
    return ""
