"""The file that rsyslog forwards the journal by: rendered from checked values alone, and read back.

Messages wait in memory for a server that is away, and nothing is written to the machine's own disk but where
in the journal the last one was. See https://www.rsyslog.com/doc/ for imjournal, omfwd and their queues.
"""

from __future__ import annotations

import ipaddress
import re

from host.inventory.network import LogForwarding, LogProtocol, LogTarget

FILE, AUTHORITY = "/etc/nasweb/log-target.conf", "/etc/nasweb/log-target.pem"
SYSTEMS_OWN = "/etc/ssl/certs/ca-certificates.crt"
STATE = "/var/lib/nasweb-log-forward"  # as the unit has it
_LABEL = r"[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?"
_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_FIRST = re.compile(
    r"# Written by Nasweb: (tcp|udp|tls) ([a-z0-9.:\-]{1,253}) ([1-9][0-9]{0,4}) (own|system)\n"
)


def host_fault(host: str) -> str | None:
    """Why the journal cannot be sent to a host of that name or address; None when it can."""
    if not host:
        return "Enter the name or address of the log server."
    address = address_of(host)
    if address is not None:
        if "%" in host or str(address) != host:
            return f"Write the address as {ipaddress.ip_address(address.packed)}."
        inner = getattr(address, "ipv4_mapped", None) or address
        if inner.is_loopback or inner.is_unspecified or inner.is_multicast or inner.is_link_local:
            return "This address leads to no other machine. Enter that of the log server."
        return None
    if len(host) > 253 or not _NAME.fullmatch(host) or host.rpartition(".")[2].isdigit():
        return "Use a host name in lower case, such as logs.example.org, or an IP address."
    if host == "localhost" or host.endswith(".localhost"):
        return "This name leads to no other machine. Enter that of the log server."
    return None


def address_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that `host` is; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def target_fault(protocol: LogProtocol, host: str) -> str | None:
    """As `host_fault`; TLS holds the certificate to a name, so it needs one."""
    if fault := host_fault(host):
        return fault
    if protocol == "tls" and address_of(host) is not None:
        return "TLS needs the host name that is in the server's certificate, not an address."
    return None


def render(protocol: LogProtocol, host: str, port: int, *, own_authority: bool) -> str:
    """The whole file; its first line is what `read` reads."""
    trusted = AUTHORITY if own_authority else SYSTEMS_OWN
    of_tls = f' defaultNetstreamDriverCAFile="{trusted}"' if protocol == "tls" else ""
    how = {
        "udp": 'protocol="udp"',
        "tcp": 'protocol="tcp" tcp_framing="octet-counted" keepAlive="on"',
        "tls": 'protocol="tcp" tcp_framing="octet-counted" keepAlive="on"\n  streamDriver="ossl" '
        'streamDriverMode="1" streamDriverAuthMode="x509/name" '
        f'streamDriverPermittedPeers="{host}"',
    }[protocol]
    return (
        f"# Written by Nasweb: {protocol} {host} {port} {'own' if own_authority else 'system'}\n"
        f'global(maxMessageSize="8k"{of_tls})\n'
        # No workDirectory: rsyslog refuses a file that names one before the unit has made it.
        f'module(load="imjournal" stateFile="{STATE}/imjournal.state" persistStateInterval="1000")\n'
        f'action(type="omfwd" target="{host}" port="{port}" {how}\n'
        '  template="RSYSLOG_SyslogProtocol23Format"\n'
        '  queue.type="LinkedList" queue.size="10000" queue.timeoutEnqueue="0" queue.saveOnShutdown="off"\n'
        '  action.resumeRetryCount="-1" action.resumeInterval="10" action.resumeIntervalMax="60")\n'
    )


def read(text: str | None, authority: str, *, active: bool) -> LogForwarding:
    """What the file says, None where there is none; whatever was not written here is `altered`."""
    if text is None:
        return LogForwarding(active=active)
    found = _FIRST.match(text)
    if found is None:
        return LogForwarding(altered=True, active=active)
    protocol, host, port, trusted = found.groups()
    own = trusted == "own"
    known: LogProtocol = "tls" if protocol == "tls" else "udp" if protocol == "udp" else "tcp"
    target = LogTarget(protocol=known, host=host, port=int(port), authority=authority if own else "")
    same = text == render(known, host, int(port), own_authority=own) and target_fault(known, host) is None
    return LogForwarding(target=target if same else None, altered=not same, active=active)
