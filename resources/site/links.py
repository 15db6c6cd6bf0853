"""Where each thing of a release stands on its site, and which addresses from outside a page may link to.

Belongs here: names of pages. Every page lies at the root or one folder below it, and every link is relative, so that
the site works from a folder, a server and an archive alike.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from warehouse.canonical import sha256_hex
from warehouse.identity import is_slug

PAGES: Final = (
    ("index.html", "Overview"),
    ("models.html", "Models"),
    ("metrics.html", "Metrics"),
    ("sources.html", "Sources"),
    ("exclusions.html", "Exclusions"),
    ("gates.html", "Gates"),
    ("changes.html", "Changes"),
    ("downloads.html", "Data"),
    ("reading.html", "How to read"),
    ("cite.html", "Cite and recompute"),
)
"""The pages of the main navigation, in order."""

LINKED_PAGE: Final = "linked.html"
SENSITIVITY_PAGE: Final = "sensitivity.html"
PROTOCOLS_PAGE: Final = "protocols.html"
JUDGES_PAGE: Final = "judges.html"
STACKS_PAGE: Final = "stacks.html"
AGENTS_PAGE: Final = "agents.html"
DECISIONS_PAGE: Final = "decisions.html"
CANARY_PAGE: Final = "canary.html"
STUDIES_PAGE: Final = "studies.html"
ANALYSIS_PAGES: Final = (
    (LINKED_PAGE, "Linked", "out__linked_score"),
    (SENSITIVITY_PAGE, "How firm", "out__board_sensitivity"),
)
"""Pages of analyses of the board: page, name, and a table of theirs; in the navigation where that has rows."""
STUDY_PAGES: Final = (
    (PROTOCOLS_PAGE, "Protocols", "out__protocol_panel", "How far rankings move under another lawful protocol."),
    (STACKS_PAGE, "Stacks", "out__manifest_run", "What gave the outputs of runs, and how far they part."),
    (JUDGES_PAGE, "Judges", "out__judge_summary", "What judges are worth, and where a cheap one may decide."),
    (AGENTS_PAGE, "Harnesses", "out__harness_verdict", "Model or harness: who is to blame when an agent fails."),
    (DECISIONS_PAGE, "Release decisions", "out__release_decision", "Whether a candidate may go on, gate by gate."),
    (CANARY_PAGE, "Shadow and canary", "out__canary_action", "What real traffic asks for, batch by batch."),
)
"""Kinds of studies of what users bring: page, name, a table of theirs, what they answer; all behind one entry of the
navigation, each listed where its table has rows."""


@lru_cache(65536)
def file_name(identifier: str) -> str:
    """An identifier as the stem of a file name: itself where it is a slug, else a hash of it."""
    return identifier if is_slug(identifier) else f"x-{sha256_hex(identifier.encode())[:16]}"


def board_page(category: str) -> str:
    """The board of a category."""
    return f"boards/{file_name(category)}.html"


def linked_page(category: str) -> str:
    """Both boards of a category side by side."""
    return f"linked/{file_name(category)}.html"


def model_page(model_id: str, category: str | None = None) -> str:
    """A model's page, at one of its categories where named."""
    return f"models/{file_name(model_id)}.html" + (f"#{file_name(category)}" if category else "")


def decision_page(study: str) -> str:
    """The page of one release decision."""
    return f"decisions/{file_name(study)}.html"


def canary_page(study: str) -> str:
    """The page of one study of shadow or canary evidence."""
    return f"canary/{file_name(study)}.html"


def protocol_page(study: str) -> str:
    """The page of one study of protocol sensitivity."""
    return f"protocols/{file_name(study)}.html"


def stack_page(study: str) -> str:
    """The page of one study of inference stacks."""
    return f"stacks/{file_name(study)}.html"


def judge_page(study: str) -> str:
    """The page of one study of judges."""
    return f"judges/{file_name(study)}.html"


def agents_page(study: str) -> str:
    """The page of one study of models and harnesses."""
    return f"agents/{file_name(study)}.html"


def metric_page(metric_id: str) -> str:
    """A metric's page."""
    return f"metrics/{file_name(metric_id)}.html"


def numbered_page(folder: str, identifier: str, number: int) -> str:
    """One page of a long list, counted from 1; the first has no number in its name."""
    more = "" if number == 1 else f"~{number}"
    return f"{folder}/{file_name(identifier)}{more}.html"


@lru_cache(65536)
def outside(address: object) -> str | None:
    """An address from a source where a page may link to it, else None: http and https, with a host, nothing hidden."""
    if not isinstance(address, str) or len(address) > 2000 or any(sign <= " " or sign == "\x7f" for sign in address):
        return None
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not host or "@" in parts.netloc:
        return None
    return address
