"""network.measure-speed and network.listen: measure the network, or be the other end for ten minutes."""

from __future__ import annotations

from typing import Annotated, cast

import msgspec
from django.utils import timezone
from msgspec import Meta

from host.addresses import Problem, problem_of_host
from host.commands.datasets.measuring import run_of
from host.commands.network_speed import HostText, ListenForSpeedTests, MeasureNetworkSpeed, UserPort
from host.inventory import Inventory
from host.network_speed.measuring import LISTENS_S, SECONDS
from host.own_names import of_machine
from jobs import questions
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.series.collecting import kernel_files
from machine.network_speed.following import keep_last
from machine.network_speed.models import NetworkSpeedRow
from machine.network_speed.see import QUESTION, SpeedFound

RUN = run_of("network")
CLAIM = f"network-speed:{RUN}"
_PORT = 5201  # iperf3's own
_WORDS: dict[Problem, str] = {
    "itself": "This leads to the NAS itself. Name another machine.",
    "link-local": "Link-local addresses mean something different on each network port. Use another one.",
    "no-name": "Enter the name of another machine, such as pc.local, or its address.",
    "not-one": "This is not the address of one machine.",
}
Port = Annotated[UserPort, Meta(description="the port of iperf3")]


class MeasureSpeed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Measure how fast the network to another machine is, in both directions. iperf3 listens there: start it
    with `iperf3 --server`, or on another Nasweb with its own page.
    """

    host: HostText
    port: Port = _PORT


class ListenForTests(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let other machines measure the network to this one for ten minutes."""

    port: Port = _PORT


def needs(_request: MeasureSpeed | ListenForTests, _inventory: Inventory) -> Needs:
    """Whether one goes on."""
    return Needs(answers=(AnswerNeeds(question=QUESTION, data={}),))


def plan_measure(request: MeasureSpeed, inventory: Inventory) -> Plan:
    """Raises `Refused` for what is no other machine, and while another measurement goes on."""
    findings = Findings()
    problem = problem_of_host(request.host, of_machine(inventory))
    if problem is not None:
        findings.refuse("no-other-machine", "host", _WORDS[problem])
    _refuse_another(inventory, findings)
    begin = MeasureNetworkSpeed(run=RUN, host=request.host, port=request.port)
    return Plan(
        operation="network.measure-speed",
        steps=(Step(title=f"Start measuring the network to {request.host}", commands=(begin,)),),
        summary=f"iperf3 sends to {request.host} for {SECONDS} seconds and receives for as long, as fast as "
        "the network can. Other traffic is slower meanwhile.",
        takes=f"{2 * SECONDS} seconds, in the background",
        claims=(CLAIM,),
    )


def plan_listen(request: ListenForTests, inventory: Inventory) -> Plan:
    """Raises `Refused` while another measurement goes on."""
    findings = Findings()
    _refuse_another(inventory, findings)
    begin = ListenForSpeedTests(run=RUN, port=request.port)
    return Plan(
        operation="network.listen",
        steps=(Step(title="Start the other end of speed tests", commands=(begin,)),),
        summary=f"For {LISTENS_S // 60} minutes any machine in the network can measure how fast it reaches "
        f"this one, on port {request.port}. Nothing else can be reached through it.",
        takes=f"{LISTENS_S // 60} minutes at most, in the background",
        claims=(CLAIM,),
    )


def _refuse_another(inventory: Inventory, findings: Findings) -> None:
    last = cast("SpeedFound", inventory.answers[QUESTION]).speed
    if last is not None and last.verdict is None:
        what = f"to {last.host}" if last.host else "from other machines"
        message = (
            f"The network is being measured {what} already. Wait until that has finished, or stop it first."
        )
        findings.refuse("already-measuring", "", message)


def remember(_request: MeasureSpeed | ListenForTests, inventory: Inventory, _actor: str) -> None:
    """Keep that it was begun; the result is added at its end (`machine.network_speed.following`)."""
    keep_last(cast("SpeedFound", inventory.answers[QUESTION]).speed, inventory, kernel_files())
    NetworkSpeedRow.objects.create(begun_at=timezone.now())
    questions.forget(QUESTION)
