"""Column dictionary, part three: gates, products, releases (DESIGN "Published tables that others read")."""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column

_GATE = "checks.gates:evaluate"
_PRODUCT = "checks.products:product_rows"
_RELEASE = "resources.releases:release_row"

PUBLISHED: Final[dict[str, Column]] = {
    "gate": Column("text", "Id of the gate in gates.yaml.", _GATE),
    "product": Column("text", "Product the gate guards: scores, source_study or a study's id.", _GATE),
    "table": Column("text", "Table the gate judges.", _GATE),
    "severity": Column("text", "blocking or warning.", _GATE),
    "verdict": Column("text", "pass, fail, error, inconclusive, not_applicable or waived.", _GATE),
    "figure": Column("number", "The figure the gate measured, unrounded.", _GATE, "as the gate states"),
    "threshold": Column("number", "The limit it was held against.", _GATE, "as the gate states"),
    "evaluated": Column("integer", "How many things were looked at.", _GATE),
    "failed": Column("integer", "How many of them failed.", _GATE),
    "verdict_key": Column(
        "text",
        "Hash of gate definition, judged tables, catalog and baseline: what the verdict holds for.",
        "warehouse.identity:verdict_key",
    ),
    "decided_at": Column("timestamp", "When the verdict was given.", _GATE, "UTC"),
    "out__gate.detail": Column("text", "The verdict in words: figure, limit, first examples.", _GATE),
    "out__product.status": Column("text", "published, blocked or not_run.", _PRODUCT),
    "blocked_by": Column("text", "The gates that block it, separated by commas; null where none.", _PRODUCT),
    "created_at": Column("timestamp", "When the release was made.", _RELEASE, "UTC"),
    "baseline_release_id": Column("text", "Release the gates compared with; null for a first one.", _RELEASE),
    "out__release.status": Column("text", "current, superseded or withdrawn.", _RELEASE),
    "code_version": Column("text", "Hash of the program's sources.", "resources.code_version:code_version"),
    "manifest_sha256": Column("text", "SHA-256 of the release's manifest.json.", _RELEASE),
}
