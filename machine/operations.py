"""The operations on the name, the clock, the network and the settings of the machine."""

from __future__ import annotations

from typing import Any

from host.families import Family
from jobs.operation import Operation
from jobs.wording import Data, Link, Wording, at
from machine.arc import set_arc
from machine.backup import create, restore, set_backup
from machine.links import interface_href
from machine.monitoring import set_log_target, set_metrics
from machine.naming import set_name, set_time_zone
from machine.network import confirm, set_network
from machine.network_speed.operations import OPERATIONS as SPEED
from machine.power import restart, shut_down

MACHINE_PAGE = at("Name and clock", "/settings/machine/")
POWER_PAGE = at("Power", "/power/")
# All but shares and people: who is connected is asked for.
_POWER_FACTS = frozenset({Family.DISKS, Family.POOLS, Family.NAMES, Family.NETWORK, Family.SYSTEM})
COPIES_PAGE = at("Settings backup", "/settings/copies/")
ARC_PAGE = at("Memory", "/settings/memory/")
MONITORING_PAGE = at("Monitoring", "/settings/monitoring/")


def _interface_page(data: Data) -> Link:
    name = str(data.get("interface", ""))
    return Link(name, interface_href(name)) if name else Link("Network", "/settings/network/")


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="machine.set-name",
        request=set_name.SetName,
        plan=set_name.plan,
        scope="system:write",
        effect="changes",
        wording=Wording(title="Rename the machine to {name}", page=MACHINE_PAGE),
    ),
    Operation(
        name="machine.set-time-zone",
        request=set_time_zone.ChangeTimeZone,
        plan=set_time_zone.plan,
        scope="system:write",
        effect="changes",
        wording=Wording(title="Set the time zone to {time_zone}", page=MACHINE_PAGE),
    ),
    Operation(
        name="network.set",
        request=set_network.SetNetwork,
        plan=set_network.plan,
        scope="system:write",
        effect="changes",
        wording=Wording(
            title="Set up {interface}",
            page=_interface_page,
            result=at("Keep or revert it", "/settings/network/"),
        ),
    ),
    Operation(
        name="network.confirm",
        request=confirm.ConfirmChange,
        plan=confirm.plan,
        scope="system:write",
        effect="harmless",
        wording=Wording(title="Keep the network settings", page=_interface_page),
    ),
    Operation(
        name="network.revert",
        request=confirm.RevertChange,
        plan=confirm.plan_revert,
        scope="system:write",
        effect="changes",
        wording=Wording(title="Revert the network settings", page=_interface_page),
    ),
    Operation(
        name="machine.restart",
        request=restart.Restart,
        plan=restart.plan,
        scope="system:write",
        effect="changes",
        facts=_POWER_FACTS,
        needs=restart.needs,
        wording=Wording(title="Restart the machine", page=POWER_PAGE),
    ),
    Operation(
        name="machine.shut-down",
        request=shut_down.ShutDown,
        plan=shut_down.plan,
        scope="system:write",
        effect="changes",
        facts=_POWER_FACTS,
        needs=shut_down.needs,
        wording=Wording(title="Shut down the machine", page=POWER_PAGE),
    ),
    Operation(
        name="configuration.keep",
        request=create.KeepConfiguration,
        plan=create.plan,
        scope="system:write",
        effect="harmless",
        needs=create.needs,
        remember=create.remember,
        wording=Wording(title="Back up settings", page=COPIES_PAGE),
    ),
    Operation(
        name="configuration.follow",
        request=create.KeepConfiguration,
        plan=create.plan_following,
        scope="system:write",
        effect="harmless",
        needs=create.needs,
        remember=create.remember,
        routine=True,
        wording=Wording(title="Scheduled settings backup", page=COPIES_PAGE),
    ),
    Operation(
        name="configuration.set-copies",
        request=set_backup.SetCopies,
        plan=set_backup.plan,
        scope="system:write",
        effect="changes",
        also_needs=set_backup.also_needs,
        remember=set_backup.remember,
        wording=Wording(title="Change the settings backup", page=COPIES_PAGE),
    ),
    Operation(
        name="configuration.restore",
        request=restore.RestoreConfiguration,
        plan=restore.plan,
        scope="system:write",
        effect="destroys",
        also_needs=restore.also_needs,
        needs=restore.needs,
        wording=Wording(title="Restore all settings", page=COPIES_PAGE),
    ),
    Operation(
        name="machine.set-metrics",
        request=set_metrics.SetMetrics,
        plan=set_metrics.plan,
        scope="system:write",
        effect="changes",
        also_needs=set_metrics.also_needs,
        remember=set_metrics.remember,
        wording=Wording(title="Change what other tools may read", page=MONITORING_PAGE),
    ),
    Operation(
        name="machine.set-arc",
        request=set_arc.SetArc,
        plan=set_arc.plan,
        scope="system:write",
        effect="changes",
        facts=frozenset({Family.SYSTEM}),
        wording=Wording(title="Limit ZFS's cache in memory", page=ARC_PAGE),
    ),
    Operation(
        name="machine.set-log-target",
        request=set_log_target.SetLogTarget,
        plan=set_log_target.plan,
        scope="system:write",
        effect="changes",
        also_needs=set_log_target.also_needs,
        wording=Wording(title="Change where the journal is sent", page=MONITORING_PAGE),
    ),
    *SPEED,
)
