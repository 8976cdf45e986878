"""An index is called as Django would call it now, so that no migration is missing."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("alerts", "0011_extent")]

    operations = [
        migrations.RenameIndex(model_name="incidentnotice", old_name="alerts_told_over_880c8d_idx", new_name="alerts_inci_over_2fdec2_idx"),
    ]
