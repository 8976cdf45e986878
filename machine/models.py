"""What the machine does not remember of its own settings."""

from __future__ import annotations

from machine.first_boot.models import FirstBootRow as FirstBootRow
from machine.first_boot.models import StepDecision as StepDecision
from machine.keeping.models import KeepingRow as KeepingRow
from machine.keeping.models import KeptOn as KeptOn
from machine.keeping.models import Restoration as Restoration
