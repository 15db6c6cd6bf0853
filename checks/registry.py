"""Every named gate by its id in gates.yaml: the tables it reads and the function that judges it.

A gate is listed with its tables in the order of a row's journey; it stands at the last of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from checks.gate_inputs import NamedGate
from checks.named.backtest_limits import (
    backtest_baselines,
    backtest_coverage,
    backtest_coverage_categories,
    backtest_error,
    board_coverage,
)
from checks.named.board_models import board_models_gone
from checks.named.board_stability import board_pss, board_winner_swap
from checks.named.broken_sources import broken_sources
from checks.named.conservation import conservation
from checks.named.corrections_met import corrections_met
from checks.named.differences_follow import differences_follow
from checks.named.harness_panel import (
    harness_balance,
    harness_counts,
    harness_planned,
    harness_records,
    harness_status_map,
)
from checks.named.judge_cascades import judge_auroc, judge_cost, judge_key, judge_loss, judge_no_escalation
from checks.named.linked_score import linked_beside, linked_parts_sum, linked_settled
from checks.named.models_disappeared import models_disappeared
from checks.named.pairs_decided import pairs_decided
from checks.named.plausibility import degenerate_column, mixed_scale
from checks.named.protocol_stability import protocol_candidates, protocol_pss, protocol_winner_swap
from checks.named.reason_shares import catalog_coverage, duplicate_share, unidentified_models, unreadable_rows
from checks.named.references import BOARD_TABLES, EVIDENCE_TABLES, references_board, references_evidence
from checks.named.release_decision import decision_follows, decision_verdict
from checks.named.reproductions import manifest_claims, manifest_divergence, manifest_first, manifest_stated
from checks.named.rows import evidence_lost, rows_lost, rows_minimum
from checks.named.same_config import same_config
from checks.named.schema_drift import schema_drift
from checks.named.study_evidence import evidence_proved, study_evidence
from checks.named.tier_mix import source_tier_mix
from checks.named.value_change import scale_change, value_jump
from checks.named.weights_sum import weights_sum

_SNAPSHOT = "raw__snapshot"
_RESULT, _EVIDENCE, _EXCLUSION = "core__result", "core__evidence", "core__exclusion"
_CASCADES = ("out__judge_summary", "out__judge_cascade")

NAMED_GATES: Mapping[str, NamedGate] = MappingProxyType(
    {
        "broken-sources": NamedGate((_SNAPSHOT,), broken_sources, needs_threshold=False),
        "rows-minimum": NamedGate((_SNAPSHOT, _RESULT), rows_minimum, needs_threshold=False),
        "rows-lost": NamedGate((_SNAPSHOT, _RESULT), rows_lost, compares=True),
        "board-models-gone": NamedGate((_SNAPSHOT, _RESULT), board_models_gone, compares=True),
        "schema-drift": NamedGate((_SNAPSHOT, _RESULT), schema_drift, compares=True),
        "mixed-scale": NamedGate((_RESULT,), mixed_scale),
        "same-config": NamedGate((_RESULT,), same_config),
        "corrections-met": NamedGate((_RESULT,), corrections_met, needs_threshold=False),
        "evidence-lost": NamedGate((_SNAPSHOT, _RESULT, _EVIDENCE), evidence_lost, compares=True),
        "value-jump": NamedGate((_RESULT, _EVIDENCE), value_jump, compares=True),
        "scale-change": NamedGate((_RESULT, _EVIDENCE), scale_change, compares=True),
        "source-tier-mix": NamedGate((_EVIDENCE,), source_tier_mix, compares=True),
        "conservation": NamedGate(EVIDENCE_TABLES, conservation, needs_threshold=False),
        "references-evidence": NamedGate(EVIDENCE_TABLES, references_evidence, needs_threshold=False),
        "degenerate-column": NamedGate((_RESULT, _EVIDENCE, _EXCLUSION), degenerate_column),
        "unreadable-rows": NamedGate(("raw__row", _EXCLUSION), unreadable_rows),
        "duplicate-share": NamedGate(("raw__row", _EXCLUSION), duplicate_share),
        "unidentified-models": NamedGate((_RESULT, _EVIDENCE, _EXCLUSION), unidentified_models),
        "catalog-coverage": NamedGate((_RESULT, _EXCLUSION), catalog_coverage),
        "models-disappeared": NamedGate(
            (_SNAPSHOT, _RESULT, _EVIDENCE, "out__category_score"), models_disappeared, compares=True
        ),
        "references-board": NamedGate(BOARD_TABLES, references_board, needs_threshold=False),
        "evidence-proved": NamedGate(("raw__evidence",), evidence_proved, needs_threshold=False),
        "study-evidence": NamedGate(("raw__evidence",), study_evidence, needs_threshold=False),
        "pairs-decided": NamedGate(("core__study_pair",), pairs_decided, needs_threshold=False),
        "differences-follow": NamedGate(
            ("core__study_pair", "out__source_difference"), differences_follow, needs_threshold=False
        ),
        "board-pss": NamedGate(("out__board_sensitivity",), board_pss),
        "board-winner-swap": NamedGate(("out__board_sensitivity",), board_winner_swap),
        "protocol-candidates": NamedGate(
            ("out__protocol_panel", "out__protocol_candidate"), protocol_candidates, needs_threshold=False
        ),
        "protocol-pss": NamedGate(("out__protocol_panel",), protocol_pss),
        "protocol-winner-swap": NamedGate(("out__protocol_panel",), protocol_winner_swap),
        "decision-follows": NamedGate(
            ("out__release_decision", "out__release_decision_gate"), decision_follows, needs_threshold=False
        ),
        "decision-verdict": NamedGate(("out__release_decision",), decision_verdict, needs_threshold=False),
        "manifest-stated": NamedGate(("out__manifest_run",), manifest_stated, needs_threshold=False),
        "manifest-claims": NamedGate(
            ("out__manifest_run", "out__manifest_pair", "out__manifest_field"), manifest_claims, needs_threshold=False
        ),
        "manifest-first": NamedGate(
            ("out__manifest_pair", "out__manifest_field"), manifest_first, needs_threshold=False
        ),
        "manifest-divergence": NamedGate(("out__manifest_pair",), manifest_divergence),
        "harness-records": NamedGate(
            ("out__harness_panel", "out__harness_fault"), harness_records, needs_threshold=False
        ),
        "harness-status-map": NamedGate(
            ("out__harness_panel", "out__harness_fault"), harness_status_map, needs_threshold=False
        ),
        "harness-counts": NamedGate(("out__harness_panel", "out__harness_cell"), harness_counts, needs_threshold=False),
        "harness-planned": NamedGate(("out__harness_cell",), harness_planned),
        "harness-balance": NamedGate(("out__harness_panel",), harness_balance),
        "judge-auroc": NamedGate(_CASCADES, judge_auroc),
        "judge-loss": NamedGate(_CASCADES, judge_loss),
        "judge-cost": NamedGate(_CASCADES, judge_cost),
        "judge-key": NamedGate(("out__judge_stack", *_CASCADES), judge_key, needs_threshold=False),
        "judge-no-escalation": NamedGate(_CASCADES, judge_no_escalation, needs_threshold=False),
        "linked-beside": NamedGate(("out__category_score", "out__linked_score"), linked_beside, needs_threshold=False),
        "linked-parts-sum": NamedGate(("out__linked_score", "out__linked_part"), linked_parts_sum),
        "linked-settled": NamedGate(("out__linked_parameter",), linked_settled, needs_threshold=False),
        "backtest-error": NamedGate(("out__backtest",), backtest_error),
        "backtest-coverage": NamedGate(("out__backtest",), backtest_coverage),
        "backtest-coverage-category": NamedGate(("out__backtest",), backtest_coverage_categories),
        "backtest-baselines": NamedGate(("out__backtest_versus",), backtest_baselines),
        "board-coverage": NamedGate(("out__backtest",), board_coverage),
        "weights-sum": NamedGate(("out__category_score", "out__score_weight"), weights_sum),
    }
)
