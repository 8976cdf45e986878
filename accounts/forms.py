"""The form of the sign-in library that asks for the code of a second factor."""

from __future__ import annotations

from allauth.account.adapter import get_adapter as account_adapter
from allauth.core import context
from allauth.mfa.adapter import get_adapter as mfa_adapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.models import Authenticator

from accounts import devices


class CodeForm(AuthenticateForm):  # type: ignore[misc]
    """Counts wrong codes as `ClosedDoor` does wrong passwords.

    The library counts them by the account alone: whoever knew its password could lock its owner out.
    """

    def clean_code(self) -> str:
        """The code, if it is right; `authenticator` is then what it belongs to. Raises `ValidationError`."""
        counted = devices.count(context.request, self.user.username, "code")
        if counted is None:
            raise account_adapter().validation_error("too_many_login_attempts")
        code: str = self.cleaned_data["code"]
        typed = (Authenticator.Type.TOTP, Authenticator.Type.RECOVERY_CODES)
        found = list(Authenticator.objects.filter(user=self.user, type__in=typed).order_by("-type"))
        for one in found:
            if one.wrap().validate_code(code):
                one.user, self.authenticator = self.user, one
                counted.rollback()
                return code
        if found:
            self._emit_authentication_failed(found[0])
        raise mfa_adapter().validation_error("incorrect_code")
