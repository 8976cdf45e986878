"""Our files of exports(5), nfs.conf(5) and avahi.service(5): which lines may be in them."""

from __future__ import annotations

import re

from host.contents import samba
from host.contents.clients import client_fault
from host.contents.places import place_fault
from host.contents.smb_names import share_name_fault
from host.inventory.shares import SharingFile

_COMMENT = re.compile(r"#[^\x00-\x1f\x7f\\]*")
_EXPORT = re.compile(r'"(?P<place>[^"\n]+)"(?P<clients>(?: [^ \n]+)*) ?')
_FLAVOUR = "(?:sys|krb5|krb5i|krb5p)"
_CLIENT = re.compile(
    r"(?P<host>[^()]+)\((?:ro|rw),sync,no_subtree_check,mountpoint,"
    rf"(?:root_squash|all_squash|no_root_squash),sec={_FLAVOUR}(?::{_FLAVOUR}){{0,3}}\)"
)
_VERSIONS = re.compile(r"\[nfsd\]|vers3=[yn]")
_AVAHI = re.compile(
    r'<\?xml version="1\.0" standalone="no"\?>'
    r"|<!-- [^<>\x00-\x1f\x7f]* -->"
    r'|<!DOCTYPE service-group SYSTEM "avahi-service\.dtd">'
    r"|</?service-group>"
    r'|  <name replace-wildcards="yes">%h</name>'
    r"|  </?service>"
    r"|    <type>_(?:https|smb|device-info|adisk|nfs)\._tcp</type>"
    r"|    <port>[0-9]{1,5}</port>"
    r"|    <txt-record>(?:model=MacSamba|sys=waMa=0,adVF=0x100|path=/"
    r"|dk[0-9]{1,4}=adVN=(?P<disk>(?:[^<>&\n]|&(?:amp|lt|gt);)+),adVF=0x82)</txt-record>"
)


def fault(file: SharingFile, text: str) -> str | None:
    """The first thing that may not be in the file; None where all of it may."""
    if file == "samba":
        return samba.fault(text)
    good = {"exports": _exports, "nfs": _nfs, "avahi": _avahi}[file]
    bad = next((line for line in text.split("\n") if line and not good(line)), None)
    return None if bad is None else f"The file of {file} may not hold the line “{bad[:80]}”."


def _exports(line: str) -> bool:
    if _COMMENT.fullmatch(line):
        return True
    found = _EXPORT.fullmatch(line)
    if found is None or place_fault(found["place"]):
        return False
    clients = [_CLIENT.fullmatch(one) for one in found["clients"].split()]
    return all(one is not None and client_fault(one["host"]) is None for one in clients)


def _nfs(line: str) -> bool:
    return bool(_COMMENT.fullmatch(line) or _VERSIONS.fullmatch(line))


def _avahi(line: str) -> bool:
    found = _AVAHI.fullmatch(line)
    return found is not None and (found["disk"] is None or share_name_fault(_text(found["disk"])) is None)


def _text(escaped: str) -> str:
    # What xml.sax.saxutils does too; it would load half of the network into a process of root.
    return escaped.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
