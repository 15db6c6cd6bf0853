"""Tables of kinds of study that a catalog never names are made by nobody, and all others always are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from methods.catalog.released_tables import asked_kinds, released_tables, tables_not_asked_for
from methods.catalog.study_gates import split_gates
from warehouse.catalog_model import Catalog, GateSpec, StudySpec
from warehouse.study_words import EVERY_STUDY, PRODUCT_TABLES, STUDY_EVIDENCE, STUDY_TABLES
from warehouse.tables import RELEASED


@pytest.fixture
def catalog(catalog_of: Callable[[], Catalog]) -> Catalog:
    """A small catalog that names no study."""
    return catalog_of()


def asking(catalog: Catalog, kinds: tuple[str, ...], *gates: GateSpec) -> Catalog:
    studies = tuple(StudySpec(id=f"study-{n}", kind=kind, evidence=f"some-{n}") for n, kind in enumerate(kinds))
    found, lines = split_gates((*catalog.gates, *gates), studies)
    return catalog.model_copy(update={"studies": studies, "gates": found, "study_gates": lines})


def test_a_catalog_without_studies_makes_none_of_their_tables(catalog: Catalog) -> None:
    every_study = GateSpec(id="evidence", product=EVERY_STUDY, table="raw__evidence")
    alone = asking(catalog, (), every_study)
    assert asked_kinds(alone) == frozenset()
    of_studies = {table for tables in STUDY_TABLES.values() for table in tables}
    assert set(tables_not_asked_for(alone)) == of_studies
    assert set(released_tables(alone)) == set(RELEASED) - of_studies
    assert {table for tables in PRODUCT_TABLES.values() for table in tables} <= set(released_tables(alone))


@pytest.mark.parametrize("kind", STUDY_EVIDENCE)
def test_every_table_of_a_kind_that_is_named_is_made(catalog: Catalog, kind: str) -> None:
    found = released_tables(asking(catalog, (kind, kind)))
    made = [table for table in found if any(table in tables for tables in STUDY_TABLES.values())]
    assert set(made) == set(STUDY_TABLES[kind])
    assert list(found) == [table for table in RELEASED if table in found], "in the order of a row's journey"


@pytest.mark.parametrize("kind", STUDY_EVIDENCE)
def test_a_table_that_a_gate_of_its_own_stands_at_is_made(catalog: Catalog, kind: str) -> None:
    """A gate must have a table to judge, also where no study fills it."""
    guarded = GateSpec(id="guard", product="guarded", table=STUDY_TABLES[kind][0])
    assert asked_kinds(asking(catalog, (), guarded)) == {kind}


def test_all_kinds_named_is_every_table(catalog: Catalog) -> None:
    assert released_tables(asking(catalog, tuple(STUDY_EVIDENCE))) == RELEASED
