"""Column lineage names only tables and columns that exist, and only inputs of the table."""

from __future__ import annotations

import pytest

from warehouse.column_lineage import COMPUTED, column_lineage
from warehouse.tables import INPUTS, TABLES


@pytest.mark.parametrize("table", INPUTS)
def test_lineage_leads_to_inputs_of_the_table(table: str) -> None:
    for name, sources in column_lineage(table).items():
        assert name in TABLES[table].columns
        for upstream, source in sources:
            assert upstream in INPUTS[table]
            assert source in TABLES[upstream].columns


def test_every_computed_entry_is_a_column() -> None:
    assert all(set(entries) <= set(TABLES[table].columns) for table, entries in COMPUTED.items())


def test_a_score_leads_to_z_and_precision() -> None:
    assert ("core__evidence", "z") in column_lineage("out__category_score")["score"]
    assert column_lineage("core__evidence")["entry_id"] == (("core__result", "entry_id"),)
