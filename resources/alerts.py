"""Telling people that a night needs them: by webhook and by mail, with the reason and the next step.

Belongs here: the message and its delivery. When a night needs people is `pipelines.night`. A receiver that does not
answer is reported and stops nothing, least of all the other receiver.
"""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from email.message import EmailMessage
from threading import Thread
from typing import Final
from urllib.parse import urlsplit

import httpx

from resources.alert_settings import AlertSettings
from resources.http import keep_addresses_out_of_logs

SECONDS: Final = 20.0
"""At most so long between two bytes of a receiver."""
WHOLE_SECONDS: Final = 60.0
"""At most so long for a receiver, whatever it sends."""
SCHEMA: Final = "scoretrail.alert/1"
TOLD: Final = 20


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that needs a person.

    Attributes:
        what: the source, gate or step.
        reason: what happened.
        next_step: what to do about it.
    """

    what: str
    reason: str
    next_step: str


@dataclass(frozen=True, slots=True)
class Alert:
    """What is told of one night: a line, the day, the release that stands, and everything that needs a person."""

    subject: str
    as_of: str
    exit_code: int
    published: str | None
    troubles: tuple[Trouble, ...]

    def text(self) -> str:
        """The alert for people."""
        lines = [self.subject, ""]
        for trouble in self.troubles[:TOLD]:
            lines += [f"* {trouble.what}: {_plain(trouble.reason)}", f"  next: {_plain(trouble.next_step)}"]
        if len(self.troubles) > TOLD:
            lines.append(f"* and {len(self.troubles) - TOLD} more: scoretrail status")
        return "\n".join(lines) + "\n"


def send(alert: Alert, settings: AlertSettings) -> list[str]:
    """Sends an alert to every receiver; gives what went wrong, in words without addresses or secrets."""
    faults = []
    if settings.webhook is not None:
        faults += _faults("webhook", lambda: _post(alert, settings))
    if settings.mail_to:
        faults += _faults("mail", lambda: _mail(alert, settings))
    return faults


def _faults(name: str, deliver: Callable[[], None]) -> list[str]:
    """Why a delivery failed; none where it did not. One that answers a byte now and then is left behind in the end."""
    delivery: Future[None] = Future()

    def work() -> None:
        try:
            deliver()
            delivery.set_result(None)
        except BaseException as error:  # noqa: BLE001 - handed to the caller below
            delivery.set_exception(error)

    Thread(target=work, daemon=True).start()
    try:
        delivery.result(WHOLE_SECONDS)
    except TimeoutError:
        if delivery.done():  # its own: a pause between two bytes
            return [f"the alert by {name} was not delivered: TimeoutError"]
        return [f"the alert by {name} was not delivered: no whole answer in {WHOLE_SECONDS:g} s"]
    except (httpx.HTTPError, httpx.InvalidURL, smtplib.SMTPException, OSError, ValueError) as error:
        # The error's own text may quote an address that is a secret: only its kind is told.
        told = f"status {error.response.status_code}" if isinstance(error, httpx.HTTPStatusError) else ""
        return [f"the alert by {name} was not delivered: {told or type(error).__name__}"]
    return []


def _post(alert: Alert, settings: AlertSettings) -> None:
    assert settings.webhook is not None
    headers = {"authorization": f"Bearer {settings.webhook_token}"} if settings.webhook_token else {}
    body = {"schema": SCHEMA, "text": alert.text(), **asdict(alert)}
    keep_addresses_out_of_logs()
    with httpx.Client(timeout=SECONDS, trust_env=False, follow_redirects=False) as client:
        client.post(settings.webhook, json=body, headers=headers).raise_for_status()


def _mail(alert: Alert, settings: AlertSettings) -> None:
    message = EmailMessage()
    message["From"] = settings.mail_from
    message["To"] = ", ".join(settings.mail_to)
    message["Subject"] = f"scoretrail: {_plain(alert.subject)}"[:180]
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(alert.text())
    with _connect(settings) as server:
        if settings.smtp_user is not None:
            server.login(settings.smtp_user, settings.smtp_password or "")
        server.send_message(message)


def _connect(settings: AlertSettings) -> smtplib.SMTP:
    context = ssl.create_default_context()
    if settings.encryption == "tls":
        return smtplib.SMTP_SSL(settings.smtp_host, settings.smtp_port, timeout=SECONDS, context=context)
    server = smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=SECONDS)
    if settings.encryption == "starttls":
        server.starttls(context=context)
    return server


def _plain(text: str) -> str:
    """One line: what upstream wrote may not begin a header or a line of its own."""
    return " ".join("".join(character if character >= " " else " " for character in text).split())[:600]


def webhook_host(settings: AlertSettings) -> str | None:
    """The host of the webhook: all of its address that may be shown."""
    return None if settings.webhook is None else urlsplit(settings.webhook).hostname


def subject_of(as_of: str, published: str | None, troubles: Sequence[Trouble]) -> str:
    """The line that says how bad it is."""
    outcome = f"published {published}" if published else "NOT published"
    return f"{as_of} {outcome}; {len(troubles)} {'matter needs' if len(troubles) == 1 else 'matters need'} you"
