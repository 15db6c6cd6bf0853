"""The pages of studies of protocol sensitivity: all at a glance, and each with its figures (METHODS 8)."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from methods.protocols.sentences import measured_against
from resources.site.facts import Facts
from resources.site.links import PROTOCOLS_PAGE, protocol_page
from resources.site.page import Page, Plain
from resources.site.protocol_values import study_values
from warehouse.study_words import STUDY_TABLES

PANEL = "out__protocol_panel"
GATES = ("protocol-candidates", "protocol-pss", "protocol-winner-swap")


def protocols(facts: Facts) -> Iterator[Page | Plain]:
    """The pages of protocols; none where the release holds no study of them."""
    rows = facts.rows(PANEL)
    if not rows:
        return
    studies = list(dict.fromkeys(row["study"] for row in rows))
    said = [
        (study, protocol_page(study), measured_against(row, [one for one in rows if one["study"] == study]))
        for study in studies
        for row in rows
        if row["study"] == study and row["comparison"] == "across"
    ]
    yield Page(
        PROTOCOLS_PAGE, "protocols.html", "Protocols", {"studies": studies, "said": said}, section=PROTOCOLS_PAGE,
        found_as="page",
    )  # fmt: skip
    for study in studies:
        yield _study_page(facts, study)


def _study_page(facts: Facts, study: str) -> Page:
    tables = {
        table: facts.inputs.tables[table].filter(pl.col("study") == study)
        for table in STUDY_TABLES["protocol_sensitivity"]
    }
    verdicts = {row["gate"]: row for row in facts.rows("out__gate")}
    asked = [(gate, verdicts[f"{gate}.{study}"]) for gate in GATES if f"{gate}.{study}" in verdicts]
    said = [(gate, row["verdict"], row["detail"]) for gate, row in asked]
    return Page(
        protocol_page(study),
        "protocol_study.html",
        f"Protocols: {study}",
        {
            "s": study_values(tables, said),
            "evidence": [row for row in facts.rows("raw__evidence") if row["study"] == study],
        },
        section=PROTOCOLS_PAGE,
        found_as="page",
    )
