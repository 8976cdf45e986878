"""The Celery application. Its messages carry a job's id and nothing else."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nasweb.settings")
app = Celery("nasweb")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["jobs"])
