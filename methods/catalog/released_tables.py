"""Which tables a day of a catalog has: those of kinds of study that it never names are made by nobody.

Belongs here: the choice, from the catalog alone. Which tables there are at all is `warehouse.tables`; the published
DuckDB copy holds every one of them, empty where a release has none (`resources.publisher`).
"""

from __future__ import annotations

from warehouse.catalog_model import Catalog
from warehouse.study_words import STUDY_TABLES
from warehouse.tables import RELEASED


def asked_kinds(catalog: Catalog) -> frozenset[str]:
    """The kinds of study that a catalog asks for: it names a study of them, or a gate stands at one of their tables."""
    named = {study.kind for study in catalog.studies}
    judged = {gate.table for gate in catalog.gates}
    return frozenset(kind for kind, tables in STUDY_TABLES.items() if kind in named or not judged.isdisjoint(tables))


def tables_not_asked_for(catalog: Catalog) -> tuple[str, ...]:
    """The tables of the other kinds, in the order of a row's journey."""
    asked = asked_kinds(catalog)
    return tuple(table for kind, tables in STUDY_TABLES.items() if kind not in asked for table in tables)


def released_tables(catalog: Catalog) -> tuple[str, ...]:
    """The tables that a day of this catalog makes and its release folder holds, in the order of a row's journey."""
    left_out = frozenset(tables_not_asked_for(catalog))
    return tuple(table for table in RELEASED if table not in left_out)
