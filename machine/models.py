"""Settings of the machine that the machine itself does not store."""

from __future__ import annotations

from machine.backup.models import CopySettingsRow as CopySettingsRow
from machine.backup.models import KeptOn as KeptOn
from machine.backup.models import Restoration as Restoration
from machine.first_boot.models import FirstBootRow as FirstBootRow
from machine.first_boot.models import StepDecision as StepDecision
from machine.monitoring.models import MetricsRow as MetricsRow
from machine.network_speed.models import NetworkSpeedRow as NetworkSpeedRow
