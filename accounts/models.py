"""Accounts, tokens, and the code that makes the first account."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.auth.validators import ASCIIUsernameValidator
from django.db import models
from django.utils import timezone

from accounts.roles import Role, rights


class UserManager(BaseUserManager["User"]):
    """Makes accounts."""

    def create_user(self, username: str, password: str | None = None, *, role: str = Role.VIEWER) -> User:
        """A new account; without a password nobody can sign in with it."""
        user = self.model(username=username, role=role)
        user.set_password(password)
        user.save(using=self._db)
        return user


class User(AbstractBaseUser):
    """A person's account. What it may do follows from its role alone."""

    username = models.CharField(
        max_length=150,
        unique=True,
        validators=[ASCIIUsernameValidator()],
        error_messages={"unique": "There is an account of that name."},
    )
    role = models.CharField(max_length=8, choices=Role.choices, default=Role.VIEWER)
    is_active = models.BooleanField(default=True)
    created = models.DateTimeField(default=timezone.now)

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = UserManager()

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """Whether the role has the right `perm`, a scope or `destroy`."""
        return self.is_active and perm in rights(self.role)


class Token(models.Model):
    """What a script signs in with. Only the SHA-256 of the token is kept."""

    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField()
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    created = models.DateTimeField(default=timezone.now)
    expires = models.DateTimeField(null=True)
    last_used = models.DateTimeField(null=True)
    revoked = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)

    @property
    def usable(self) -> bool:
        """Neither revoked nor expired, and its owner may still sign in."""
        expired = self.expires is not None and self.expires <= timezone.now()
        return self.revoked is None and not expired and self.owner.is_active


class CodeKind(models.TextChoices):
    """Where a one-time code is read."""

    LINK = "link"
    SCREEN = "screen"


class SetupCode(models.Model):
    """A one-time code for the first account, one of each kind. Only its keyed hash is kept."""

    kind = models.CharField(max_length=6, primary_key=True, choices=CodeKind.choices)
    digest = models.CharField(max_length=64)
    expires = models.DateTimeField()
