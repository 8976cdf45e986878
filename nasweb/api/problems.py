"""Every kind of problem that is answered, and the page that its type leads to."""

from __future__ import annotations

from enum import Enum
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

MEDIA_TYPE = "application/problem+json"


class Problem(Enum):
    """A kind of problem (RFC 9457): its status, its title, what it means and what to do about it."""

    BAD_REQUEST = (
        400,
        "Bad request",
        """
        The request was damaged, or it is no HTTP that this server understands. Nothing was done.
        Send it again in the form that the API's description shows.""",
    )
    UNKNOWN_HOST = (
        400,
        "Unknown host name",
        """
        The request named a host that this machine does not answer to, which keeps foreign web
        sites away. Use its address or its local name, or add the name to NASWEB_ALLOWED_HOSTS.""",
    )
    UNAUTHORIZED = (
        401,
        "Unauthorized",
        """
        The request came without credentials, or with a token that is unknown, expired or revoked.
        Send “Authorization: Bearer <token>” with a token from the settings page or from tokens/.""",
    )
    FORBIDDEN = (
        403,
        "Not allowed",
        """
        Whoever asks is known, but may not do this. The detail names the scope that is missing:
        use a token that has it, or an account whose role does.""",
    )
    FORM_NOT_ACCEPTED = (
        403,
        "Form not accepted",
        """
        A form came without the proof that it was made by a page of this console. Load the page
        again and send the form once more; scripts use a token instead.""",
    )
    NOT_FOUND = (
        404,
        "Not found",
        """
        There is nothing at this address, or no longer: it may have been destroyed, renamed or
        pulled out. List what there is, and mind that addresses end with a slash.""",
    )
    METHOD_NOT_ALLOWED = (
        405,
        "Method not allowed",
        """
        The address is there, but it takes other methods. The header Allow lists those that it
        takes.""",
    )
    BUSY = (
        409,
        "In use by a job",
        """
        Something that this would change is held by a job that has not ended; “job” is its number
        and “resource” what it holds. Nothing was done. Wait until jobs/<job>/ has ended, or abort
        it.""",
    )
    CONFIRMATION_REQUIRED = (
        409,
        "Confirmation required",
        """
        This would destroy something, and nothing said that its plan was read; “plan” is that
        plan. Nothing was done. Read what it destroys and send the same request with the plan's
        “digest”.""",
    )
    JOB_ENDED = (
        409,
        "The job has ended",
        """
        There is nothing left to abort: the job succeeded, failed or was stopped before. Read
        jobs/<job>/ to see how far it came.""",
    )
    PLAN_STALE = (
        409,
        "The plan changed",
        """
        The digest is that of an earlier plan, and the machine has changed since; “plan” is what
        would be done now. Nothing was done. Read the new plan, and send its digest if it is still
        what you want.""",
    )
    CONTENT_TOO_LARGE = (
        413,
        "Content too large",
        """
        The body is larger than any request of this API needs to be. Send less at a time, such as
        fewer snapshots in one request.""",
    )
    UNSUPPORTED_MEDIA_TYPE = (
        415,
        "Unsupported media type",
        """
        The API reads JSON only. Send the body with “Content-Type: application/json”.""",
    )
    REFUSED = (
        422,
        "The request cannot be carried out",
        """
        Something in the request is wrong or does not fit the machine as it is. Nothing was done.
        “findings” lists every reason at once, each with the field and how to mend it.""",
    )
    IDEMPOTENCY_MISMATCH = (
        422,
        "The key was used for something else",
        """
        An earlier request had the same Idempotency-Key and another body. Nothing was done. Use a
        new key for each new request, and the old one only to repeat it.""",
    )
    TOO_MANY_GUESSES = (
        429,
        "Too many guesses",
        """
        So many codes were tried that this one was not even checked, right or wrong. Wait the
        seconds in Retry-After, then send the right one.""",
    )
    INTERNAL_ERROR = (
        500,
        "Internal error",
        """
        Something went wrong in the console itself, and its log has the details. Check jobs/
        before you send the request again: it may have been carried out.""",
    )
    SERVICE_UNAVAILABLE = (
        503,
        "Service unavailable",
        """
        A part of the console does not answer yet or any more: the console itself, its queue, or
        the worker that reads the machine. Try again after the seconds in Retry-After; if it
        stays so, read the log.""",
    )

    def __init__(self, status: int, title: str, meaning: str) -> None:
        self.status = status
        self.title = title
        self.meaning = " ".join(meaning.split())

    @property
    def slug(self) -> str:
        """The last part of its type."""
        return self.name.lower().replace("_", "-")

    @property
    def type(self) -> str:
        """A reference to its page, the same on every machine."""
        return f"/api/v1/problems/{self.slug}"

    def document(self, detail: str, **more: Any) -> dict[str, Any]:
        """One occurrence of it, as it is answered; `more` are further members."""
        return {"type": self.type, "title": self.title, "status": self.status, "detail": detail, **more}


@login_not_required
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """What a kind of problem means, for anyone: it says nothing about this machine."""
    for problem in Problem:
        if problem.slug == slug:
            return render(request, "api/problem.html", {"problem": problem})
    raise Http404
