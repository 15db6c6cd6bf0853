"""Alerts against local receivers: what a webhook and a mail box get, what is never shown, and what a dead one costs."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from local_server import LocalServer, local_server, plain
from mail_receiver import MailReceiver, mail_receiver

import resources.alerts
from resources.alert_settings import AlertSettings, AlertSettingsError, alert_settings
from resources.alerts import Alert, Trouble, send, subject_of, webhook_host
from resources.settings import Settings, SettingsError

TROUBLES = (
    Trouble("gate rows-lost", "rows lost: board 9/12 > 0.2 (12 -> 3)", "wait, correct or waive it"),
    Trouble("source b (failed)", "status 503\r\nBcc: everybody@example.org", "scoretrail sync b"),
)
ALERT = Alert(subject_of("2026-10-20", None, TROUBLES), "2026-10-20", 1, None, TROUBLES)


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server() as running:
        yield running


@pytest.fixture
def mail() -> Iterator[MailReceiver]:
    with mail_receiver() as running:
        yield running


def test_a_webhook_gets_reason_and_next_step_as_json(server: LocalServer) -> None:
    server.answers["/hook"] = plain(b"ok")
    settings = AlertSettings(webhook=server.url("/hook?key=hush"), webhook_token="hush-token")
    assert send(ALERT, settings) == []
    path, headers = server.seen[0]
    assert (path, headers["authorization"]) == ("/hook?key=hush", "Bearer hush-token")
    body = json.loads(server.posted[0])
    assert body["schema"] == "scoretrail.alert/1"
    assert body["subject"] == "2026-10-20 NOT published; 2 matters need you"
    assert body["troubles"][0]["next_step"] == "wait, correct or waive it"
    assert "next: scoretrail sync b" in body["text"]


def test_a_mail_says_the_same_and_bears_no_foreign_header(mail: MailReceiver) -> None:
    settings = AlertSettings(mail_to=("a@example.org", "b@example.org"), smtp_host="127.0.0.1", smtp_port=mail.port)
    assert send(ALERT, settings) == []
    (message,) = mail.mails
    assert message["Subject"] == "scoretrail: 2026-10-20 NOT published; 2 matters need you"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Bcc"] is None
    assert mail.receivers == ["a@example.org", "b@example.org"]
    text = message.get_content()
    assert "* gate rows-lost: rows lost: board 9/12 > 0.2 (12 -> 3)" in text
    assert "status 503 Bcc: everybody@example.org" in text


def test_a_dead_receiver_costs_the_other_nothing_and_shows_no_secret(
    server: LocalServer, mail: MailReceiver, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    server.answers["/hook"] = plain(b"", 500)
    settings = AlertSettings(
        webhook=server.url("/hook/hush-path?key=hush"), webhook_token="hush-token", mail_to=("a@example.org",),
        smtp_host="127.0.0.1", smtp_port=mail.port,
    )  # fmt: skip
    server.answers["/hook/hush-path"] = plain(b"", 500)
    faults = send(ALERT, settings)
    assert faults == ["the alert by webhook was not delivered: status 500"]
    assert len(mail.mails) == 1
    out = capfd.readouterr()
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith(("httpcore", "httpx"))]
    for told in (*faults, *ours, repr(settings), out.out, out.err):
        assert "hush" not in told


def test_httpx_writes_no_address_at_the_level_of_production(
    server: LocalServer, caplog: pytest.LogCaptureFixture
) -> None:
    """httpx logs every address at INFO: it is silenced where ours may be a secret."""
    caplog.set_level(logging.INFO)
    server.answers["/hook"] = plain(b"ok")
    send(ALERT, AlertSettings(webhook=server.url("/hook?key=hush")))
    assert "hush" not in caplog.text


def test_a_refused_mail_and_a_closed_port_are_told(server: LocalServer, mail: MailReceiver) -> None:
    mail.refuses = True
    refused = AlertSettings(mail_to=("a@example.org",), smtp_host="127.0.0.1", smtp_port=mail.port)
    assert send(ALERT, refused) == ["the alert by mail was not delivered: SMTPRecipientsRefused"]
    closed = AlertSettings(webhook="http://127.0.0.1:9/x")
    assert send(ALERT, closed) == ["the alert by webhook was not delivered: ConnectError"]


@pytest.mark.parametrize("by", ["webhook", "mail"])
def test_a_receiver_that_answers_a_byte_now_and_then_holds_up_no_night(
    by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each byte comes within the time between two; the answer never ends."""
    monkeypatch.setattr(resources.alerts, "WHOLE_SECONDS", 0.4)
    ended = threading.Event()

    def drip(listening: socket.socket) -> None:
        talking, _ = listening.accept()
        with talking:
            while not ended.wait(0.05):
                talking.sendall(b"2")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip, args=(listening,), daemon=True)
        thread.start()
        port = listening.getsockname()[1]
        webhook, mail = {"WEBHOOK": f"http://127.0.0.1:{port}/token"}, {"MAIL_TO": "a@b.c", "SMTP": f"127.0.0.1:{port}"}
        named = webhook if by == "webhook" else mail
        began = time.monotonic()
        said = send(ALERT, alert_settings({f"SCORETRAIL_ALERT_{name}": value for name, value in named.items()}))
        assert said == [f"the alert by {by} was not delivered: no whole answer in 0.4 s"]
        assert time.monotonic() - began < 5
        ended.set()
        thread.join()


def test_a_redirected_webhook_is_not_followed(server: LocalServer) -> None:
    server.answers["/hook"] = plain(b"", 302, location=server.url("/elsewhere"))
    assert send(ALERT, AlertSettings(webhook=server.url("/hook"))) == [
        "the alert by webhook was not delivered: status 302"
    ]
    assert len(server.posted) == 1


def test_many_troubles_are_cut() -> None:
    alert = Alert("s", "2026-10-20", 3, "r", tuple(Trouble(f"source {n}", "x", "y") for n in range(50)))
    assert "and 30 more: scoretrail status" in alert.text()
    assert subject_of("2026-10-20", "r", TROUBLES[:1]) == "2026-10-20 published r; 1 matter needs you"


def test_receivers_come_from_the_environment() -> None:
    environ = {
        "SCORETRAIL_ALERT_WEBHOOK": "https://hooks.example.org/hush",
        "SCORETRAIL_ALERT_MAIL_TO": "a@example.org, Team <b@example.org>",
        "SCORETRAIL_ALERT_SMTP": "mail.example.org:2525",
        "SCORETRAIL_ALERT_SMTP_USER": "me",
        "SCORETRAIL_SECRET_SMTP_PASSWORD": "hush",
    }
    found = Settings.from_env(environ=environ).alerts
    assert found.is_set
    assert found.mail_to == ("a@example.org", "Team <b@example.org>")
    assert (found.smtp_host, found.smtp_port, found.encryption) == ("mail.example.org", 2525, "starttls")
    assert webhook_host(found) == "hooks.example.org"
    assert "hush" not in repr(found)
    assert not alert_settings({}).is_set


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WEBHOOK", "ftp://hush/x"),
        ("WEBHOOK", "hush"),
        ("MAIL_TO", "nobody"),
        ("MAIL_TO", "a@example.org\nBcc: x@example.org"),
        ("MAIL_FROM", "me"),
        ("SMTP", "host:hush"),
        ("SMTP", "host:70000"),
        ("SMTP_ENCRYPTION", "rot13"),
    ],
)
def test_a_variable_that_makes_no_sense_is_named_without_its_value(name: str, value: str) -> None:
    with pytest.raises(AlertSettingsError, match=f"SCORETRAIL_ALERT_{name}") as caught:
        alert_settings({f"SCORETRAIL_ALERT_{name}": value})
    assert "hush" not in str(caught.value)
    with pytest.raises(SettingsError):
        Settings.from_env(environ={f"SCORETRAIL_ALERT_{name}": value})


def test_no_password_goes_out_in_the_open() -> None:
    environ = {"SCORETRAIL_ALERT_SMTP_USER": "me", "SCORETRAIL_ALERT_SMTP_ENCRYPTION": "none"}
    with pytest.raises(AlertSettingsError, match="in the open"):
        alert_settings(environ)
