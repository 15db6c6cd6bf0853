"""Which columns each column is made of: drawn in the Dagster UI as a table and used by auditors (METHODS 14).

A column that carries the name of a column in one of its table's inputs passes through and needs no entry here.
"""

from __future__ import annotations

from typing import Final

from warehouse.study_words import STUDY_TABLES
from warehouse.tables import INPUTS, TABLES
from warehouse.tables_linked import BACKTEST_TABLES, LINKED_TABLES
from warehouse.tables_sensitivity import SENSITIVITY_TABLES

Dependency = tuple[str, str]
"""(table, column)."""

_EVIDENCE: Final = "core__evidence"
_RESULT: Final = "core__result"
_ROW: Final = "raw__row"
_OBSERVATION: Final[tuple[Dependency, ...]] = (
    (_EVIDENCE, "z"),
    (_EVIDENCE, "precision"),
    (_EVIDENCE, "metric_id"),
    (_EVIDENCE, "model_id"),
)
_CATEGORY: Final[tuple[Dependency, ...]] = (*_OBSERVATION, (_EVIDENCE, "family"))
_RECORD: Final[tuple[Dependency, ...]] = ((_ROW, "record"),)
_NAMED: Final[tuple[Dependency, ...]] = (
    (_RESULT, "leaderboard"),
    (_RESULT, "benchmark"),
    (_RESULT, "benchmark_version"),
    (_RESULT, "subset"),
    (_RESULT, "metric"),
)

_NAMES: Final[tuple[Dependency, ...]] = tuple(
    (_RESULT, name) for name in ("benchmark", "source_type", "model", "model_id", "model_url", "setting", "notes")
)
_BOTH_SIDES: Final[tuple[Dependency, ...]] = ((_RESULT, "value"), (_RESULT, "unit"))
_ERRORS: Final[tuple[Dependency, ...]] = (*_BOTH_SIDES, (_RESULT, "stderr"), (_RESULT, "n_samples"))
_STATED: Final[tuple[Dependency, ...]] = (
    (_RESULT, "benchmark_version"),
    (_RESULT, "subset"),
    *((_RESULT, name) for name in TABLES[_RESULT].columns if name.startswith("protocol_")),
)
_DECLARED: Final = frozenset({"category", "variant", "variant_kind", "meaning"})
_FREEZE: Final[tuple[Dependency, ...]] = (("raw__evidence", "sha256"),)
_ALIGNED: Final[tuple[Dependency, ...]] = (
    ("raw__evidence", "sha256"),
    ("core__study_pair", "decision"),
    ("core__study_pair", "state"),
)

_OF_BOARD: Final = frozenset({
    "status", "observed_dimensions", "families", "overlap_dimensions", "reason_code", "model_name", "developer",
    "catalog_version", "methodology_version", "as_of",
})  # fmt: skip
_BESIDE: Final = frozenset({"sliced_by", "slice", "split", "method", "parameter", "subject"})


def _linked_lineage(name: str) -> tuple[Dependency, ...]:
    """The evidence behind a column of the linked board or its proof; () for those that pass through or are declared."""
    if name == "release_id":
        return (("raw__snapshot", "sha256"),)
    if name in _OF_BOARD:
        return (("out__category_score", name),)
    if name in _BESIDE or name in {"category", "model_id", "metric_id", "dimension"}:
        return ()
    return (*_CATEGORY, (_EVIDENCE, "q"))


COMPUTED: Final[dict[str, dict[str, tuple[Dependency, ...]]]] = {
    "raw__row": {
        "snapshot_sha256": (("raw__snapshot", "sha256"),),
        "record": (("raw__snapshot", "sha256"),),
        "entry_id": (("raw__snapshot", "sha256"),),
    },
    "core__result": {
        name: _RECORD
        for name in TABLES["core__result"].columns
        if name not in {"entry_id", "leaderboard", "snapshot_sha256", "row_locator"}
    },
    "core__evidence": {
        "evidence_id": ((_RESULT, "entry_id"), *_NAMED),
        "metric_id": _NAMED,
        "category": _NAMED,
        "dimension": _NAMED,
        "family": _NAMED,
        "protocol": _NAMED,
        "model_id": ((_RESULT, "model"), (_RESULT, "developer")),
        "tier": ((_RESULT, "tier"), (_RESULT, "source_type")),
        "value": ((_RESULT, "value"), (_RESULT, "unit")),
        "x": ((_RESULT, "value"), (_RESULT, "unit")),
        "z": ((_RESULT, "value"), (_RESULT, "unit")),
        "n_models": ((_RESULT, "model"),),
        "n_developers": ((_RESULT, "model"),),
        "q": ((_RESULT, "model"),),
        "stderr_norm": ((_RESULT, "stderr"), (_RESULT, "value")),
        "variance": ((_RESULT, "stderr"), (_RESULT, "source_type"), (_RESULT, "tier")),
        "precision": ((_RESULT, "stderr"), (_RESULT, "source_type"), (_RESULT, "tier")),
    },
    "core__exclusion": {
        "metric_id": _NAMED,
        "stage": _RECORD,
        "reason_code": _RECORD,
        "detail": _RECORD,
        "kept_entry_id": ((_RESULT, "entry_id"),),
    },
    "out__dimension_score": {
        "mu": _OBSERVATION,
        "sigma": _OBSERVATION,
        "families": ((_EVIDENCE, "family"),),
        "observations": ((_EVIDENCE, "evidence_id"),),
        "is_overlap_calibrated": ((_EVIDENCE, "family"), (_EVIDENCE, "model_id")),
    },
    "out__category_score": {
        **dict.fromkeys(
            (
                "status", "score", "low80", "high80", "mu", "sigma", "families", "overlap_dimensions",
                "effective_coverage", "rank", "rank_low", "rank_high", "reason_code",
            ),
            _CATEGORY,
        ),
        "observed_dimensions": ((_EVIDENCE, "dimension"),),
        "release_id": (("raw__snapshot", "sha256"),),
        "model_name": ((_EVIDENCE, "model_id"),),
        "developer": ((_EVIDENCE, "model_id"),),
    },
    "out__score_weight": {
        "role": ((_EVIDENCE, "model_id"),),
        "weight": _OBSERVATION,
        "contribution": _OBSERVATION,
    },
    **{
        table.name: dict.fromkeys((name for name in table.columns if name not in _DECLARED), _CATEGORY)
        for table in SENSITIVITY_TABLES
    },
    **{
        table.name: {name: _linked_lineage(name) for name in table.columns if _linked_lineage(name)}
        for table in (*LINKED_TABLES, *BACKTEST_TABLES)
    },
    "core__candidate_pair": {
        "pair_id": ((_RESULT, "entry_id"),),
        "entry_id_a": ((_RESULT, "entry_id"),),
        "entry_id_b": ((_RESULT, "entry_id"),),
        "direction": ((_RESULT, "source_type"),),
        "rules": _NAMES,
        "decision": _STATED,
        "blocking_fields": (*_STATED, (_RESULT, "unit")),
    },
    "core__pair_decision": {
        "entry_id_a": (),
        "entry_id_b": (),
        "decision": (),
        "state": (("core__candidate_pair", "pair_id"), ("core__candidate_pair", "blocking_fields")),
    },
    "core__study_pair": dict.fromkeys(TABLES["core__study_pair"].columns, _FREEZE),
    "out__source_difference": {
        name: _ALIGNED for name in TABLES["out__source_difference"].columns if name != "direction"
    },
    "out__source_divergence": {
        **dict.fromkeys(("place", "standard_errors", "reason_code"), _ERRORS),
        "pair_id": ((_RESULT, "entry_id"),),
        "model_id": ((_RESULT, "model"), (_RESULT, "developer")),
        "metric_id": _NAMED,
        "direction": ((_RESULT, "source_type"),),
        **dict.fromkeys(("entry_id_a", "entry_id_b"), ((_RESULT, "entry_id"),)),
        **dict.fromkeys(("leaderboard_a", "leaderboard_b"), ((_RESULT, "leaderboard"),)),
        **dict.fromkeys(("source_type_a", "source_type_b"), ((_RESULT, "source_type"),)),
        **dict.fromkeys(("value_a_pp", "value_b_pp", "difference_pp"), _BOTH_SIDES),
        **dict.fromkeys(("stderr_a_pp", "stderr_b_pp", "error_basis_a", "error_basis_b"), _ERRORS),
        **dict.fromkeys(("differing_fields", "unstated_fields", "scope"), _STATED),
    },
    **{
        table: dict.fromkeys((name for name in TABLES[table].columns if name != "study"), _FREEZE)
        for tables in STUDY_TABLES.values()
        for table in tables
    },
}  # fmt: skip


def column_lineage(table: str) -> dict[str, tuple[Dependency, ...]]:
    """For each column of a table, the columns it is made of; empty for columns that no input holds."""
    found: dict[str, tuple[Dependency, ...]] = {}
    for name in TABLES[table].columns:
        computed = COMPUTED.get(table, {}).get(name)
        if computed is not None:
            found[name] = computed
            continue
        found[name] = tuple((upstream, name) for upstream in INPUTS.get(table, ()) if name in TABLES[upstream].columns)[
            -1:
        ]
    return found
