"""What was taught as a YAML file: to keep, and to bring to another machine."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_POST

from disks.bays import case_file
from disks.bays.stored import stored
from disks.chassis import layout_of
from frontend.access import page
from frontend.chassis.teach import show
from frontend.findings import Errors
from frontend.missing import missing
from frontend.plans.page import propose
from jobs import cache
from jobs.plan import Finding


@page("disks:read")
def export(request: HttpRequest) -> HttpResponseBase:
    """The case with its bays, as a file to keep."""
    case = stored()
    inventory = cache.current()
    if inventory is None:
        return missing(request, "The machine has not been probed yet")
    text = case_file.write(case.layout or layout_of(inventory), case.teachings)
    headers = {"Content-Disposition": 'attachment; filename="bays.yaml"'}
    return HttpResponse(text, content_type="application/yaml", headers=headers)


@page("disks:read")
@require_POST
def bring(request: HttpRequest) -> HttpResponseBase:
    """The plan for a file of anybody's: everything in it is checked, and nothing is half saved."""
    sent = request.FILES.get("file")
    if sent is None:
        return _wrong(request, ("Choose a file.",))
    raw = sent.read(4 * case_file.LONGEST + 1)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _wrong(request, ("The file is not UTF-8 text.",))

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _wrong(request, tuple(f"{f.field}: {f.message}" if f.field else f.message for f in findings))

    return propose(request, "chassis.import", {"yaml": text}, refused=refused)


def _wrong(request: HttpRequest, messages: tuple[str, ...]) -> HttpResponseBase:
    return show(request, errors=Errors(by_field={"file": messages[:8]}), status=422)
