"""Whether ZFS will be there after the next start, and whether its two halves fit.

- Userland and kernel module should be of one version; they differ after an upgrade until the machine is
  started anew (openzfs-docs, "Version mismatch"). Newer userland on an older module mostly works, and its
  newer requests are refused.
- A kernel without a module for it: no pool after the next start (openmediavault-zfs issue 97). DKMS builds a
  module for each kernel whose headers are there: dkms(8).
"""

from __future__ import annotations

from collections.abc import Iterator

from alerts.doctor.finding import MACHINE, Check, DoctorFinding, Patient, Unexamined, figure
from alerts.remedy import Remedy, as_root


def _version(text: str) -> str:
    return text.removeprefix("zfs-").removeprefix("kmod-")


def _versions(patient: Patient) -> Iterator[DoctorFinding | Unexamined]:
    facts = patient.inventory.facts
    if facts.zfs_userland is None or facts.zfs_module is None:
        missing = "programs" if facts.zfs_userland is None else "kernel module"
        yield Unexamined(words=f"The version of ZFS's {missing} is not known.")
        return
    userland, module = _version(facts.zfs_userland), _version(facts.zfs_module)
    if userland != module:
        yield DoctorFinding(
            code="zfs-versions-differ", severity="warning", subject=MACHINE,
            title="ZFS's programs and its kernel module are of different versions",
            why="This is normal after an update until the machine is restarted. Until then new "
            "features may "
            "be refused; if it stays after a restart, no module was built for the new version.",
            evidence=(figure("Programs", userland), figure("Module that runs", module)),
            fix=(
                Remedy(words="Restart the machine when it suits you.", page="/power/", label="Restart"),
                Remedy(words="If the versions still differ, build the module and restart again:",
                       commands=("sudo apt-get install --reinstall zfs-dkms", "sudo dkms autoinstall")),
            ),
        )  # fmt: skip


def _kernels(patient: Patient) -> Iterator[DoctorFinding | Unexamined]:
    facts = patient.inventory.facts
    if not facts.kernels:
        yield Unexamined(words="It is not known which kernels are installed.")
        return
    bare = [kernel.version for kernel in facts.kernels if not kernel.zfs_module]
    if not bare:
        return
    following = facts.next_kernel or facts.kernels[0].version
    next_is_bare = following in bare
    yield DoctorFinding(
        code="kernel-without-module", severity="critical" if next_is_bare else "warning", subject=MACHINE,
        title="The kernel for the next start has no ZFS module" if next_is_bare
        else "An installed kernel has no ZFS module",
        why="With it no pool can be imported, and no data can be reached until another kernel is chosen. "
        "Nothing would be lost.",
        evidence=(
            figure("Without a module", ", ".join(bare)), figure("Starts next", following),
            figure("Runs now", facts.kernel),
        ),
        fix=(
            Remedy(
                words="Do not restart before this has succeeded:",
                commands=tuple(
                    line for version in bare
                    for line in (as_root("apt-get", "install", f"linux-headers-{version}"),
                                 as_root("dkms", "autoinstall", "-k", version))
                ),
            ),
        ),
    )  # fmt: skip


CHECKS = (
    Check(code="zfs-versions-differ", passed="ZFS's programs and kernel module match", examine=_versions),
    Check(code="kernel-without-module", passed="Every installed kernel has its ZFS module", examine=_kernels),
)
