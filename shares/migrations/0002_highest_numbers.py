"""The highest numbers that people and groups ever had; 0 where none is remembered."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("shares", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="sharingrow", name="highest_uid", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="sharingrow", name="highest_gid", field=models.PositiveIntegerField(default=0)
        ),
    ]
