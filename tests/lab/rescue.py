"""What a machine that SSH does not reach says of itself: root's shell at its second serial port."""

import contextlib
import socket
import time
from pathlib import Path

# systemd-debug-generator(8): a shell without a login, from early in the start until the end.
KERNEL_ARGUMENT = "systemd.debug_shell=ttyS1"
QUESTIONS = (
    "uptime",
    "ip -brief address",
    "systemctl --failed --no-legend --no-pager",
    "systemctl list-jobs --no-pager",
    "ss -lnt",
    "journalctl -b -u 'ssh*' -n 40 --no-pager",
)
_END = "end of answers"


def serial_port(folder: Path) -> list[str]:
    """QEMU's arguments for the port; it comes after the console's."""
    return [
        "-chardev",
        f"socket,id=rescue,path={folder}/rescue,server=on,wait=off",
        "-serial",
        "chardev:rescue",
    ]


def answers(folder: Path, *, timeout_s: float = 120) -> str:
    """What the shell said to QUESTIONS in that time; empty where there is no shell."""
    # Quoted in two parts: the shell echoes what is typed.
    typed = "; ".join(QUESTIONS) + f"; echo '{_END[:4]}''{_END[4:]}'\n"
    heard, deadline = b"", time.monotonic() + timeout_s
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as port:
        port.settimeout(timeout_s)
        port.connect(str(folder / "rescue"))
        port.sendall(typed.encode())
        while _END.encode() not in heard and time.monotonic() < deadline:
            part = port.recv(4096)
            if not part:
                break
            heard += part
    return heard.decode(errors="replace")
