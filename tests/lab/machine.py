"""A NAS in a virtual machine: booted from an image, with disks that can be pulled and a plug that can be drawn."""

import contextlib
import os
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.lab import qemu
from tests.lab.builder import Image, LabError, ssh_key
from tests.lab.disks import Disk
from tests.lab.qmp import Qmp

BOOT_TIMEOUT_S = 600.0
PULL_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Result:
    """What a command in the guest said."""

    stdout: str
    stderr: str
    exit: int


class CommandFailed(LabError):
    """A command in the guest ended with another exit code than 0."""

    def __init__(self, command: str, result: Result) -> None:
        super().__init__(f"`{command}` ended with {result.exit} in the guest:\n{result.stderr}{result.stdout}")
        self.result = result


class Machine:
    """One virtual NAS. Its root is an overlay of the image, so nothing it does outlives it.

    Use it as a context manager: on the way out QEMU is killed and its files are deleted, whatever happened.
    The disks keep their contents through `shutdown`, `cut_power` and `boot`.
    """

    def __init__(self, image: Image, disks: Iterable[Disk] = (), *, memory_mib: int = 3072, cpus: int = 2) -> None:
        self._image = image
        self._disks: dict[str, Disk] = {}
        self._pulled: set[str] = set()
        self._scsi_hosts: dict[str, str] = {}
        self._qemu: subprocess.Popen[bytes] | None = None
        self._qmp: Qmp | None = None
        self._size = ("-m", str(memory_mib), "-smp", str(cpus))
        # Not /tmp: where that is memory, the disks of a pool under test would fill it.
        self.folder = Path(tempfile.mkdtemp(prefix="nasweb-lab-", dir="/var/tmp"))
        self.console = self.folder / "console.log"
        self.ssh_port, self.http_port, self.https_port = _free_ports(3)
        qemu.make_overlay(image, self.folder / "root.qcow2")
        for disk in disks:
            self.add_disk(disk)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut_power()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def is_on(self) -> bool:
        """Whether QEMU runs."""
        return self._qemu is not None and self._qemu.poll() is None

    def boot(self) -> None:
        """Starts the machine and returns once systemd has started everything. Raises LabError with the console's end."""
        ports = {22: self.ssh_port, 80: self.http_port, 443: self.https_port}
        inserted = [disk for disk in self._disks.values() if disk.id not in self._pulled]
        argv = [*qemu.argv(self._image, self.folder, ports), *self._size, *qemu.disk_arguments(inserted, self.folder)]
        with (self.folder / "qemu.log").open("ab") as log:
            # setpriv: QEMU must not outlive a test run that is killed. A session of its own: Ctrl-C is not for it.
            self._qemu = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *argv], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        self._wait_for("an answer from the machine", self._boot_id, timeout_s=BOOT_TIMEOUT_S)
        self._qmp = Qmp(self.folder / "qmp")
        self._wait_until_started()

    def reboot(self) -> None:
        """A real reboot of the guest; returns once another boot id answers and systemd has started everything."""
        before = self._boot_id()
        self.run("systemctl reboot", check=False)
        self._close_ssh()
        self._wait_for("the reboot", lambda: self._boot_id() not in ("", before), timeout_s=BOOT_TIMEOUT_S)
        self._wait_until_started()

    def shutdown(self) -> None:
        """Turns the machine off in an orderly way."""
        self.run("systemctl poweroff", check=False)
        self._close_ssh()
        self._wait_for("the machine to turn off", lambda: not self.is_on, timeout_s=BOOT_TIMEOUT_S)
        self.cut_power()

    def cut_power(self) -> None:
        """Kills QEMU: what the guest had not flushed is lost. Harmless on a machine that is off."""
        self._close_ssh()
        if self._qmp:
            self._qmp.close()
        if self._qemu:
            self._qemu.kill()
            self._qemu.wait()
        self._qemu = self._qmp = None

    def run(
        self,
        command: str | Sequence[str],
        *,
        input: str | bytes | None = None,
        timeout_s: float = 120,
        check: bool = True,
    ) -> Result:
        """Runs a command as root in the guest: a shell line, or a list that no shell interprets.

        Raises CommandFailed when `check` is set, LabError when the machine does not answer in time.
        """
        line = command if isinstance(command, str) else shlex.join(command)
        data = input.encode() if isinstance(input, str) else input
        try:
            done = subprocess.run(
                [*self._ssh("ssh", "-p"), "root@127.0.0.1", f"export LC_ALL=C.UTF-8; {line}"],
                input=data, stdin=subprocess.DEVNULL if data is None else None,
                capture_output=True, check=False, timeout=timeout_s,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise LabError(f"`{line}` took more than {timeout_s} s in the guest.") from error
        result = Result(done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), done.returncode)
        if check and result.exit:
            raise CommandFailed(line, result)
        return result

    def copy(self, source: Path, target: str) -> None:
        """Copies a file or a folder into the guest."""
        argv = [*self._ssh("scp", "-P"), "-q", "-r", str(source), f"root@127.0.0.1:{target}"]
        done = subprocess.run(argv, capture_output=True, check=False)
        if done.returncode:
            raise LabError(f"Cannot copy {source} into the guest: {done.stderr.decode()}")

    @property
    def ssh_command(self) -> str:
        """What a person types to get a shell on the machine."""
        key = shlex.quote(str(ssh_key()))
        options = "-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
        return f"ssh -i {key} {options} -p {self.ssh_port} root@127.0.0.1"

    def add_disk(self, disk: Disk) -> None:
        """Gives the machine one more disk, blank; while it runs, by hot plug (SAS and USB only)."""
        with (self.folder / disk.id).open("xb") as file:
            os.truncate(file.fileno(), disk.size_bytes)
        self._disks[disk.id] = disk
        if self.is_on:
            self._pulled.add(disk.id)
            self.insert_disk(disk.id)

    def pull_disk(self, disk_id: str) -> None:
        """Takes the disk away from the running system, without a warning to it."""
        disk = self._disks[disk_id]
        self._pulled.add(disk_id)
        if disk.kind == "sata":
            # QEMU's AHCI knows no hot plug, so the guest's kernel is told that the drive is gone.
            name = self.kernel_name(disk_id)
            host = self.run(f"readlink -f /sys/block/{name}/device").stdout.partition("/host")[2].partition("/")[0]
            self._scsi_hosts[disk_id] = host
            self.run(f"echo 1 > /sys/block/{name}/device/delete")
            return
        qmp = self._running_qmp()
        qmp.execute("device_del", id=disk.id)
        qmp.wait_for_deletion(disk.id)
        qmp.execute("blockdev-del", **{"node-name": f"{disk.id}-data"})

    def insert_disk(self, disk_id: str) -> None:
        """Puts a pulled disk back, with what was on it. Returns at once; the guest takes a moment to see it."""
        disk = self._disks[disk_id]
        if disk.kind == "sata":
            self.run(f"echo '- - -' > /sys/class/scsi_host/host{self._scsi_hosts.pop(disk_id)}/scan")
        else:
            qmp = self._running_qmp()
            qmp.execute("blockdev-add", **qemu.block_device(disk, self.folder))
            qmp.execute("device_add", **disk.device())
        self._pulled.discard(disk_id)

    def disk_file(self, disk_id: str) -> Path:
        """The raw file behind a disk: a test may damage it."""
        return self.folder / disk_id

    def kernel_name(self, disk_id: str) -> str:
        """The guest's name for the disk now, as in `sdb`. Raises LabError when the guest does not see it."""
        serial = self._disks[disk_id].serial
        listing = self.run("lsblk -dnro NAME,SERIAL").stdout
        for line in listing.splitlines():
            if line.endswith(f" {serial}"):
                return line.split()[0]
        raise LabError(f"The guest does not see {disk_id}:\n{listing}")

    def wait_until(self, command: str, *, timeout_s: float = 60) -> None:
        """Returns once a shell line succeeds in the guest. Raises LabError after `timeout_s` seconds."""
        self._wait_for(f"`{command}`", lambda: self.run(command, check=False).exit == 0, timeout_s=timeout_s)

    def _running_qmp(self) -> Qmp:
        if not self._qmp:
            raise LabError("The machine is off.")
        return self._qmp

    def _wait_until_started(self) -> None:
        # It also says "degraded", which is for a test to judge.
        self.run("systemctl is-system-running --wait", check=False, timeout_s=BOOT_TIMEOUT_S)

    def _boot_id(self) -> str:
        try:
            return self.run("cat /proc/sys/kernel/random/boot_id", timeout_s=15).stdout.strip()
        except LabError:
            # A connection to the system before the reboot would hang for long.
            self._close_ssh()
            return ""

    def _wait_for(self, what: str, condition: Callable[[], object], *, timeout_s: float) -> None:
        deadline = time.monotonic() + timeout_s
        while not condition():
            if not self.is_on or time.monotonic() > deadline:
                raise LabError(f"Waited in vain for {what}. The console's end:\n{self._console_end()}")
            time.sleep(0.5)

    def _console_end(self) -> str:
        logs = [path.read_text(errors="replace") for path in (self.folder / "qemu.log", self.console) if path.exists()]
        return "\n".join("".join(logs).splitlines()[-30:])

    def _ssh(self, program: str, port_option: str) -> list[str]:
        # One connection for all calls: a key exchange takes seconds in emulation.
        shared = ("ControlMaster=auto", f"ControlPath={self.folder}/ssh", "ControlPersist=yes")
        quiet = ("StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR", "BatchMode=yes")
        limits = ("ConnectTimeout=10", "ServerAliveInterval=5", "ServerAliveCountMax=6")
        options = [word for option in (*shared, *quiet, *limits) for word in ("-o", option)]
        return [program, "-F", "none", "-i", str(ssh_key()), *options, port_option, str(self.ssh_port)]

    def _close_ssh(self) -> None:
        argv = [*self._ssh("ssh", "-p"), "-O", "exit", "root@127.0.0.1"]
        subprocess.run(argv, capture_output=True, check=False)
        (self.folder / "ssh").unlink(missing_ok=True)


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
