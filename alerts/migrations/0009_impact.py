"""What an incident took away when a channel had its last message about it."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("alerts", "0008_plain_names")]

    operations = [
        migrations.AddField(
            model_name="incidentnotice",
            name="impact",
            field=models.PositiveSmallIntegerField(default=2),
        ),
    ]
