"""The page of one study of protocols by itself, as `scoretrail protocol --page` writes it: loads nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl
from markupsafe import Markup

from resources.site.protocol_values import study_values
from resources.site.rendering import render

STYLE: Final = Path(__file__).resolve().parent / "assets" / "site.css"


def protocol_page(title: str, tables: Mapping[str, pl.DataFrame], findings: Mapping[str, Any]) -> bytes:
    """The page's bytes, the same for the same tables.

    Args:
        title: what the losses are called. tables: of the study. findings: outcome and detail by gate.
    """
    verdicts = [(gate, one.outcome, one.detail) for gate, one in findings.items()]
    style = Markup(STYLE.read_text(encoding="utf-8"))  # noqa: S704 - this package's own style sheet
    values = {"s": study_values(tables, verdicts), "title": f"Protocol sensitivity: {title}", "style": style}
    return render("protocol_alone.html", values).lstrip()
