"""Which accelerator QEMU can use: a `/dev/kvm` that exists may still fail, so a kernel tries it once."""

import contextlib
import json
import os
import subprocess
import tempfile
from pathlib import Path

from tests.lab.builder import Image
from tests.lab.cache import cache_folder

TCG = ("-accel", "tcg,thread=multi")
KVM = ("-accel", "kvm")
CHECK_TIMEOUT_S = 20.0


def accelerator(image: Image) -> tuple[str, str]:
    """QEMU's arguments. The answer is remembered while `/dev/kvm` is the same device of the same kernel."""
    try:
        device = Path("/dev/kvm").stat()
    except OSError:
        return TCG
    identity = f"{os.uname().release} {device.st_rdev} {device.st_ctime_ns}"
    answer = cache_folder() / "kvm.json"
    with contextlib.suppress(OSError, ValueError):
        remembered = json.loads(answer.read_text())
        if remembered["identity"] == identity:
            return KVM if remembered["works"] else TCG
    works = _boots_with_kvm(image)
    answer.write_text(json.dumps({"identity": identity, "works": works}))
    return KVM if works else TCG


def _boots_with_kvm(image: Image) -> bool:
    """Whether the image's kernel, started with no disk and so to panic early, says its name in time."""
    with tempfile.TemporaryDirectory() as folder:
        console = Path(folder) / "console"
        argv = ["qemu-system-x86_64", *KVM, "-cpu", "max", "-m", "512", "-nodefaults", "-display", "none"]
        argv += ["-no-reboot", "-serial", f"file:{console}", "-kernel", str(image.kernel)]
        argv += ["-append", "console=ttyS0 panic=-1"]
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(argv, check=False, capture_output=True, timeout=CHECK_TIMEOUT_S)
        return console.exists() and b"Linux version" in console.read_bytes()
