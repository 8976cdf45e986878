"""Settings, all from the environment; the defaults are those of `make run`."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from django.core.management.utils import get_random_secret_key
from django.utils.csp import CSP

from nasweb.logging import configure

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("DATA_DIR", BASE_DIR / "var")).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)


def _secret_key(path: Path) -> str:
    """The key in `path`; made there, readable by its owner and group only, when it is missing."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(descriptor, "w") as file:
        key = get_random_secret_key()
        file.write(key)
    return key


SECRET_KEY = _secret_key(Path(os.environ.get("NASWEB_SECRET_KEY_FILE", DATA_DIR / "secret-key")))
DEBUG = False
HTTPS = os.environ.get("NASWEB_HTTPS") == "1"

# A console on a LAN is reached by address, so any host name would do, but a name that an attacker's DNS
# points here must not (DNS rebinding). nasweb.hosts lets addresses and local names through.
ALLOWED_HOSTS = ["*"]
NASWEB_HOST_NAMES = [
    "localhost",
    socket.gethostname().lower(),
    *filter(None, os.environ.get("NASWEB_ALLOWED_HOSTS", "").lower().split(",")),
]

INSTALLED_APPS = [
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
    "django_htmx",
    "nasweb.accounts",
    "jobs",
    "frontend",
]
MIDDLEWARE = [
    "nasweb.hosts.LocalNamesOnly",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "nasweb.urls"
WSGI_APPLICATION = "nasweb.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # First ours, so that they replace allauth's plain pages.
        "DIRS": [BASE_DIR / "frontend" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA_DIR / "nasweb.sqlite3",
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
        },
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = [
    "nasweb.accounts.roles.RoleBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
ACCOUNT_ADAPTER = "nasweb.accounts.adapter.ClosedAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Strict"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
USE_X_FORWARDED_HOST = False
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_CSP = {
    "default-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
    "form-action": [CSP.SELF],
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 << 20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "/static/"
STATIC_ROOT = Path(os.environ.get("NASWEB_STATIC_ROOT", DATA_DIR / "static"))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"},
}

REST_FRAMEWORK = {
    # The token comes first: the first authenticator decides between 401 and 403.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "nasweb.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["nasweb.api.permissions.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["nasweb.api.json.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["nasweb.api.json.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "nasweb.api.problems.answer",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Nasweb",
    "DESCRIPTION": "Everything the console can do, for scripts. Each write is first a plan.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "POSTPROCESSING_HOOKS": ["nasweb.api.schema.document_problems"],
}

NASWEB_HOST = os.environ.get("NASWEB_HOST", "simulated")
NASWEB_HELPER_SOCKET = os.environ.get("NASWEB_HELPER_SOCKET", "/run/nasweb/helper.sock")
NASWEB_MACHINE = os.environ.get("MACHINE", "home")
NASWEB_MACHINE_STATE = DATA_DIR / f"machine-{NASWEB_MACHINE}.json"
NASWEB_OPERATIONS = "nasweb.operations.OPERATIONS"
NASWEB_HOST_FACTORY = "nasweb.host.the_host"
NASWEB_TAKE_INVENTORY = "nasweb.host.take_inventory"

CELERY_BROKER_URL = os.environ.get("NASWEB_BROKER_URL", "filesystem://")
if CELERY_BROKER_URL.startswith("filesystem:"):
    _queue = DATA_DIR / "queue"
    (_queue / "control").mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_queue),
        "data_folder_out": str(_queue),
        "control_folder": str(_queue / "control"),
    }
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 2, "socket_timeout": 10}
CELERY_TASK_ALWAYS_EAGER = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False  # a task acknowledged late can be delivered twice
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    # What was not picked up before the next tick is dropped: no pile of refreshes after a pause.
    "refresh": {"task": "jobs.tasks.refresh", "schedule": 15.0, "options": {"expires": 14}},
    "sweep": {"task": "jobs.tasks.sweep", "schedule": 10.0, "options": {"expires": 9}},
}

LOGGING_CONFIG = None
configure(level=os.environ.get("NASWEB_LOG", "WARNING"))
