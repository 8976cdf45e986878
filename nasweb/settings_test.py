"""Settings for the tests: nothing outlives the run, jobs run at once, passwords hash quickly."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

_folder = tempfile.TemporaryDirectory(prefix="nasweb-test-")
os.environ["DATA_DIR"] = _folder.name
for _name in ("NASWEB_HOST", "NASWEB_HTTPS", "NASWEB_BROKER_URL", "NASWEB_SECRET_KEY_FILE", "MACHINE"):
    os.environ.pop(_name, None)

from nasweb.settings import *  # noqa: E402, F403
from nasweb.settings import DATABASES, MIDDLEWARE  # noqa: E402

SECRET_KEY = "only-for-tests"  # noqa: S105
DATABASES["default"] |= {"NAME": ":memory:", "CONN_MAX_AGE": 0, "TEST": {"NAME": None}}
DATABASES["default"]["OPTIONS"] = {"transaction_mode": "IMMEDIATE", "timeout": 20}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
MIDDLEWARE.remove("whitenoise.middleware.WhiteNoiseMiddleware")  # nothing is collected for tests
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
ACCOUNT_RATE_LIMITS = False
NASWEB_CHANNEL_KEY = Path(_folder.name) / "channels.key"
NASWEB_MESSAGES_TO_ITSELF = False
NASWEB_MACHINE_STATE = Path(_folder.name) / "machine.json"
NASWEB_STREAMS = 0  # the console of the browser tests has one thread
NASWEB_TAKE_INVENTORY = "tests.guarded.take_inventory"
