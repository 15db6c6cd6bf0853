"""out__product: which products go out and which gates hold one back (DESIGN "Gates").

Belongs here: the table, from the rows of out__gate. Whether publication may really happen is decided again, from what
is stored, by `methods.release.publication`.
"""

from __future__ import annotations

import polars as pl

from warehouse.catalog_model import Catalog
from warehouse.tables import OUT_PRODUCT
from warehouse.vocabulary import BOARD_PRODUCT, ProductStatus


def product_rows(catalog: Catalog, gates: pl.DataFrame) -> pl.DataFrame:
    """`out__product`: every product the catalog knows, its status, and the required gates that do not stand.

    A product is `published` if each of its required gates stands, `blocked` otherwise, also where a required gate gave
    no verdict, or where the board has no required gate at all. A gate of one product never blocks another. A study
    that no gate has judged is `not_run`: nothing is carried forward for it.

    Args:
        catalog: its gates and studies give the products.
        gates: out__gate.
    """
    verdicts = {gate: (verdict, evaluated) for gate, verdict, evaluated in _columns(gates).iter_rows()}
    products = sorted(
        {BOARD_PRODUCT, *(gate.product for gate in catalog.gates), *(study.id for study in catalog.studies)}
    )
    rows: list[tuple[str, ProductStatus, str | None]] = []
    for product in products:
        required = [gate for gate in catalog.gates if gate.product == product and gate.required]
        blocking = [gate.id for gate in required if not _stands(*verdicts.get(gate.id, ("error", 0)), gate.baseline)]
        if not required and product != BOARD_PRODUCT:
            rows.append((product, "not_run", None))
        elif blocking or not required:
            rows.append((product, "blocked", ",".join(sorted(blocking)) or "no required gate"))
        else:
            rows.append((product, "published", None))
    return OUT_PRODUCT.conform(pl.DataFrame(rows, schema=OUT_PRODUCT.polars_schema(), orient="row"))


def _columns(gates: pl.DataFrame) -> pl.DataFrame:
    return gates.select("gate", "verdict", "evaluated")


def _stands(verdict: str, evaluated: int, compares: bool) -> bool:
    """pass on something, waived, or not applicable for want of a baseline."""
    if verdict == "pass":
        return evaluated > 0
    return verdict == "waived" or (verdict == "not_applicable" and compares)
