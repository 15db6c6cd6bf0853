"""Where alerts go, as the environment says: read by `settings`, used by `alerts`.

Belongs here: the variables' names and what they may say. Addresses and passwords are never shown: the address of a
webhook is often itself the secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from typing import Final, Literal, get_args
from urllib.parse import urlsplit

PREFIX: Final = "SCORETRAIL_ALERT_"
SMTP_PASSWORD: Final = "SCORETRAIL_SECRET_SMTP_PASSWORD"  # noqa: S105 - a name
WEBHOOK_TOKEN: Final = "SCORETRAIL_SECRET_WEBHOOK_TOKEN"  # noqa: S105 - a name

Encryption = Literal["starttls", "tls", "none"]


class AlertSettingsError(ValueError):
    """A variable that makes no sense: which, and what is meant; never its value."""


@dataclass(frozen=True, slots=True)
class AlertSettings:
    """Receivers of alerts; none by default.

    Attributes:
        webhook: an address that takes a JSON object by POST (SCORETRAIL_ALERT_WEBHOOK).
        webhook_token: sent to it as a bearer token (SCORETRAIL_SECRET_WEBHOOK_TOKEN).
        mail_to, mail_from: SCORETRAIL_ALERT_MAIL_TO (several with commas), SCORETRAIL_ALERT_MAIL_FROM.
        smtp_host, smtp_port: SCORETRAIL_ALERT_SMTP, as host or host:port; localhost:25 unless given.
        smtp_user, smtp_password: SCORETRAIL_ALERT_SMTP_USER, SCORETRAIL_SECRET_SMTP_PASSWORD.
        encryption: SCORETRAIL_ALERT_SMTP_ENCRYPTION: starttls (default with a user), tls, or none.
    """

    webhook: str | None = field(default=None, repr=False)
    webhook_token: str | None = field(default=None, repr=False)
    mail_to: tuple[str, ...] = ()
    mail_from: str = "scoretrail@localhost"
    smtp_host: str = "localhost"
    smtp_port: int = 25
    smtp_user: str | None = None
    smtp_password: str | None = field(default=None, repr=False)
    encryption: Encryption = "none"

    @property
    def is_set(self) -> bool:
        """Whether anybody is told."""
        return self.webhook is not None or bool(self.mail_to)


def alert_settings(environ: Mapping[str, str]) -> AlertSettings:
    """The receivers that the environment names.

    Raises:
        AlertSettingsError: for a variable that makes no sense.
    """

    def said(name: str) -> str | None:
        return environ.get(PREFIX + name, "").strip() or None

    webhook = said("WEBHOOK")
    if webhook is not None:
        parts = urlsplit(webhook)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise AlertSettingsError(f"{PREFIX}WEBHOOK: an http or https address is meant")
    receivers = tuple(part.strip() for part in (said("MAIL_TO") or "").split(",") if part.strip())
    sender = said("MAIL_FROM") or "scoretrail@localhost"
    for name, address in (*(("MAIL_TO", one) for one in receivers), ("MAIL_FROM", sender)):
        if "@" not in parseaddr(address)[1] or any(character < " " for character in address):
            raise AlertSettingsError(f"{PREFIX}{name}: a mail address is meant")
    user = said("SMTP_USER")
    encryption = said("SMTP_ENCRYPTION") or ("starttls" if user else "none")
    if encryption not in get_args(Encryption):
        raise AlertSettingsError(f"{PREFIX}SMTP_ENCRYPTION: one of {', '.join(get_args(Encryption))} is meant")
    if user is not None and encryption == "none":
        raise AlertSettingsError(
            f"{PREFIX}SMTP_ENCRYPTION: a password is not sent in the open; starttls or tls is meant"
        )
    host, _, port = (said("SMTP") or "localhost").rpartition(":")
    if not host:
        host, port = port, ""
    if port and not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise AlertSettingsError(f"{PREFIX}SMTP: host or host:port is meant")
    return AlertSettings(
        webhook=webhook,
        webhook_token=environ.get(WEBHOOK_TOKEN, "").strip() or None,
        mail_to=receivers,
        mail_from=sender,
        smtp_host=host,
        smtp_port=int(port) if port else {"tls": 465, "starttls": 587}.get(encryption, 25),
        smtp_user=user,
        smtp_password=environ.get(SMTP_PASSWORD, "").strip() or None,
        encryption={"tls": "tls", "starttls": "starttls"}.get(encryption, "none"),  # type: ignore[arg-type]
    )
