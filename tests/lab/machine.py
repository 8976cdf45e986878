"""A NAS in a virtual machine, with disks that can be pulled and a plug that can be drawn."""

import contextlib
import fcntl
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.lab import qemu, rescue
from tests.lab.builder import Image, ssh_key
from tests.lab.disks import Disk
from tests.lab.qmp import Qmp
from tests.lab.shell import Shell
from tests.lab.trees import LabError

BOOT_TIMEOUT_S = 600.0
# The emulator now and then breaks a kernel in its first seconds, as it patches its own code (text_poke).
_BROKEN = re.compile(
    r"^\[ +\d\.\d+\] Kernel panic - not syncing: "
    r"(Attempted to kill the idle task!|Fatal exception in interrupt)",
    re.MULTILINE,
)
_WHERE = re.compile(r"CPU#|RIP=")  # lines of `info registers`


class Machine:
    """One virtual NAS. Its root is an overlay of the image, so nothing it does outlives it.

    Without an image it starts from its own disks, by a BIOS or by UEFI: what `write_disk` put on one of them.

    Units that are `masked` do not start on a machine that has an image.

    Use it as a context manager: on the way out QEMU is killed and its files are deleted, whatever happened.
    The disks keep their contents through `shutdown`, `cut_power` and `boot`.
    """

    def __init__(
        self,
        image: Image | None,
        disks: Iterable[Disk] = (),
        *,
        memory_mib: int = 3072,
        cpus: int = 2,
        firmware: qemu.Firmware = "bios",
        masked: Sequence[str] = (),
    ) -> None:
        self._image = image
        self._masked = masked
        self.firmware = firmware
        self.disks: dict[str, Disk] = {}
        self._pulled: set[str] = set()
        self._scan_files: dict[str, str] = {}
        self._qemu: subprocess.Popen[bytes] | None = None
        self._qmp: Qmp | None = None
        self._broken = 0  # starts
        self._size = ("-m", str(memory_mib), "-smp", str(cpus))
        # Not /tmp: where that is memory, the disks of a pool under test would fill it.
        self.folder = Path(tempfile.mkdtemp(prefix="nasweb-lab-", dir="/var/tmp"))
        self.console = self.folder / "console.log"
        self.ssh_port, self.http_port, self.https_port = _free_ports(3)
        self.shell = Shell(self.ssh_port, self.folder)
        self.run, self.copy = self.shell.run, self.shell.copy
        self._in_use = contextlib.ExitStack()
        if image is not None:
            # As long as this is held, nobody's build prunes the image.
            fcntl.flock(self._in_use.enter_context(image.disk.open()), fcntl.LOCK_SH)
            qemu.make_overlay(image, self.folder / "root.qcow2")
        for disk in disks:
            self.add_disk(disk)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut_power()
        self._in_use.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def is_on(self) -> bool:
        """Whether QEMU runs."""
        return self._qemu is not None and self._qemu.poll() is None

    def boot(self) -> None:
        """Starts the machine; returns once systemd has started all units.

        Raises LabError with the console's end.
        """
        ports = {22: self.ssh_port, 80: self.http_port, 443: self.https_port}
        inserted = [disk for disk in self.disks.values() if disk.id not in self._pulled]
        # setpriv: QEMU must not outlive a test run that is killed.
        argv = ["setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64", *self._start(), *self._size]
        argv += [*qemu.chassis(self.folder, ports), *qemu.disk_arguments(inserted, self.folder)]
        with (self.folder / "qemu.log").open("ab") as log:
            # A session of its own: Ctrl-C is not meant for it.
            self._qemu = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        self._wait_for("QEMU", self._has_protocol, BOOT_TIMEOUT_S)
        self._wait_for_an_answer()
        self._wait_until_started()

    def reboot(self) -> None:
        """A real reboot of the guest; returns once another boot id answers and all units have started."""
        before = self.shell.boot_id()
        self.run("systemctl reboot", check=False)
        self.wait_for_another_start(before)

    def wait_for_another_start(self, before: str, *, timeout_s: float = BOOT_TIMEOUT_S) -> None:
        """Returns once the guest, whose boot id was `before`, has started by itself, with all its units."""
        self.shell.close()
        self._wait_for("the reboot", lambda: self._boot_id() not in ("", before), timeout_s)
        self._wait_until_started()

    def shutdown(self) -> None:
        """Turns the machine off in an orderly way. Raises subprocess.TimeoutExpired when it hangs."""
        self.run("systemctl poweroff", check=False)
        self.wait_until_off()

    def wait_until_off(self) -> None:
        """Returns once the guest has turned itself off. Raises subprocess.TimeoutExpired when it hangs."""
        if self._qemu:
            self._qemu.wait(BOOT_TIMEOUT_S)
        self.cut_power()

    def pause(self) -> None:
        """Stands still, as it is, until `resume`: in emulation an idle machine takes half a core."""
        if self._qmp:
            self._qmp.execute("stop")

    def resume(self) -> None:
        """Goes on after `pause`, with its clock set: that stood still too. Harmless on one that runs."""
        if self._qmp and not self._qmp.execute("query-status")["running"]:
            self._qmp.execute("cont")
            self.run(f"date -u -s @{time.time():.0f}")

    def cut_power(self) -> None:
        """Kills QEMU: what the guest had not flushed is lost. Harmless on a machine that is off."""
        if self._qemu:
            self._qemu.kill()
            self._qemu.wait()
        if self._qmp:
            self._qmp.close()
        self.shell.close()
        self._qemu = self._qmp = None

    def add_disk(self, disk: Disk) -> None:
        """Gives the machine one more disk, blank; while it runs, by hot plug (SAS and USB only)."""
        with self.disk_file(disk.id).open("xb") as file:
            os.truncate(file.fileno(), disk.size_bytes)
        self.disks[disk.id] = disk
        self._pulled.add(disk.id)
        self.insert_disk(disk.id)

    def write_disk(self, disk_id: str, image: Path) -> None:
        """Puts an image on a disk, as its owner does with a flash drive; the machine is off meanwhile."""
        target = self.disk_file(disk_id)
        size = target.stat().st_size
        subprocess.run(["cp", "--sparse=always", str(image), str(target)], check=True)
        os.truncate(target, size)

    def pull_disk(self, disk_id: str) -> None:
        """Pulls the disk from the running system, without a warning to it."""
        self._pulled.add(disk_id)
        if not self._qmp:
            return
        if self.disks[disk_id].kind == "sata":
            # QEMU's AHCI knows no hot plug, so the guest's kernel is told that the drive is gone.
            device = f"/sys/block/{self.kernel_name(disk_id)}/device"
            host = self.run(f"readlink -f {device} | grep -o 'host[0-9]*'").stdout.strip()
            self._scan_files[disk_id] = f"/sys/class/scsi_host/{host}/scan"
            self.run(f"echo 1 > {device}/delete")
            return
        self._qmp.execute("device_del", id=disk_id)
        self._qmp.wait_for_deletion(disk_id)
        self._qmp.execute("blockdev-del", **{"node-name": f"{disk_id}-data"})

    def slow_down(
        self, disk_id: str, *, requests_per_s: int | None = None, bytes_per_s: int | None = None
    ) -> None:
        """Lets a disk answer so many requests or bytes a second and no more; None: as many as it can."""
        rates = ("bps_rd", "bps_wr", "iops_rd", "iops_wr")
        limits = {"iops": requests_per_s or 0, "bps": bytes_per_s or 0} | dict.fromkeys(rates, 0)
        if self._qmp:
            self._qmp.execute("block_set_io_throttle", id=disk_id, **limits)

    def insert_disk(self, disk_id: str) -> None:
        """Puts a pulled disk back, with what was on it. Returns at once: the guest sees it a moment later."""
        disk = self.disks[disk_id]
        if self._qmp and disk.kind == "sata":
            if disk_id not in self._scan_files:
                raise LabError(
                    f"{disk_id} was not in when the machine was turned on; SATA knows no hot plug."
                )
            self.run(f"echo '- - -' > {self._scan_files.pop(disk_id)}")
        elif self._qmp:
            self._qmp.execute("blockdev-add", **qemu.block_device(disk, self.folder))
            self._qmp.execute("device_add", **disk.device())
        self._pulled.discard(disk_id)

    def return_disk(self, disk_id: str) -> None:
        """Puts a disk back in if it was pulled, and first takes out what came in its place."""
        if disk_id not in self._pulled:
            return
        kind, place = self.disks[disk_id].kind, self.disks[disk_id].place
        for other in self.disks.values():
            if (other.kind, other.place) == (kind, place) and other.id not in self._pulled:
                self.pull_disk(other.id)
        self.insert_disk(disk_id)

    def disk_file(self, disk_id: str) -> Path:
        """The raw file behind a disk: a test may damage it."""
        return self.folder / f"{disk_id}.disk"

    def kernel_name(self, disk_id: str) -> str:
        """The guest's name for the disk now, as in `sdb`. Raises LabError when the guest does not see it."""
        serial = self.disks[disk_id].serial
        for line in self.run("lsblk -dnro NAME,SERIAL").stdout.splitlines():
            if line.endswith(f" {serial}"):
                return line.split()[0]
        raise LabError(f"The guest does not see {disk_id}.")

    def wait_until(self, command: str, *, timeout_s: float = 60) -> None:
        """Returns once a shell line succeeds in the guest. Raises LabError after `timeout_s` seconds."""
        self._wait_for(f"`{command}`", lambda: self.run(command, check=False).exit == 0, timeout_s)

    def _start(self) -> list[str]:
        if self._image is not None:
            return qemu.root_disk(self._image, self.folder, self._masked)
        key = ssh_key().with_suffix(".pub").read_text()
        return qemu.own_firmware(self.firmware, self.folder, key)

    def _has_protocol(self) -> bool:
        with contextlib.suppress(FileNotFoundError, ConnectionRefusedError):
            self._qmp = Qmp(self.folder / "qmp")
        return self._qmp is not None

    def _boot_id(self) -> str:
        """The running system's boot id; empty when nobody answers. A start that is broken begins again."""
        said = self.console.read_text(errors="replace") if self.console.exists() else ""
        broken = len(_BROKEN.findall(said))
        if self._qmp and broken > self._broken:
            self._broken = broken
            self._qmp.execute("system_reset")
        return self.shell.boot_id()

    def _wait_for_an_answer(self) -> None:
        """The emulator now and then stops a guest for good, so that its own console is silent, too: such a
        one starts once more."""
        try:
            self._wait_for("an answer from the machine", self._boot_id, BOOT_TIMEOUT_S)
        except LabError:
            if not self._qmp or not self.is_on or self._image is None or rescue.answers(self.folder):
                raise
            self._qmp.execute("system_reset")
            self._wait_for("an answer after a second start", self._boot_id, BOOT_TIMEOUT_S)

    def _wait_until_started(self) -> None:
        # It may also say "degraded", which is for a test to judge.
        self.run("systemctl is-system-running --wait", check=False, timeout_s=BOOT_TIMEOUT_S)

    def _wait_for(self, what: str, condition: Callable[[], object], timeout_s: float) -> None:
        deadline = time.monotonic() + timeout_s
        while not condition():
            if not self.is_on or time.monotonic() > deadline:
                raise LabError(f"Waited in vain for {what}.\n{self.last_words()}")
            time.sleep(0.5)

    def last_words(self) -> str:
        """SSH, the rescue shell and the console: now and then the emulator stops a guest for good."""
        return (
            f"SSH said: {self.shell.unanswered}\n"
            f"QEMU's processors:\n{self._processors()}\n"
            f"The rescue shell said:\n{rescue.answers(self.folder) if self.is_on else ''}\n"
            f"The console's end:\n{self._console_end()}"
        )

    def _processors(self) -> str:
        """Where each one is, twice: whether it moves at all."""
        if not self._qmp or not self.is_on:
            return "The machine is off."
        ask = {"command-line": "info registers -a"}
        try:
            said = [self._qmp.execute("human-monitor-command", **ask) for _ in range(2)]
        except (OSError, LabError) as error:
            return f"QEMU itself does not answer: {error}"  # what it is asked for must not hide why
        return "\n".join(line for text in said for line in text.splitlines() if _WHERE.match(line))

    def _console_end(self) -> str:
        logs = [path for path in (self.folder / "qemu.log", self.console) if path.exists()]
        return "\n".join("".join(path.read_text(errors="replace") for path in logs).splitlines()[-30:])


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
