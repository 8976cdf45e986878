"""Results of measurements of the network."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("machine", "0004_copy_settings")]

    operations = [
        migrations.CreateModel(
            name="NetworkSpeedRow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("report", models.JSONField(null=True)),
                ("interface", models.CharField(default="", max_length=64)),
                ("mbit", models.PositiveIntegerField(null=True)),
                ("verdict", models.CharField(default="", max_length=10)),
                ("begun_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={"ordering": ("-id",)},
        ),
        migrations.AddIndex(
            model_name="networkspeedrow", index=models.Index(fields=["verdict"], name="machine_net_verdict_idx")
        ),
    ]
