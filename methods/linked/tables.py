"""The tables of the linked score from evidence and board, in one call (METHODS 7b)."""

from __future__ import annotations

import polars as pl

from methods.linked.board import linked_board
from methods.linked.explanation import linked_parts
from methods.linked.model import fit_linked
from methods.linked.published import linked_metrics, linked_parameters
from warehouse.catalog_model import Catalog
from warehouse.tables_linked import LINKED_TABLES


def linked_tables(evidence: pl.DataFrame, board: pl.DataFrame, catalog: Catalog) -> dict[str, pl.DataFrame]:
    """`out__linked_score`, `_part`, `_metric` and `_parameter`; all empty where there is no evidence.

    Args:
        evidence: `core__evidence`. board: `out__category_score` of it. catalog: for its methodology.
    """
    if evidence.height == 0:
        return {table.name: table.empty() for table in LINKED_TABLES}
    rules, scale = catalog.methodology.linked, catalog.methodology.category
    fit = fit_linked(evidence, rules)
    return {
        "out__linked_score": linked_board(fit, board, scale),
        "out__linked_part": linked_parts(fit, scale),
        "out__linked_metric": linked_metrics(fit, scale),
        "out__linked_parameter": linked_parameters(fit, rules),
    }
