"""session.end: disconnect one client of the shares."""

from __future__ import annotations

from typing import Annotated, cast

import msgspec
from msgspec import Meta

from host.commands.closed import AnyCommand
from host.commands.shares.sessions import EndSmbd, ExpireNfsClient
from host.inventory import Inventory
from host.inventory.sessions import Session
from jobs import questions
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import capital, counted, listed
from shares.sessions.see import Sessions
from shares.wording import named

QUESTION = "shares.sessions"

SessionId = Annotated[
    str, Meta(pattern=r"\A(smb|nfs)-[0-9]{1,20}\Z", description="a session's id, as listed")
]


class EndSession(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Disconnect a client. It may connect again at once: to keep somebody out, remove them from the share."""

    session: SessionId


def needs(_request: EndSession, _inventory: Inventory) -> Needs:
    """Who is connected."""
    return Needs(answers=(AnswerNeeds(question=QUESTION, data={}),))


def plan(request: EndSession, inventory: Inventory) -> Plan:
    """Raises `Refused` where that session is gone."""
    findings = Findings()
    known = cast("Sessions", inventory.answers[QUESTION]).results
    found = next((one for one in known if one.id == request.session), None)
    if found is None:
        message = (
            "This session no longer exists: the client has disconnected, or has reconnected as a new one."
        )
        findings.refuse("unknown-session", "session", message)
    all_ended = _ended_with(found, known)
    for other in all_ended:
        if other.id != found.id:
            message = f"{words(other)} is served by the same process, and is disconnected with it."
            findings.warning("same-process", "session", message)
    for session in all_ended:
        _count_files(session, findings)
    findings.info("may-return", "session", _return_words(found))
    losses = tuple(
        Loss(session=words(one), holds="Unsaved changes in files that are open for writing.")
        for one in all_ended
        if any(opened.writes for opened in one.files)
    )
    step = Step(title=f"Disconnect {words(found)}", commands=(_command(found),), destroys=losses)
    return Plan(
        operation="session.end",
        steps=(step,),
        summary=_summary(found, all_ended),
        findings=findings.all(),
        claims=(f"session:{found.protocol}-{found.number}",),
    )


def _summary(found: Session, all_ended: tuple[Session, ...]) -> str:
    text = listed([words(found), *(words(one) for one in all_ended if one.id != found.id)])
    who = text if found.protocol == "smb" else capital(text)
    shares = sorted({share for one in all_ended for share in one.shares})
    left = f" from {named('share', shares)}" if shares else ""
    writing = sum(opened.writes for one in all_ended for opened in one.files)
    some_open = any(one.files or one.more_files for one in all_ended)
    lost = "No files are open."
    if writing:
        lost = f"Unsaved changes in {counted(writing, 'file')} open for writing are lost."
    elif some_open:
        lost = "Files opened for reading are cut off."
    verb = "is" if len(all_ended) == 1 else "are"
    again = "sign in again" if found.protocol == "smb" else "mount again"
    return f"{who} {verb} disconnected{left}. {lost} The client may {again} at once."


def remember(_request: EndSession, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: the session has ended."""
    questions.forget(QUESTION)


def words(session: Session) -> str:
    """`ada at 10.0.2.2 (SMB)`, `the NFS client Linux NFSv4.2 host at 10.0.2.2`."""
    place = f" at {session.address}" if session.address else ""
    if session.protocol == "nfs":
        return f"the NFS client {session.machine}{place if session.address != session.machine else ''}"
    named = f", {session.machine}" if session.machine != session.address else ""
    return f"{session.person or 'nobody'}{place}{named} (SMB)"


def _ended_with(found: Session, known: tuple[Session, ...]) -> tuple[Session, ...]:
    """All that end with it: one process serves all SMB sessions of one client."""
    return tuple(one for one in known if (one.protocol, one.number) == (found.protocol, found.number))


def _count_files(session: Session, findings: Findings) -> None:
    """How many files are open, and not which: that is for those who may read files. They are no part of the
    digest: they change while the plan is read."""
    count = len(session.files) + session.more_files
    if count:
        writing = sum(opened.writes for opened in session.files)
        some = f", {writing} of them for writing" if writing else ""
        verb = "is" if count == 1 else "are"
        findings.info("open-files", "session", f"{counted(count, 'file')} {verb} open{some}.")


def _return_words(session: Session) -> str:
    if session.protocol == "smb":
        return "The client may sign in again at once. To keep somebody out, remove their access to the share."
    return "A client that is still running mounts again by itself. To keep it out, remove it from the export."


def _command(session: Session) -> AnyCommand:
    if session.protocol == "smb":
        return EndSmbd(process=session.number)
    return ExpireNfsClient(client=session.number)
