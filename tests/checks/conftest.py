"""Fixtures of the checks: a small catalog, sound tables made by the real methods, and a gate evaluated on them."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from checks.gates import GateInputs, evaluate
from methods.backtest.tables import backtest_tables
from methods.catalog.received import receive
from methods.catalog.results import build_results
from methods.lineage.baseline import BaselineFigures, baseline_figures
from methods.linked.tables import linked_tables
from methods.names.registry import ModelRegistry
from methods.pairing.fast import candidate_pairs
from methods.pairing.pair_tables import build_pair_tables
from methods.pairing.source_study import study_differences, study_pairs
from methods.pairing.walk import PairWalker
from methods.scoring.board import build_board
from methods.scoring.evidence import build_evidence
from methods.sensitivity.board_shifts import board_sensitivity
from methods.statistics.divergence import source_divergence
from resources.catalog_files import load_catalog
from resources.study_evidence import StudyEvidence, evidence_rows
from warehouse.catalog_model import Catalog, Decision
from warehouse.received import ReceivedRow
from warehouse.tables import RAW_ROW, TABLES
from warehouse.verdicts import GateResult

sys.path.insert(0, str(Path(__file__).resolve().parent))  # the modules beside this file: faults, naive_reading

AS_OF = date(2026, 10, 20)
NOW = datetime(2026, 10, 20, 12, 0, tzinfo=UTC)
RELEASE = "2026-10-20-0123456789ab"
DIMENSIONS = ("generation", "repository", "debugging")
MODELS = tuple(f"model-{letter}" for letter in "abcdefgh")

Tables = dict[str, pl.DataFrame]


def metric(number: int, dimension: str) -> dict[str, Any]:
    return {
        "id": f"metric-{number}",
        "category": "coding",
        "dimension": dimension,
        "family": f"family-{number}",
        "protocol": "default",
        "direction": "higher",
        "transform": "logit",
        "status": "scored",
        "from": [{"benchmark": f"Bench {number}", "metric": "accuracy"}],
    }


def native(number: int, model: int, value: Any, **more: Any) -> dict[str, Any]:
    return {
        "benchmark": f"Bench {number}",
        "metric": "accuracy",
        "unit": "score_fraction",
        "value": value,
        "model": MODELS[model] if model < len(MODELS) else f"stranger {model}",
        **more,
    }


@pytest.fixture(scope="session")
def catalog(repository: Path) -> Catalog:
    real = load_catalog(
        repository / "warehouse" / "catalog", repository / "warehouse" / "demo" / "sources.yaml"
    ).catalog
    undecided = Catalog.model_validate(
        {
            "version": "test-1",
            "sources": [
                {"id": board, "title": board, "connector": "native", "url": f"{board}.json", "source_type": kind}
                for board, kind in (("board-one", "official"), ("board-two", "paper"))
            ],
            "metrics": [metric(number, DIMENSIONS[number % 3]) for number in range(6)],
            "models": [
                {"id": name, "name": name.title(), "developer": f"maker-{place % 4}", "aliases": [name]}
                for place, name in enumerate(MODELS)
            ],
            "methodology": real.methodology,
            "studies": [{"id": "sources-1", "kind": "source_difference", "evidence": "frozen-1", "publish": True}],
            "gates": real.gates,
            "study_gates": real.study_gates,
        }
    )
    return with_catalog(undecided, decisions=decide_all(undecided, received()))


def decide_all(catalog: Catalog, rows: Mapping[str, list[ReceivedRow]]) -> tuple[Decision, ...]:
    """A decision about every candidate pair: what the program suggests, taken by one test reviewer."""
    results = results_of(catalog, rows)
    walker = PairWalker(candidate_pairs(results, catalog).frame, results, catalog)
    walks = [walker.walk(pair) for pair in walker.pair_ids]
    return tuple(
        Decision(
            entry_id_a=walk.pair["entry_id_a"], entry_id_b=walk.pair["entry_id_b"],
            decision=walk.suggestion.decision, reason=walk.suggestion.reason, reviewer="R1", reviewed_at=AS_OF,
        )
        for walk in walks
    )  # fmt: skip


def results_of(catalog: Catalog, rows: Mapping[str, list[ReceivedRow]]) -> pl.DataFrame:
    """core__result of some boards."""
    digest = hashlib.sha256(b"board").hexdigest()
    return build_results(pl.concat([receive(board, digest, given) for board, given in rows.items()]), catalog)


def with_catalog(catalog: Catalog, **changes: Any) -> Catalog:
    """The catalog with other entries: built anew, since a copy would keep what was cached."""
    fields = {name: getattr(catalog, name) for name in Catalog.model_fields}
    return Catalog(**(fields | changes))


def received() -> dict[str, list[ReceivedRow]]:
    """Two boards: every fate a row can have, and enough evidence for rated, estimated and unrated models."""
    one = [
        native(number, model, round(0.15 + 0.07 * model + 0.03 * ((number * 5 + model * 3) % 7), 4))
        for number in range(6)
        for model in range(6)
    ]
    one += [native(0, 6, 0.5), native(1, 6, 0.55), native(0, 7, 0.0)]
    one += [dict(one[0]), native(1, 0, "-", setting="again"), native(9, 1, 0.4), native(0, 99, 0.4)]
    two = [native(2, model, 0.3 + 0.05 * model) for model in range(3)]
    boards = {"board-one": one, "board-two": two}
    rows = {
        board: [ReceivedRow(f"/results/{place}", record, raw=str(record["value"])) for place, record in enumerate(rows)]
        for board, rows in boards.items()
    }
    rows["board-two"].append(ReceivedRow("/results/99", None, problem="no object", raw="junk"))
    return rows


def build(catalog: Catalog, rows: Mapping[str, list[ReceivedRow]]) -> Tables:
    """Every table of a run, by the real methods."""
    snapshots, frames = [], []
    for board, given in rows.items():
        content = json.dumps([str(row) for row in given]).encode()
        sha256 = hashlib.sha256(content).hexdigest()
        frames.append(receive(board, sha256, given))
        snapshots.append(
            {
                "leaderboard": board,
                "sha256": sha256,
                "path": f"snapshots/{board}/{sha256}.json",
                "source_url": f"{board}.json",
                "fetched_at": NOW,
                "synced_at": NOW,
                "bytes": len(content),
                "rows": len(given),
                "etag": None,
                "connector": "native",
                "status": "asserted",
            }
        )
    snapshot = TABLES["raw__snapshot"]
    raw_rows = RAW_ROW.conform(pl.concat(frames))
    results = build_results(raw_rows, catalog)
    evidence, exclusions = build_evidence(raw_rows, results, catalog)
    board = build_board(evidence, catalog, release_id=RELEASE, as_of=AS_OF)
    return {
        "raw__snapshot": snapshot.conform(pl.DataFrame(snapshots, schema=snapshot.polars_schema())),
        "raw__row": raw_rows,
        "core__result": results,
        "core__evidence": evidence,
        "core__exclusion": exclusions,
        "out__dimension_score": board.dimension_scores,
        "out__category_score": board.category_scores,
        "out__score_weight": board.weights,
        **pair_tables(results, catalog),
        **board_sensitivity(evidence, exclusions, results, catalog),
        **linked_tables(evidence, board.category_scores, catalog),
        **backtest_tables(evidence, board.category_scores, catalog),
    }


def pair_tables(results: pl.DataFrame, catalog: Catalog) -> Tables:
    """The tables of pairs and of a study whose freeze holds the same results."""
    nightly = build_pair_tables(results, catalog)
    study = StudyEvidence(catalog.studies[0], "e" * 64, results)
    pairs = study_pairs(results, catalog)
    return {
        "core__candidate_pair": nightly.candidates,
        "core__pair_decision": nightly.decisions,
        "raw__evidence": evidence_rows([study]),
        "core__study_pair": pairs,
        "out__source_difference": study_differences(pairs, results, "frozen-1", catalog),
        "out__source_divergence": source_divergence(results, ModelRegistry(catalog.models), catalog).table,
    }


@pytest.fixture(scope="session")
def sound(catalog: Catalog) -> Tables:
    return build(catalog, received())


@pytest.fixture(scope="session")
def former(sound: Tables) -> BaselineFigures:
    return baseline_figures(
        sound["core__result"], sound["core__evidence"], sound["out__category_score"], "2026-10-19-0123456789ab"
    )


@pytest.fixture
def judge(catalog: Catalog, sound: Tables) -> Callable[..., GateResult]:
    """Evaluates a gate on the sound tables, with some of them replaced."""

    def run(
        gate: str,
        tables: Mapping[str, pl.DataFrame] | None = None,
        *,
        baseline: BaselineFigures | None = None,
        of: Catalog | None = None,
        at: datetime = NOW,
        **spec: Any,
    ) -> GateResult:
        chosen = of or catalog
        definition = chosen.gate_by_id[gate].model_copy(update=spec)
        return evaluate(definition, GateInputs({**sound, **(tables or {})}, chosen, baseline, at, AS_OF))

    return run


@pytest.fixture(scope="session")
def remake() -> Callable[[Catalog, Mapping[str, list[ReceivedRow]]], Tables]:
    return build


@pytest.fixture
def rows() -> dict[str, list[ReceivedRow]]:
    return received()


@pytest.fixture(scope="session")
def changed_catalog() -> Callable[..., Catalog]:
    return with_catalog
