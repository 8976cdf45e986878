"""The lab's image in a container: what needs no kernel of its own runs there at the speed of this machine.

systemd-nspawn starts the image's own systemd on an overlay, so that nothing it does outlives it. There is no
OpenZFS in it, no NFS server and no disk: what needs those is tried in the virtual machine.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.lab.builder import Image
from tests.lab.trees import LabError, call

LIMIT_S = 180.0
_STOP_S = 20.0
_WAITS_FOR_NETWORK = "etc/systemd/system/systemd-networkd-wait-online.service"
_SOCKET = "run/nasweb/helper.sock"


class Container:
    """One container, started as a context manager. Needs root, as building the image does."""

    def __init__(self, image: Image) -> None:
        self._image = image
        self._folder = Path(tempfile.mkdtemp(prefix="nasweb-container-", dir="/var/tmp"))
        self._nspawn: subprocess.Popen[bytes] | None = None
        self._mounted = contextlib.ExitStack()

    def __enter__(self) -> Self:
        try:
            root = self._mount()
            argv = ["setpriv", "--pdeathsig", "KILL", "systemd-nspawn", "--quiet", "--boot", "--register=no"]
            argv += ["--keep-unit", "--private-network", "--link-journal=no", f"--directory={root}"]
            argv += [f"--machine=nasweb-{os.getpid()}", "--console=pipe"]
            with (self._folder / "console.log").open("wb") as log:
                self._nspawn = subprocess.Popen(
                    argv,
                    # The only hierarchy that systemd of Debian 13 starts with.
                    env={"SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            self._wait_until_started()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._nspawn is not None:
            self._nspawn.terminate()  # nspawn has its init shut down
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._nspawn.wait(_STOP_S)
            self._nspawn.kill()
            self._nspawn.wait()
        self._mounted.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def helper(self) -> Path:
        """The root helper's socket, as it is reached from here."""
        return Path(f"/proc/{self._init()}/root/{_SOCKET}")

    def run(self, line: str) -> str:
        """What a shell line says in the container. Raises LabError where it fails."""
        argv = ["nsenter", f"--target={self._init()}", "--mount", "--uts", "--ipc", "--net", "--pid"]
        done = subprocess.run([*argv, "sh", "-c", line], capture_output=True, text=True, check=False)
        if done.returncode:
            raise LabError(f"`{line}` failed in the container: {done.stderr}{done.stdout}")
        return done.stdout

    def _mount(self) -> Path:
        lower, upper, work, root = (self._folder / name for name in ("lower", "upper", "work", "root"))
        for folder in (lower, upper, work, root):
            folder.mkdir()
        call("mount", "-o", "loop,ro", str(self._image.disk), str(lower))
        self._mounted.callback(call, "umount", "--lazy", str(lower))
        options = f"lowerdir={lower},upperdir={upper},workdir={work}"
        call("mount", "-t", "overlay", "-o", options, "overlay", str(root))
        self._mounted.callback(call, "umount", "--lazy", str(root))
        # There is no network that it could wait for.
        (root / _WAITS_FOR_NETWORK).symlink_to("/dev/null")
        return root

    def _init(self) -> int:
        """The process number of the container's systemd: nspawn's only child."""
        if self._nspawn is None:
            raise LabError("The container was not started.")
        number = self._nspawn.pid  # setpriv has become nspawn
        children = Path(f"/proc/{number}/task/{number}/children").read_text().split()
        if not children:
            raise LabError("The container has no init yet.")
        return int(children[0])

    def _wait_until_started(self) -> None:
        deadline = time.monotonic() + LIMIT_S
        while True:
            with contextlib.suppress(LabError, OSError):
                if self.helper.exists():
                    # It may also say "degraded": a container has no modules to load and no disks to import.
                    self.run("systemctl is-system-running --wait || true")
                    return
            if time.monotonic() > deadline or (self._nspawn and self._nspawn.poll() is not None):
                said = (self._folder / "console.log").read_text(errors="replace")
                raise LabError(f"The container did not start. Its console's end:\n{said[-3000:]}")
            time.sleep(0.2)
