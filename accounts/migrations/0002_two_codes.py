from django.db import migrations, models


class Migration(migrations.Migration):
    """Codes live for a day at most: those of before are not carried over."""

    dependencies = [("accounts", "0001_initial")]

    operations = [
        migrations.DeleteModel(name="SetupCode"),
        migrations.CreateModel(
            name="SetupCode",
            fields=[
                (
                    "kind",
                    models.CharField(
                        choices=[("link", "Link"), ("screen", "Screen")],
                        max_length=6,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("expires", models.DateTimeField()),
            ],
        ),
    ]
