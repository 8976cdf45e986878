"""Values of a chart as text."""

from __future__ import annotations

from frontend.charts.kinds import Unit
from frontend.units import binary, rate


def written(value: float | None, unit: Unit) -> str:
    """With its unit; a dash where there is none."""
    if value is None:
        return "–"
    match unit:
        case "bytes":
            return binary(round(value))
        case "rate":
            return rate(round(value))
        case "percent":
            return f"{value:.1f} %"
        case "celsius":
            return f"{value:.0f} °C"
        case "ms":
            return f"{value:.1f} ms"
        case "each":
            return f"{value:.1f} /s"
        case "number":
            return f"{value:.2f}"
