"""Names of the field: details, notice, history."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def rename(apps: Any, _editor: Any) -> None:
    """What is stored as JSON, and the codes of what was acknowledged."""
    for incident in apps.get_model("alerts", "Incident").objects.all():
        if "told" in incident.cause:
            incident.cause["details"] = incident.cause.pop("told")
            incident.save(update_fields=["cause"])
    acknowledged = apps.get_model("alerts", "Acknowledgement").objects
    acknowledged.filter(code="nobody-is-told").update(code="no-notifications")


class Migration(migrations.Migration):
    dependencies = [("alerts", "0007_messages")]

    operations = [
        migrations.RenameModel("ToldIncident", "IncidentNotice"),
        migrations.AlterField(
            model_name="incidentnotice",
            name="channel",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="notices", to="alerts.channel"
            ),
        ),
        migrations.RenameField("ArrayCare", "course", "history"),
        migrations.RunPython(rename, migrations.RunPython.noop),
    ]
