"""The settings of copies are called so."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("machine", "0003_metrics_setting")]

    operations = [migrations.RenameModel("KeepingRow", "CopySettingsRow")]
