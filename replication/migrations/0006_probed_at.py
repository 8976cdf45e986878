"""A target is probed."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("replication", "0005_pairings_without_tries")]

    operations = [migrations.RenameField("TargetRow", "looked_at", "probed_at")]
