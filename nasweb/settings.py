"""Settings. What differs between installations comes from the environment (see README.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.utils.csp import CSP

from nasweb import environment, logs

BASE_DIR = Path(__file__).parent.parent
DATA_DIR = environment.folder("DATA_DIR", BASE_DIR / "var")
DEBUG = environment.flag("NASWEB_DEBUG")
SECRET_KEY = environment.secret_key(
    Path(environment.text("NASWEB_SECRET_KEY_FILE", str(DATA_DIR / "secret-key")))
)

# The machine
NASWEB_HOST = environment.text("NASWEB_HOST", "simulated")  # or helper: the real machine
NASWEB_HELPER_SOCKET = environment.text("NASWEB_HELPER_SOCKET", "/run/nasweb/helper.sock")
NASWEB_MACHINE = environment.text("MACHINE", "home")  # which simulated one
NASWEB_MACHINE_STATE = DATA_DIR / f"machine-{NASWEB_MACHINE}.json"
# Passphrases wait here for their job, for minutes and in memory: see host.secrets.
NASWEB_SECRETS = Path(environment.text("NASWEB_SECRETS", str(DATA_DIR / "secrets")))
# The worker's key, which opens the secrets of channels: see alerts.channels.sealing.
NASWEB_CHANNEL_KEY = Path(environment.text("NASWEB_CHANNEL_KEY", str(DATA_DIR / "channels.key")))
# Where the code for the machine's own screen waits (accounts.screen); empty where there is none.
NASWEB_SCREEN = Path(_screen) if (_screen := environment.text("NASWEB_SCREEN", "")) else None
NASWEB_MESSAGES_TO_ITSELF = environment.flag("NASWEB_MESSAGES_TO_ITSELF")  # for trying channels out
NASWEB_HOST_FACTORY = "nasweb.host.the_host"
NASWEB_KERNEL_FILES_FACTORY = "nasweb.host.the_kernel_files"
NASWEB_COLLECTORS = "nasweb.collectors.COLLECTORS"
NASWEB_TAKE_INVENTORY = "nasweb.host.take_inventory"
NASWEB_FORGET_FACTS = "nasweb.host.forget_facts"
NASWEB_ACTOR = "accounts.actor.acting"
NASWEB_OPERATIONS = "nasweb.operations.OPERATIONS"
NASWEB_DOWNLOADS_FACTORY = "nasweb.host.the_downloads"
NASWEB_UPLOADS_FACTORY = "nasweb.host.the_uploads"
NASWEB_QUESTIONS = "nasweb.questions.QUESTIONS"
NASWEB_KEEPING = "nasweb.backup.BACKUP_TABLES"

# Where it is reached. `nasweb.reach` decides on host names, hence the star for Django.
HTTPS = environment.flag("NASWEB_HTTPS")  # behind nginx, which sets X-Forwarded-Proto and -For
NASWEB_BIND, NASWEB_PORT = environment.address(DATA_DIR / "listens")
NASWEB_ALLOWED_HOSTS = environment.words("NASWEB_ALLOWED_HOSTS")
ALLOWED_HOSTS = ["*"]
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    # A self-made certificate must stay an exception that a person can make, so no HSTS.

INSTALLED_APPS = [
    "accounts",
    "jobs",
    "disks",
    "replication",
    "pools",
    "shares",
    "backups",
    "machine",
    "alerts",
    "frontend",
    "nasweb.api",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "nasweb.reach.OnlyOwnNames",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "frontend.zone.MachineZone",
]
ROOT_URLCONF = "nasweb.urls"
WSGI_APPLICATION = "nasweb.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "frontend"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# Storage of our own. FULL: a job's row must survive a power cut, or the job could run again.
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA_DIR / "nasweb.sqlite3",
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }
}
# What was measured over time; made when missing, see jobs.series. The last day of it lies in memory on a NAS.
NASWEB_SERIES = DATA_DIR / "series.sqlite3"
NASWEB_RECENT = Path(environment.text("NASWEB_RECENT", str(DATA_DIR / "series.recent")))
# Pages that hear of changes by a stream, each of which takes one of the web server's 32 threads; others poll.
NASWEB_STREAMS = 12
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
}  # counts of wrong passwords: nobody may push them out
USE_TZ = True
TIME_ZONE = "UTC"
NASWEB_TIME_ZONE = environment.machine_time_zone()  # of schedules, until somebody says another
NASWEB_TIME_ZONE_GIVEN = bool(environment.text("NASWEB_TIME_ZONE", ""))  # else it follows the machine's
USE_I18N = False
LANGUAGE_CODE = "en"

# Static files, collected once and served for ever under hashed names
STATIC_URL = "/static/"
STATIC_ROOT = Path(environment.text("NASWEB_STATIC_ROOT", str(DATA_DIR / "static")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"},
}

# What the browser may load and send
SECURE_CSP: dict[str, Any] = {
    "default-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],  # the picture that carries a second factor's secret
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_NAME = "nasweb_session"
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_NAME = "nasweb_csrf"
CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Strict"
CSRF_FAILURE_VIEW = "nasweb.errors.csrf_failed"
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 << 20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000

# People
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "accounts.adapter.ClosedDoor"
ACCOUNT_USER_MODEL_EMAIL_FIELD = None
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_REDIRECT_URL = "/accounts/login/"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
ACCOUNT_RATE_LIMITS: dict[str, str] | bool = {
    "login": "30/m/ip",
    "login_failed": "10/m/ip,5/300s/key",  # by name and address: see accounts.adapter
    "login_known": "5/300s/key",  # by name and a browser that signed in before
    "login_strangers": "60/300s/key",  # by name, of all addresses together
    "code_failed": "5/300s/key,10/3600s/key",  # of the second factor: as for passwords, but codes are short
    "code_known": "5/300s/key",
    "code_strangers": "40/3600s/key",
    "reauthenticate": "10/m/user",
    "failed_noted": "1/600s/key",  # in the audit log: see accounts.recorded
    "failed_noted_all": "60/3600s/key",
}
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if HTTPS else 0
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_FORMS = {"authenticate": "accounts.forms.CodeForm"}
MFA_TOTP_ISSUER = "Nasweb"

# The REST API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "nasweb.api.authentication.BearerToken",
        "nasweb.api.authentication.BrowserSession",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["jobs.api.wire.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["jobs.api.wire.JSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "jobs.api.wire.AlwaysJSON",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "nasweb.api.schema.BodiesOnDelete",
    "EXCEPTION_HANDLER": "nasweb.api.answers.answer",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Nasweb",
    "DESCRIPTION": (
        "Every change is first a plan: what was shown is what runs, or nothing runs. "
        "What cannot be done is answered with a problem (RFC 9457), and its type leads to a page about it."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "POSTPROCESSING_HOOKS": ["nasweb.api.schema.document_errors"],
    "COMPONENT_SPLIT_PATCH": False,
}

# The queue. It carries the id of a job and nothing that would have to be trusted.
CELERY_BROKER_URL = environment.text("NASWEB_BROKER_URL", "filesystem://localhost/")
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
    "socket_connect_timeout": 2,
    "socket_timeout": 10,
    # A sender that finds nobody says so at once: the row waits, and the sweep brings the message later.
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.1,
}
if CELERY_BROKER_URL.startswith("filesystem://"):
    _queue = environment.folder("NASWEB_BROKER_FOLDER", DATA_DIR / "broker" / "messages")
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_queue),
        "data_folder_out": str(_queue),
        "control_folder": str(environment.folder("NASWEB_BROKER_CONTROL", DATA_DIR / "broker" / "control")),
        "store_processed": False,
    }
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_ACKS_LATE = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ALWAYS_EAGER = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_TIMEZONE = "UTC"
# What the worker's clock carries out, each so many seconds after it was last due.
TICKS = {
    "jobs.tasks.refresh_periodically": 15.0,
    "jobs.tasks.sweep": 10.0,
    "jobs.tasks.run_schedules": 60.0,
    "shares.tasks.follow": 5.0,
    "machine.tasks.keep_copies": 60.0,
    "replication.tasks.follow": 30.0,
    "backups.tasks.follow": 5.0,
    "machine.tasks.follow_speed": 15.0,
    "pools.tasks.follow_benchmarks": 15.0,
    "pools.tasks.run_policies": 60.0,
    "pools.tasks.follow_traffic": 60.0,
    "pools.tasks.forget_uploads": 3600.0,
    "jobs.tasks.forget_routine": 3600.0,
    "disks.tasks.watch": 3.0,
    "disks.tasks.follow": 30.0,
    "disks.tasks.run_self_tests": 60.0,
    "jobs.tasks.collect": 10.0,
    "disks.tasks.read_smart": 300.0,
    "alerts.tasks.watch": 10.0,
    "alerts.tasks.tell": 5.0,
    "alerts.tasks.prepare_messages": 15.0,
    "alerts.tasks.ping": 10.0,
    "alerts.tasks.read_md_events": 3.0,
    "alerts.tasks.read_zed_events": 3.0,
    "alerts.tasks.sample_watched": 3.0,
    "alerts.tasks.compare": 60.0,
    "alerts.tasks.measure": 300.0,
    "jobs.tasks.flush_series": 900.0,
}

LOGGING = logs.configure(
    json=environment.text("NASWEB_LOG_FORMAT", "json" if HTTPS else "text") == "json",
    level=environment.text("NASWEB_LOG", "INFO"),
    to_journal=logs.at_terminal(),
)
SILENCED_SYSTEM_CHECKS: list[str] = []
