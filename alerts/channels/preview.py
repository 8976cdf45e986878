"""What templates make of a sample alert, to be seen before anything happens."""

from __future__ import annotations

from typing import Annotated

import msgspec
from django.utils import timezone
from msgspec import Meta

from alerts.channels import templates
from alerts.channels.requests import TextTemplate, TitleTemplate
from alerts.channels.sample import sample_message
from alerts.channels.sender import this_machine
from alerts.channels.words import Template
from jobs.planning.findings import Findings
from jobs.schedules.cron import zones


class PreviewMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Templates to try; empty for the usual words."""

    title_template: TitleTemplate = ""
    text_template: TextTemplate = ""
    time_zone: Annotated[str, Meta(max_length=64)] = "UTC"


class MessagePreviewAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A message about a sample alert, and the placeholders that there are, with what each stands for."""

    subject: str
    text: str
    placeholders: dict[str, str]


def previewed(asked: PreviewMessage) -> MessagePreviewAnswer:
    """What the templates make of a sample alert. Raises `Refused`."""
    findings = Findings()
    templates.check(asked.title_template, "title_template", findings, one_line=True)
    templates.check(asked.text_template, "text_template", findings, one_line=False)
    if asked.time_zone not in zones():
        findings.error("bad-time-zone", "time_zone", "There is no such time zone. Use an IANA name, or UTC.")
    findings.refuse_on_error()
    template = Template(title=asked.title_template, text=asked.text_template)
    made = sample_message(template, this_machine(asked.time_zone), timezone.now())
    return MessagePreviewAnswer(subject=made.subject, text=made.text, placeholders=templates.PLACEHOLDERS)
