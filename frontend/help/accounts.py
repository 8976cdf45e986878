"""The help of the pages about one's own account."""

from __future__ import annotations

ACCOUNTS: dict[str, str] = {
    "account_change_password": (
        "Changes your password for this console. Choose a long one that you use nowhere else. Passwords of "
        "shares are set under People and groups."
    ),
    "mfa_index": (
        "Adds a second step to your sign-in: a code from an app on your phone. Set up the app, then save "
        "the recovery codes. Without phone and codes, only another admin can let you in again."
    ),
    "mfa_activate_totp": (
        "Connects an authenticator app to your account. Scan the code and enter the six digits that the app "
        "shows. The clocks of phone and machine must agree to within half a minute."
    ),
    "account_logout": (
        "Ends your session in this browser. Running jobs continue. On a shared computer, close the browser "
        "afterwards."
    ),
}
