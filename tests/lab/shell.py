"""Commands in the guest, over one SSH connection that all calls share."""

import shlex
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.lab.builder import ssh_key
from tests.lab.trees import LabError

QUIET = ("StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR")
# Two minutes: a guest on a busy host may be silent for half a one, and goes on.
LIMITS = ("BatchMode=yes", "ServerAliveInterval=5", "ServerAliveCountMax=24")
# A short wait finds a machine soon that has just started; on a slow host the key exchange alone takes longer.
FIRST_WAIT_S, LONGEST_WAIT_S, LONGER_S = 10, 60, 5
CUT_OFF = 255  # ssh's own exit code


@dataclass(frozen=True)
class Result:
    """What a command in the guest said."""

    stdout: str
    stderr: str
    exit: int


class CommandError(LabError):
    """A command in the guest ended with another exit code than 0."""

    def __init__(self, command: str, result: Result) -> None:
        super().__init__(f"`{command}` ended with {result.exit}:\n{result.stderr}{result.stdout}")
        self.result = result


class Shell:
    """Root's shell in the guest, behind a forwarded port of this host's loopback."""

    def __init__(self, port: int, folder: Path) -> None:
        self._port = str(port)
        self._socket = folder / "ssh"
        # One connection for all calls: a key exchange takes a second in emulation.
        shared = ("ControlMaster=auto", f"ControlPath={self._socket}", "ControlPersist=yes")
        options = [f"-o{option}" for option in (*shared, *QUIET, *LIMITS)]
        self._wait_s = FIRST_WAIT_S  # for a connection
        self.unanswered = ""  # why the last question for the boot id had no answer
        self._options = ["-F", "none", "-i", str(ssh_key()), *options]

    @property
    def command(self) -> str:
        """What a person types to get a shell on the machine."""
        options = [f"-o{option}" for option in QUIET]
        return shlex.join(["ssh", "-i", str(ssh_key()), *options, "-p", self._port, "root@127.0.0.1"])

    def run(
        self,
        command: str | Sequence[str],
        *,
        input: str | bytes | None = None,  # noqa: A002  (as in subprocess.run)
        timeout_s: float = 300,
        check: bool = True,
    ) -> Result:
        """Runs a command as root: a line for the shell, or a list that no shell interprets.

        Raises CommandError when `check` is set, LabError when there is no answer in time.
        """
        line = command if isinstance(command, str) else shlex.join(command)
        where = [f"-oConnectTimeout={self._wait_s}", "-p", self._port, "root@127.0.0.1"]
        argv = ["ssh", *self._options, *where, f"export LC_ALL=C.UTF-8; {line}"]
        # An empty string rather than nothing: ssh would eat the caller's own standard input.
        data = input.encode() if isinstance(input, str) else input or b""
        try:
            done = subprocess.run(argv, input=data, capture_output=True, check=False, timeout=timeout_s)
        except subprocess.TimeoutExpired as error:
            raise LabError(f"`{line}` took more than {timeout_s} s in the guest.") from error
        stdout, stderr = (stream.decode(errors="replace") for stream in (done.stdout, done.stderr))
        result = Result(stdout, stderr, done.returncode)
        if check and result.exit:
            raise CommandError(line, result)
        return result

    def copy(self, source: Path, target: str) -> None:
        """Copies a file or a folder into the guest."""
        argv = ["scp", *self._options, "-P", self._port, "-q", "-r", str(source), f"root@127.0.0.1:{target}"]
        done = subprocess.run(argv, capture_output=True, check=False)
        if done.returncode:
            raise LabError(f"Cannot copy {source} into the guest: {done.stderr.decode()}")

    def forward(self, local: Path, remote: str) -> None:
        """Makes the guest's unix socket `remote` answer at `local` as long as the connection lives."""
        local.unlink(missing_ok=True)
        spec = f"{local}:{remote}"
        argv = ["ssh", *self._options, "-p", self._port, "-O", "forward", "-L", spec, "root@127.0.0.1"]
        done = subprocess.run(argv, capture_output=True, check=False)
        if done.returncode:
            raise LabError(f"Cannot forward {remote} of the guest: {done.stderr.decode()}")

    def boot_id(self) -> str:
        """The running system's boot id; empty when nobody answers.

        Who gives up too early never gets an answer: in a machine that is starting and slow, the session of an
        attempt is still being set up when the next one comes.
        """
        began = time.monotonic()
        try:
            said = self.run("cat /proc/sys/kernel/random/boot_id", timeout_s=self._wait_s + LONGER_S)
        except LabError as error:
            self.unanswered = str(error)
            if time.monotonic() - began >= self._wait_s:
                self._wait_s = min(self._wait_s + LONGER_S, LONGEST_WAIT_S)
            # A connection to the system before a reboot would hang for long.
            self.close()
            return ""
        self._wait_s = FIRST_WAIT_S
        return said.stdout.strip()

    def close(self) -> None:
        """Ends the connection; the next call opens another."""
        if self._socket.exists():
            argv = ["ssh", *self._options, "-p", self._port, "-O", "exit", "root@127.0.0.1"]
            subprocess.run(argv, capture_output=True, check=False)
            self._socket.unlink(missing_ok=True)
