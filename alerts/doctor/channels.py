"""Whether anybody is notified when something breaks.

A disk that died without a mail was noticed a day later (public issue rockstor 2086).
"""

from __future__ import annotations

from collections.abc import Iterator

from alerts.doctor.finding import MACHINE, Check, DoctorFinding, Patient, Subject, Unexamined, figure
from alerts.remedy import Remedy

_PAGE = "/settings/notifications/"


def _none(patient: Patient) -> Iterator[DoctorFinding | Unexamined]:
    care = patient.memory.channels
    if care is None:
        yield Unexamined(words="It is not known whether anybody is notified of incidents.")
    elif not care.count:
        yield DoctorFinding(
            code="no-notifications", severity="advice", subject=MACHINE,
            title="Nobody is notified when something breaks",
            why="A failed disk goes unnoticed until somebody opens this console. Redundancy is worth "
            "little if nobody replaces the first disk before the second one fails.",
            fix=(
                Remedy(words="Have messages sent by mail, to a phone or to a chat.", page=_PAGE,
                       label="Notifications"),
            ),
        )  # fmt: skip


def _failing(patient: Patient) -> Iterator[DoctorFinding]:
    care = patient.memory.channels
    locked = {one.id for one in patient.memory.locked}
    for one in care.failing if care else ():
        if one.id in locked:
            continue
        yield DoctorFinding(
            code="messages-do-not-arrive", severity="warning",
            subject=Subject(kind="machine", id=f"channel:{one.id}", name=one.name),
            title=f"Nobody has been notified: messages to “{one.name}” do not arrive",
            why="Each message is retried for a day. Until one arrives, incidents go unnoticed until "
            "somebody opens this console.",
            evidence=(
                figure("Since", one.since), figure("Said", one.said or "nothing"),
                figure("Messages that wait", one.waiting),
                figure("Last message delivered", one.last_sent or "none"),
            ),
            fix=(
                Remedy(words="Correct its settings, and send a test.", page=f"{_PAGE}{one.id}/",
                       label="The channel"),
            ),
        )  # fmt: skip


def _locked(patient: Patient) -> Iterator[DoctorFinding]:
    for one in patient.memory.locked:
        yield DoctorFinding(
            code="channel-locked", severity="warning",
            subject=Subject(kind="machine", id=f"channel:{one.id}", name=one.name),
            title=f"“{one.name}” cannot be used: enter its secret again",
            why="Passwords and tokens of channels are encrypted for one machine. Those that came back with a "
            "settings backup, or were encrypted before a key was lost, cannot be read.",
            evidence=(figure("To be typed again", ", ".join(one.titles) or "what is secret"),),
            fix=(
                Remedy(words="Enter it again, and send a test.", page=f"{_PAGE}{one.id}/",
                       label="The channel"),
            ),
        )  # fmt: skip


def _ping(patient: Patient) -> Iterator[DoctorFinding]:
    if (found := patient.memory.ping) is not None:
        yield DoctorFinding(
            code="ping-fails", severity="warning", subject=MACHINE,
            title=f"The dead man's ping to {found.goes_to} is not answered",
            why="The other side warns you when this machine stops asking. While it is not reached, it may "
            "warn of a failure that there is not, and later nobody believes it.",
            evidence=(
                figure("Since", found.since), figure("Said", found.said or "nothing"),
                figure("Last answered", found.last_good or "never"),
            ),
            fix=(
                Remedy(words="Check its address, or pause it while the network is being changed.",
                       page=f"{_PAGE}ping/", label="The ping"),
            ),
        )  # fmt: skip


CHECKS = (
    Check(code="no-notifications", passed="Somebody is notified when something breaks", examine=_none),
    Check(code="channel-locked", passed="Every channel's secrets can be opened", examine=_locked),
    Check(code="messages-do-not-arrive", passed="Every message was delivered", examine=_failing),
    Check(code="ping-fails", passed="The dead man's ping is answered, or there is none", examine=_ping),
)
