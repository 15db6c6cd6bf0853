"""out__product: which products go out and which gates hold one back (DESIGN "Gates").

Belongs here: the table, from the rows of out__gate. Whether publication may really happen is decided again, from what
is stored, by `methods.release.publication`.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from methods.catalog.study_gates import brought_studies
from methods.pairing.source_study import source_study
from warehouse.catalog_model import Catalog
from warehouse.study_words import PRODUCT_TABLES, SOURCE_STUDY_PRODUCT
from warehouse.tables import OUT_PRODUCT
from warehouse.vocabulary import BOARD_PRODUCT, ProductStatus

NO_GATE: Final = "no required gate"
"""What blocks a product that the catalog requires no gate of: nothing would have judged it."""


def product_rows(catalog: Catalog, gates: pl.DataFrame) -> pl.DataFrame:
    """`out__product`: every product the catalog knows, its status, and the required gates that do not stand.

    The study of sources is `source_study`, and its own id beside it; it is `not_run` where the catalog has none, or
    keeps it unpublished.

    A product is `published` if each of its required gates stands, `blocked` otherwise, also where a required gate gave
    no verdict, or where the board has no required gate at all. A gate of one product never blocks another. A study
    that no gate has judged is `not_run`: nothing is carried forward for it.

    Args:
        catalog: its gates and studies give the products.
        gates: out__gate.
    """
    verdicts = {gate: (verdict, evaluated) for gate, verdict, evaluated in _columns(gates).iter_rows()}
    products = sorted(
        {
            BOARD_PRODUCT,
            *PRODUCT_TABLES,
            *(gate.product for gate in catalog.gates),
            *(study.id for study in catalog.studies),
        }
    )
    study = source_study(catalog)
    unpublished = {item.id for item in brought_studies(catalog) if not item.publish}
    rows: list[tuple[str, ProductStatus, str | None]] = []
    for product in products:
        if product == SOURCE_STUDY_PRODUCT and (study is None or not study.publish):
            rows.append((product, "not_run", None if study is None else "studies.yaml says publish: false"))
            continue
        if product in unpublished:
            rows.append((product, "not_run", "studies.yaml says publish: false"))
            continue
        required = [gate for gate in catalog.gates if gate.product == product and gate.required]
        blocking = [gate.id for gate in required if not _stands(*verdicts.get(gate.id, ("error", 0)), gate.baseline)]
        if not required and product not in {BOARD_PRODUCT, *PRODUCT_TABLES}:
            rows.append((product, "not_run", None))
        elif blocking or not required:
            rows.append((product, "blocked", ",".join(sorted(blocking)) or NO_GATE))
        else:
            rows.append((product, "published", None))
    by_product = {row[0]: row for row in rows}
    if study is not None and study.id != SOURCE_STUDY_PRODUCT and SOURCE_STUDY_PRODUCT in by_product:
        _, status, why = by_product[SOURCE_STUDY_PRODUCT]
        by_product[study.id] = (study.id, status, why)
    rows = list(by_product.values())
    return OUT_PRODUCT.conform(pl.DataFrame(rows, schema=OUT_PRODUCT.polars_schema(), orient="row"))


def _columns(gates: pl.DataFrame) -> pl.DataFrame:
    return gates.select("gate", "verdict", "evaluated")


def _stands(verdict: str, evaluated: int, compares: bool) -> bool:
    """pass on something, waived, or not applicable for want of a baseline."""
    if verdict == "pass":
        return evaluated > 0
    return verdict == "waived" or (verdict == "not_applicable" and compares)
