"""What the buttons of a replication do."""

from __future__ import annotations

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST

from frontend.access import page
from frontend.missing import missing
from frontend.plans.at_once import back_to, carry_out, show_outcome
from frontend.plans.page import propose
from jobs import cache
from replication.links import replication_href


@page("pools:read")
@require_POST
def act(request: HttpRequest, number: int) -> HttpResponseBase:
    """`do` says what. Runs, proofs and pauses begin at once; the rest is a plan first."""
    inventory = cache.current()
    tasks = inventory.replicating.tasks if inventory else ()
    task = next((one for one in tasks if one.id == number), None)
    if task is None:
        return missing(request, "There is no such replication")
    match request.POST.get("do", ""):
        case "run":
            outcome = carry_out(request, "replication.run", {"name": task.name})
            show_outcome(request, outcome, f"{task.name}: started.")
        case "prove":
            outcome = carry_out(request, "replication.prove", {"name": task.name})
            show_outcome(request, outcome, f"{task.name}: files are being compared.")
        case "pause":
            outcome = carry_out(request, "replication.change", {"id": number, "enabled": False})
            show_outcome(request, outcome, f"{task.name}: paused.")
        case "resume":
            outcome = carry_out(request, "replication.change", {"id": number, "enabled": True})
            show_outcome(request, outcome, f"{task.name}: resumed.")
        case "stop":
            return propose(request, "replication.stop", {"name": task.name})
        case "reverse":
            into = request.POST.get("into", task.source).strip()[:1024]
            more = {} if into == task.source else {"into": into}
            return propose(request, "replication.reverse", {"id": number} | more)
        case "forward":
            return propose(request, "replication.forward", {"id": number})
        case "freeze" | "go-live" as what:
            return propose(request, f"replication.{what}", {"dataset": task.target})
        case "drop":
            source = request.POST.get("source", "")[:1024]
            return propose(request, "replication.drop-partial", {"name": task.name, "source": source})
        case "delete":
            unreachable = request.POST.get("unreachable") == "yes"
            return propose(request, "replication.delete", {"id": number, "unreachable": unreachable})
        case _:
            raise SuspiciousOperation("Unknown action.")
    return back_to(request, replication_href(number))
