"""The page of one decision by itself, as `scoretrail decide --page` writes it: one file that loads nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from markupsafe import Markup

from methods.decision.study import decision_tables
from methods.decision.verdict import Decision
from resources.site.decision_values import decision_values
from resources.site.rendering import render
from warehouse.release_contract import ReleaseContract

STYLE: Final = Path(__file__).resolve().parent / "assets" / "site.css"


def decision_page(found: Decision, contract: ReleaseContract) -> bytes:
    """The page's bytes, the same for the same decision."""
    tables = [frame.rows(named=True) for frame in decision_tables(contract.id, found, contract).values()]
    values = decision_values(tables[0][0], tables[1], tables[2])
    style = Markup(STYLE.read_text(encoding="utf-8"))  # noqa: S704 - this package's own style sheet
    return render("decision_alone.html", {"d": values, "title": contract.title, "style": style}).lstrip()
