"""An index is called as Django would call it now, so that no migration is missing."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("machine", "0005_network_speed")]

    operations = [
        migrations.RenameIndex(model_name="networkspeedrow", old_name="machine_net_verdict_idx", new_name="machine_net_verdict_c53ecc_idx"),
    ]
