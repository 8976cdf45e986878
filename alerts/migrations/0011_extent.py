"""How many disks or files an incident was about when it was last acknowledged or sent."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("alerts", "0010_report")]

    operations = [
        migrations.AddField(
            model_name="incident",
            name="acknowledged_extent",
            field=models.PositiveBigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="incidentnotice", name="extent", field=models.PositiveBigIntegerField(default=0)
        ),
    ]
