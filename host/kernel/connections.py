"""How many connections clients of the shares have, by the kernel's table of TCP connections."""

from __future__ import annotations

from host.kernel.files import KernelFiles

_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
_ESTABLISHED = "01"  # include/net/tcp_states.h
_SERVICES = {"01BD": "smb", "0801": "nfs"}  # ports 445 and 2049


def read_connections(files: KernelFiles) -> dict[str, int]:
    """Established ones by service, `smb` and `nfs`; empty where the kernel does not say."""
    texts = [files.read(path) for path in _TABLES]
    if not any(texts):
        return {}
    found = dict.fromkeys(_SERVICES.values(), 0)
    for line in (line for text in texts for line in text.splitlines()[1:]):
        # Number, local address:port, remote one, state: Documentation/networking/proc_net_tcp.rst.
        words = line.split(None, 4)
        if len(words) > 3 and words[3] == _ESTABLISHED:
            service = _SERVICES.get(words[1].rpartition(":")[2])
            if service is not None:
                found[service] += 1
    return found
