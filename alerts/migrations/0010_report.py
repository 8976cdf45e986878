"""The health report, sent regularly."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("alerts", "0009_impact")]

    operations = [
        migrations.AddField(
            model_name="channel", name="report", field=models.CharField(default="none", max_length=8)
        ),
        migrations.AddField(model_name="channel", name="report_at", field=models.DateTimeField(null=True)),
        migrations.AlterField(
            model_name="delivery",
            name="about",
            field=models.CharField(
                choices=[
                    ("alerts", "Alerts"), ("test", "Test"), ("digest", "Digest"), ("alive", "Alive"),
                    ("report", "Report"),
                ],
                default="alerts",
                max_length=8,
            ),
        ),
    ]  # fmt: skip
