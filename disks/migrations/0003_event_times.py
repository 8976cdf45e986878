"""How often something happened to a disk in a row."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("disks", "0002_self_tests")]

    operations = [
        migrations.AddField(
            model_name="diskevent", name="times", field=models.PositiveIntegerField(default=1)
        ),
    ]
