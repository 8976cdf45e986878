"""How this machine reaches another one over SSH: the files of one connection, held to a closed grammar.

Each connection has a folder of root's with its own key, its own list of known hosts and its own
ssh_config(5), so that nothing of /etc/ssh or of anybody's home takes part. A value that came from elsewhere
is a host, a port, an account or a public key, each of which is a pattern without blanks, quotes and line
feeds that begins with a letter or digit: no value can be read as an option, another keyword or a command.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import Annotated, Literal

from msgspec import Meta

from host.connections import folder
from host.contents.logs import address_of

KINDS = ("ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa")
_NAME = r"[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?)*"
_BASE64 = r"AAAA[A-Za-z0-9+/]{20,1400}={0,2}"
_PUBLIC_KEY = rf"(?:{'|'.join(KINDS)}) {_BASE64}"

ConnectionId = Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
ConnectionKind = Literal["nasweb", "ssh"]  # what listens at the other side: our own program, or a shell
SshHost = Annotated[str, Meta(pattern=rf"\A(?:{_NAME}|[0-9a-f:.]+)\Z", max_length=253)]
SshPort = Annotated[int, Meta(ge=1, le=65535)]
SshUser = Annotated[str, Meta(pattern=r"\A[a-z_][a-z0-9_\-]{0,31}\Z")]
# One line of a host's or a user's key, without a comment.
PublicKey = Annotated[str, Meta(pattern=rf"\A{_PUBLIC_KEY}\Z", max_length=1500)]
HostKeys = Annotated[tuple[PublicKey, ...], Meta(min_length=1, max_length=6)]

_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")  # an address, to the resolver
_KEY = re.compile(_PUBLIC_KEY)
_SCANNED = re.compile(rf"\S+ ({_PUBLIC_KEY})")


def host_fault(host: str) -> str | None:
    """Why there can be no SSH server of that name or address for this machine; None where there can be."""
    address = address_of(host)
    if address is not None:
        if "%" in host or str(address) != host:
            return "Write the address in its usual form, without a zone."
        inner = getattr(address, "ipv4_mapped", None) or address
        if inner.is_loopback or inner.is_unspecified:
            return "This address leads to this machine itself. Enter that of the other machine."
        if inner.is_link_local:
            return "A link-local address means another machine on each network port. Use another address."
        if inner.is_multicast or (inner.is_reserved and inner.version == 4):
            return "This is not the address of one machine."
        return None
    if len(host) > 253 or not re.fullmatch(_NAME, host) or _NUMBER.fullmatch(host.rpartition(".")[2]):
        return "Use a host name in lower case, such as nas.home.arpa, or an IP address."
    if host.rpartition(".")[2] in {"localhost", "localdomain"} or host.startswith("ip6-localhost"):
        return "This name leads to this machine itself. Enter that of the other machine."
    return None


def key_fault(key: str) -> str | None:
    """Why a line is no public key; None where it is one: what it says of its kind is what its bytes say."""
    if not _KEY.fullmatch(key):
        return "This is no public key of SSH that is used here (Ed25519, ECDSA or RSA)."
    kind, text = key.split(" ")
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error:
        return "This public key is cut off."
    fields = _fields(data)
    if not fields:
        return "This public key is cut off."
    return None if fields[0] == kind.encode() else "This public key says that it is of another kind."


def _fields(data: bytes) -> list[bytes]:
    """The fields of a key (RFC 4253, 6.6), each behind its length; none where they end beyond the data."""
    found, at = [], 0
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4])
        found.append(data[at + 4 : end])
        at = end
    return found if at == len(data) and len(found) > 1 else []


def fingerprint(key: str) -> str:
    """`SHA256:…`, as ssh-keygen prints it."""
    digest = hashlib.sha256(base64.b64decode(key.split(" ")[1])).digest()
    return f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}"


def public_part(text: str) -> str | None:
    """The key in a file that ssh-keygen wrote, without its comment; None for anything else."""
    key = " ".join(text.strip().split(" ")[:2])
    return key if key_fault(key) is None else None


def scanned_keys(text: str) -> tuple[str, ...]:
    """The keys that ssh-keyscan printed, in the order of `KINDS`. What is no key is left out."""
    found = (one.group(1) for line in text.splitlines() if (one := _SCANNED.fullmatch(line)))
    sound = {key for key in found if key_fault(key) is None}
    return tuple(sorted(sound, key=lambda key: (KINDS.index(key.split(" ")[0]), key)))


def scan(host: str, port: int) -> tuple[str, ...]:
    """How the keys that a server shows are asked for."""
    return ("ssh-keyscan", "-T", "10", "-p", str(port), "-t", "ed25519,ecdsa,rsa", "--", host)


def known_hosts(connection: str, keys: tuple[str, ...]) -> str:
    """The whole file. The host is known by the connection, whatever its name or address becomes."""
    return "".join(f"{connection} {key}\n" for key in keys)


def render(connection: str, host: str, port: int, user: str) -> str:
    """The whole ssh_config(5) of a connection.

    ControlPath is none: a program that shares one connection among many commands names a socket of its own
    unit (`host.commands.replication.over`). AES-GCM first, which processors speed up.
    """
    place = folder(connection)
    return (
        "# Written by Nasweb\n"
        f"Host {connection}\n"
        f"  HostName {host}\n"
        f"  Port {port}\n"
        f"  User {user}\n"
        f"  HostKeyAlias {connection}\n"
        f"  IdentityFile {place}/id_ed25519\n"
        "  IdentitiesOnly yes\n"
        "  IdentityAgent none\n"
        f"  UserKnownHostsFile {place}/known_hosts\n"
        "  GlobalKnownHostsFile /dev/null\n"
        "  StrictHostKeyChecking yes\n"
        "  UpdateHostKeys no\n"
        "  VerifyHostKeyDNS no\n"
        "  CheckHostIP no\n"
        "  BatchMode yes\n"
        "  PreferredAuthentications publickey\n"
        "  ClearAllForwardings yes\n"
        "  ForwardAgent no\n"
        "  ForwardX11 no\n"
        "  Tunnel no\n"
        "  PermitLocalCommand no\n"
        "  ProxyCommand none\n"
        "  RequestTTY no\n"
        "  EscapeChar none\n"
        "  Compression no\n"
        "  Ciphers ^aes128-gcm@openssh.com,aes256-gcm@openssh.com\n"
        "  ConnectTimeout 15\n"
        "  ServerAliveInterval 15\n"
        "  ServerAliveCountMax 4\n"
        "  ControlMaster auto\n"
        "  ControlPath none\n"
        "  ControlPersist 60\n"
        "  LogLevel ERROR\n"
    )
