"""The kinds of channels, and the fields of each."""

from __future__ import annotations

from typing import Literal

import msgspec

Looks = Literal["text", "word", "host", "port", "address", "webhook", "email", "emails", "choice", "apprise"]


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to know. A `secret` one is sealed for the worker and never shown again. One that is `where`
    decides whom the secrets are shown to: when it changes, they have to be typed again."""

    name: str
    title: str
    looks: Looks
    hint: str = ""
    example: str = ""
    secret: bool = False
    where: bool = False
    required: bool = True
    default: str = ""
    options: tuple[tuple[str, str], ...] = ()
    hosts: tuple[str, ...] = ()  # the only ones that this may lead to; empty: any
    path: str = ""  # a pattern of the address's path there


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of channel: what it is for in a line, and its fields in the order of the form."""

    name: str
    title: str
    words: str
    fields: tuple[Field, ...]

    def field(self, name: str) -> Field | None:
        """The field of that name."""
        return next((field for field in self.fields if field.name == name), None)


_CERTIFICATE = Field(
    name="certificate", title="Certificate of the server", looks="choice", where=True, required=False,
    default="checked",
    options=(("checked", "must be trusted"), ("any", "any: a server with a self-signed certificate")),
)  # fmt: skip
_SERVER = Field(
    name="server", title="Address of the server", looks="address", where=True,
    example="https://push.example.org",
)  # fmt: skip


def _token(title: str, hint: str, *, required: bool = True) -> Field:
    return Field(name="token", title=title, looks="word", hint=hint, secret=True, required=required)


def _webhook(hint: str, example: str, *hosts: str, path: str = "") -> Field:
    return Field(
        name="url", title="Address of the webhook", looks="webhook", hint=hint, example=example, secret=True,
        hosts=hosts, path=path,
    )  # fmt: skip


_EMAIL = Kind(
    name="email", title="E-mail", words="Through the mail server that you also use for your own mail.",
    fields=(
        Field(name="to", title="To", looks="emails", example="you@example.org",
              hint="Separate several with commas."),
        Field(name="sender", title="From", looks="email", example="nas@example.org",
              hint="Most servers only take an address that belongs to the account."),
        Field(name="server", title="Mail server", looks="host", where=True, example="smtp.example.org"),
        Field(name="encryption", title="Encryption", looks="choice", where=True, default="starttls",
              options=(("starttls", "STARTTLS, port 587"), ("tls", "TLS from the start, port 465"),
                       ("none", "none, port 25: only without a password"))),
        Field(name="port", title="Port", looks="port", where=True, required=False,
              hint="Leave empty for the usual port of the encryption."),
        Field(name="user", title="Account", looks="text", where=True, required=False,
              example="nas@example.org", hint="Leave empty if the server does not ask for one."),
        Field(name="password", title="Password", looks="text", secret=True, required=False,
              hint="If the account has a second factor, create an app password for this NAS."),
        _CERTIFICATE,
    ),
)  # fmt: skip
_NTFY = Kind(
    name="ntfy", title="ntfy",
    words="Push messages through ntfy.sh or a server of your own, without an account.",
    fields=(
        msgspec.structs.replace(_SERVER, default="https://ntfy.sh", example="https://ntfy.sh"),
        Field(name="topic", title="Topic", looks="word", secret=True, example="nas-k7f2q9x4",
              hint="Anyone who knows it can read the messages: choose one that is hard to guess, and "
              "subscribe to it in the app. It is not shown again."),
        _token("Access token", "Only if the server asks for one.", required=False),
        _CERTIFICATE,
    ),
)  # fmt: skip
_GOTIFY = Kind(
    name="gotify", title="Gotify", words="Push messages through a Gotify server of your own.",
    fields=(_SERVER, _token("Token of the application", "Created in Gotify under Apps."), _CERTIFICATE),
)  # fmt: skip
_PUSHOVER = Kind(
    name="pushover", title="Pushover", words="Push messages through pushover.net.",
    fields=(
        Field(name="user", title="User key", looks="word", secret=True, hint="Shown at pushover.net."),
        _token("Token of the application", "Create an application at pushover.net for this NAS."),
    ),
)  # fmt: skip
_TELEGRAM = Kind(
    name="telegram", title="Telegram", words="Your bot writes to a chat.",
    fields=(
        _token("Token of the bot", "BotFather shows it when you create the bot."),
        Field(name="chat", title="Chat", looks="word", example="123456789",
              hint="The chat's number, or @name of a channel. Write to the bot once, so that it may reply."),
    ),
)  # fmt: skip
_MATRIX = Kind(
    name="matrix", title="Matrix", words="Your account writes to a room that is not encrypted.",
    fields=(
        msgspec.structs.replace(_SERVER, title="Home server", example="https://matrix.example.org"),
        _token("Access token", "Of the account that sends. Element shows it under Help & About."),
        Field(name="room", title="Room", looks="word", example="#nas:example.org",
              hint="Its alias or its internal name. The account must be a member."),
        _CERTIFICATE,
    ),
)  # fmt: skip
_DISCORD = Kind(
    name="discord", title="Discord", words="A webhook posts to a channel of a Discord server.",
    fields=(
        _webhook("In the channel's settings under Integrations.", "https://discord.com/api/webhooks/…",
                 "discord.com", "discordapp.com", path=r"/api/webhooks/\d+/[\w-]+/?"),
    ),
)  # fmt: skip
_SLACK = Kind(
    name="slack", title="Slack", words="An incoming webhook posts to a Slack channel.",
    fields=(
        _webhook("Created for your app under Incoming Webhooks.", "https://hooks.slack.com/services/…",
                 "hooks.slack.com", path=r"/services/[A-Z0-9]+/[A-Z0-9]+/[A-Za-z0-9]+/?"),
    ),
)  # fmt: skip
_WEBHOOK = Kind(
    name="webhook", title="Webhook",
    words="JSON with title, message and type is posted to your address.",
    fields=(
        _webhook("http or https. Redirects are not followed.", "https://automation.example.org/hook/…"),
        _CERTIFICATE,
    ),
)  # fmt: skip
_OTHER = Kind(
    name="other", title="Other", words="One of the other services supported by Apprise, by its Apprise URL.",
    fields=(
        Field(name="url", title="Apprise URL", looks="apprise", secret=True, example="mmosts://host/token",
              hint="Bark, Home Assistant, Mattermost, Nextcloud, Opsgenie, PagerDuty, Prowl, Pushbullet, "
              "Rocket.Chat, Signal, SimplePush, Synology Chat, Threema, Twilio, Zulip."),
    ),
)  # fmt: skip

_ALL = (
    _EMAIL, _NTFY, _GOTIFY, _PUSHOVER, _TELEGRAM, _MATRIX, _DISCORD, _SLACK, _WEBHOOK, _OTHER,
)  # fmt: skip
KINDS: dict[str, Kind] = {kind.name: kind for kind in _ALL}

# What an Apprise URL may begin with: services that take a message by HTTP. Not among them are those that talk
# to this machine itself (dbus, syslog, files), and those that need further libraries.
OWN_SERVER = frozenset({
    "bark", "barks", "hassio", "hassios", "mmost", "mmosts", "nctalk", "nctalks", "ncloud", "nclouds",
    "rocket", "rockets", "signal", "signals", "synology", "synologys",
})  # fmt: skip
FIXED_SERVER = frozenset({
    "opsgenie", "pagerduty", "pbul", "prowl", "spush", "threema", "twilio", "zulip",
})  # fmt: skip
