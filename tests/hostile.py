"""What strangers may send: bodies, addresses and headers that are no request of this console."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from typing import Any

from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLResolver, get_resolver

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=x"
# In WSGI a header, a path and a query are the bytes that came, each as one character.
NO_UTF8 = b"\xff\xfe\xc3\x28".decode("latin-1")
SURROGATE = b"\xed\xa0\x80".decode("latin-1")

# What goes to every address. The rest is read by code that all addresses share, and goes to a few.
EVERYWHERE = (
    "invalid UTF-8", "invalid UTF-8 in a key", "a lone surrogate", "a lone surrogate in a key", "NUL",
    "nested 1 000 deep", "a form", "plain text",
)  # fmt: skip
BODIES: dict[str, tuple[bytes, str]] = {
    "invalid UTF-8": (b'{"name": "\xff\xfe"}', JSON),
    "invalid UTF-8 in a key": (b'{"\xc3\x28": 1}', JSON),
    "invalid UTF-8 alone": (b"\xff", JSON),
    "a surrogate's bytes": (b'{"name": "\xed\xa0\x80"}', JSON),
    "a lone surrogate": (b'{"name": "a\\ud800b"}', JSON),
    "a lone surrogate in a key": (b'{"a\\udfffb": 1}', JSON),
    "NUL": (b'{"name": "a\\u0000b", "a\\u0000": "\\u0000"}', JSON),
    "NUL alone": (b"\0" * 100, JSON),
    "UTF-16": ('{"name": "x"}'.encode("utf-16"), JSON),
    "nested 1 000 deep": (b'{"name": ' + b"[" * 1000 + b"]" * 1000 + b"}", JSON),
    "nested 100 000 deep": (b"[" * 100_000, JSON),
    "a number without end": (b'{"name": ' + b"9" * 5000 + b"}", JSON),
    "another charset": (b'{"name": "\xe4"}', f"{JSON}; charset=latin-1"),
    "no such charset": (b"{}", f"{JSON}; charset=\xff"),
    "plain text": (b"name=x", "text/plain"),
    "no type": (b"{}", ""),
    "a form": (b"name=%FF&%00=%ED%A0%80&=&&%", FORM),
    "a form of another charset": (b"name=%FF", f"{FORM}; charset=utf-16"),
    "a form of no charset": (b"name=%FF", f"{FORM}; charset=none-such"),
    "a form without a boundary": (b"--x\r\n\r\n", "multipart/form-data"),
    "a form of a broken boundary": (b"--\xff\r\n\r\n", "multipart/form-data; boundary=\xff"),
    "a form that ends early": (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="\xff\0"\r\n\r\nabc', PARTS,
    ),
    "a form of broken base64": (
        b"--x\r\nContent-Disposition: x; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\n\xff\r\n--x",
        PARTS,
    ),
}  # fmt: skip
QUERIES = (
    NO_UTF8, f"{NO_UTF8}={NO_UTF8}", "%FF=%FF", "%00=%00", "%ED%A0%80=%ED%A0%80", "%", "&&&=&=", "a[]=\0",
    "&".join(f"a{index}=" for index in range(3000)),
)  # fmt: skip
WORST = ("9" * 5000, '{"name": "\\ud800"}')  # what was found to break most
VALUES = (
    *WORST, "\0", "\ufffd", "a\0b", "-1", "1e999", "nan", "-inf", "\u00b2", "\u0663", "../..", "\u202e", "{",
    "null", '{"\\ud800": 1}', "[" * 100_000, '{"name": ' + "9" * 5000 + "}", "x" * 70_000, "yes",
    "0001-01-01T00:00:00", "9999-12-31T23:59:59+14:00",
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
)  # fmt: skip
# What a path's parameter may be: any bytes but those that its converter leaves out.
PARAMETERS = (NO_UTF8, "\0", "a\nb", "x" * 5000, SURROGATE, "%FF", "..", "\u00ad", "@", "9" * 400)
_OF_ONE = {
    "HTTP_AUTHORIZATION": (NO_UTF8, f"Bearer {NO_UTF8}", f"Bearer nas_{SURROGATE}", "Bearer \0", "Bearer",
                           f"Bearer nas_{'x' * 60_000}", "Basic \xff"),
    "HTTP_COOKIE": (NO_UTF8, f"nasweb_session={NO_UTF8}; nasweb_csrf={NO_UTF8}", "=;=;\0",
                    "nasweb_session=\0; nasweb_csrf=\0; messages=\xff; messages=[[",
                    f"nasweb_session={'x' * 60_000}", "nasweb_known=\xff:\0:\xed\xa0\x80"),
    "HTTP_PREFER": (NO_UTF8, "wait=\xb2", "wait=" + "9" * 5000, "wait=-1", "wait=nan", "\0"),
    "HTTP_IDEMPOTENCY_KEY": (NO_UTF8, "\0", "", "x" * 5000),
    "CONTENT_LENGTH": ("-1", "x", "\xb2", "9" * 5000, "0x10", ""),
    "HTTP_HOST": (NO_UTF8, "\0", "[::1", "a:b:c", "localhost:\xb2", "x" * 5000),
    "HTTP_X_FORWARDED_FOR": (NO_UTF8, ",,,", "x" * 5000),
    "HTTP_RANGE": (NO_UTF8, "bytes=" + "9" * 5000 + "-"),
    "HTTP_IF_RANGE": (NO_UTF8,), "HTTP_IF_MODIFIED_SINCE": (NO_UTF8,), "HTTP_IF_NONE_MATCH": (NO_UTF8,),
    "HTTP_ACCEPT": (NO_UTF8,), "HTTP_ACCEPT_LANGUAGE": (NO_UTF8,), "HTTP_ACCEPT_ENCODING": (NO_UTF8,),
    "HTTP_USER_AGENT": (NO_UTF8,), "HTTP_REFERER": (f"http://{NO_UTF8}[",), "HTTP_ORIGIN": ("http://[\xff",),
    "HTTP_X_CSRFTOKEN": (NO_UTF8,), "HTTP_HX_CURRENT_URL": (f"http://[{NO_UTF8}",),
}  # fmt: skip
HEADERS = tuple(
    {name: value, "HTTP_HX_REQUEST": "true"} for name, found in _OF_ONE.items() for value in found
)
# All at once, for every address.
ALL_HEADERS = tuple(
    {"HTTP_PREFER": bad, "HTTP_IDEMPOTENCY_KEY": key, "HTTP_RANGE": f"bytes={bad}-", "HTTP_IF_RANGE": bad,
     "HTTP_COOKIE": f"nasweb_session={bad}; nasweb_csrf={bad}; messages={bad}", "HTTP_ACCEPT": bad,
     "HTTP_IF_NONE_MATCH": bad, "HTTP_IF_MODIFIED_SINCE": bad, "HTTP_HX_REQUEST": "true",
     "HTTP_HX_CURRENT_URL": f"http://[{bad}", "HTTP_REFERER": f"http://[{bad}", "HTTP_X_FORWARDED_FOR": bad}
    for bad, key in ((NO_UTF8, NO_UTF8), ("9" * 5000, "key"))
)  # fmt: skip

_PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>|\{(\w+)\}")
_NUMBERS = {"int"}


def pages() -> tuple[str, ...]:
    """The address of each page, as it is written in `urls.py`."""
    found = _routes(get_resolver().url_patterns, "/")
    return tuple(route for route in found if not route.startswith("/api/v1/") and "^" not in route)


def _routes(patterns: Iterable[Any], before: str) -> Iterator[str]:
    for pattern in patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        else:
            yield route


def filled(route: str, values: Mapping[str, str], otherwise: str = "1") -> str:
    """An address with a value for each of its parameters; where it takes a number only, a number."""
    return _PARAMETER.sub(
        lambda found: "1" if found[1] in _NUMBERS else values.get(found[2] or found[3], otherwise), route
    )


def takes_text(route: str) -> bool:
    """Whether the address has a parameter that is not a number."""
    return any(found[1] not in _NUMBERS for found in _PARAMETER.finditer(route))


def answers(
    client: Client,
    method: str,
    path: str,
    body: bytes = b"",
    kind: str = "",
    headers: Mapping[str, str] | None = None,
) -> str | None:
    """What is wrong with the answer: a fault of the server, or that there is none. None for any other answer.

    `path` and `headers` (any variables of WSGI) are as WSGI has them: each byte is a character.
    """
    environ: dict[str, Any] = {
        "PATH_INFO": path,
        "CONTENT_TYPE": kind,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),  # not copied, as the client would: most are refused unread
        **(headers or {}),
    }
    try:
        answer: HttpResponseBase = client.generic(method, "/", **environ)
        if answer.streaming:
            answer.close()
    except Exception as error:  # noqa: BLE001 - whatever it is, the connection would be dropped
        return f"{method} {path[:80]}: {type(error).__name__}: {str(error)[:200]}"
    if answer.status_code >= 500:
        return f"{method} {path[:80]}: {answer.status_code}"
    return None
