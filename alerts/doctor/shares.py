"""Whether what is shared is served, and as it was written down."""

from __future__ import annotations

from collections.abc import Iterator

from alerts.doctor.finding import MACHINE, Check, DoctorFinding, Patient, figure
from alerts.remedy import Remedy

_APPLY = Remedy(
    words="Let the console write its files again. The plan shows each line that differs.",
    operation="sharing.apply",
    request={},
)
_RUNS = {"active", "activating", "reloading"}
# What our file for avahi may hold beside the console itself (shares.discovery).
_ANNOUNCED = (
    ("_smb._tcp", "shares of SMB"),
    ("_adisk._tcp", "places for Time Machine"),
    ("_nfs._tcp", "exports of NFS"),
)


def _drift(patient: Patient) -> Iterator[DoctorFinding]:
    if files := patient.memory.shares.drift:
        yield DoctorFinding(
            code="shares-changed-by-hand", severity="warning", subject=MACHINE,
            title="A configuration file of the shares was changed by hand",
            why="The console no longer knows what is served, and makes no changes by itself while that is "
            "so: shares that come back with their dataset stay missing.",
            evidence=tuple(figure("Changed", path) for path in files),
            fix=(
                _APPLY,
                Remedy(words="Put your own additions into /etc/samba/smb.conf or /etc/exports, which the "
                             "console does not touch."),
            ),
        )  # fmt: skip


def _unserved(patient: Patient) -> Iterator[DoctorFinding]:
    if shares := patient.memory.shares.unserved:
        yield DoctorFinding(
            code="shares-not-served", severity="critical", subject=MACHINE,
            title=f"{'A share is' if len(shares) == 1 else f'{len(shares)} shares are'} not served",
            why="Their datasets are mounted, but clients cannot reach them.",
            evidence=(
                *(figure("Not served", name) for name in shares[:10]),
                *(figure(name, state) for name, state in patient.inventory.served.services.items()),
            ),
            fix=(
                _APPLY,
                Remedy(words="If that fails, see why.",
                       commands=("sudo journalctl -u smbd -u nfs-server -n 50",)),
            ),
        )  # fmt: skip


def _waiting(patient: Patient) -> Iterator[DoctorFinding]:
    if shares := patient.memory.shares.waiting:
        yield DoctorFinding(
            code="shares-waiting", severity="advice", subject=MACHINE,
            title=f"{'A share waits' if len(shares) == 1 else f'{len(shares)} shares wait'} for a dataset",
            why="The empty folder underneath is never served instead. Each comes back by itself once its "
            "dataset is mounted.",
            evidence=tuple(figure(name, words) for name, words in shares[:10]),
            fix=(Remedy(words="Unlock what is locked.", page="/datasets/locked/", label="Locked datasets"),),
        )  # fmt: skip


def _announced(patient: Patient) -> Iterator[DoctorFinding]:
    served = patient.inventory.served
    state = served.services.get("avahi-daemon")
    text = served.files.get("avahi", "")
    report = tuple(words for kind, words in _ANNOUNCED if f"<type>{kind}</type>" in text)
    if report and state is not None and state not in _RUNS:
        yield DoctorFinding(
            code="shares-not-announced", severity="warning", subject=MACHINE,
            title="The shares are not announced on the network",
            why="avahi does not run. Macs and Linux machines do not find the shares by themselves, Time "
            "Machine offers none of them, and names that end in .local are not found. Connecting by "
            "address still works.",
            evidence=(
                figure("avahi-daemon", state),
                *(figure("Not announced", words) for words in report),
            ),
            fix=(
                Remedy(words="Start it now and at every start of the machine.",
                       commands=("sudo systemctl enable --now avahi-daemon",)),
                Remedy(words="If that fails, see why.",
                       commands=("sudo journalctl -u avahi-daemon -n 50",)),
            ),
        )  # fmt: skip


CHECKS = (
    Check(
        code="shares-changed-by-hand",
        passed="Configuration files of shares were not changed by hand",
        examine=_drift,
    ),
    Check(code="shares-not-served", passed="What is shared is served", examine=_unserved),
    Check(code="shares-not-announced", passed="The shares are announced on the network", examine=_announced),
    Check(code="shares-waiting", passed="No share waits for its dataset", examine=_waiting),
)
