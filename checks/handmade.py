"""The hand-made part of each table's suite: what a contract cannot say and a person knows to be true.

Belongs here: which table has which rules. The rules stand by stage in `checks.rules_received`, `checks.rules_scored`,
`checks.rules_published` and those of what users bring. Relations between tables are named gates (`checks.named`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from checks import (
    rules_harness,
    rules_judging,
    rules_linked,
    rules_manifests,
    rules_protocols,
    rules_published,
    rules_received,
    rules_scored,
    rules_sensitivity,
)
from checks.clauses import Clause
from warehouse.catalog_model import Catalog

RuleMaker = Callable[[Catalog], Iterable[Clause]]

HANDMADE: Mapping[str, RuleMaker] = MappingProxyType(
    {
        "raw__snapshot": rules_received.snapshot_rules,
        "raw__row": rules_received.row_rules,
        "core__result": rules_received.result_rules,
        "core__evidence": rules_scored.evidence_rules,
        "core__exclusion": rules_scored.exclusion_rules,
        "out__dimension_score": rules_published.dimension_rules,
        "out__category_score": rules_published.category_rules,
        "out__score_weight": rules_published.weight_rules,
        "out__judge_summary": rules_judging.summary_rules,
        "out__judge_bin": rules_judging.bin_rules,
        "out__judge_cascade": rules_judging.cascade_rules,
        "out__judge_curve": rules_judging.curve_rules,
        "out__manifest_run": rules_manifests.run_rules,
        "out__manifest_pair": rules_manifests.pair_rules,
        "out__manifest_field": rules_manifests.field_rules,
        "out__linked_score": rules_linked.linked_score_rules,
        "out__linked_part": rules_linked.linked_part_rules,
        "out__linked_metric": rules_linked.linked_metric_rules,
        "out__backtest": rules_linked.backtest_rules,
        "out__backtest_slice": rules_linked.backtest_slice_rules,
        "out__backtest_versus": rules_linked.versus_rules,
        "out__backtest_split": rules_linked.split_rules,
        "out__calibrated_interval": rules_linked.calibrated_rules,
        "out__board_sensitivity": rules_sensitivity.sensitivity_rules,
        "out__board_separation": rules_sensitivity.separation_rules,
        "out__protocol_panel": rules_protocols.panel_rules,
        "out__protocol_site": rules_protocols.site_rules,
        "out__protocol_coordinate": rules_protocols.coordinate_rules,
        "out__harness_cell": rules_harness.cell_rules,
        "out__harness_block": rules_harness.block_rules,
        "out__harness_summary": rules_harness.summary_rules,
        "out__harness_win": rules_harness.win_rules,
        "out__harness_blame": rules_harness.blame_rules,
        "out__harness_difference": rules_harness.difference_rules,
    }
)


def handmade_clauses(table: str, catalog: Catalog) -> tuple[Clause, ...]:
    """The rules of a table beyond its contract; none where the contract says all."""
    maker = HANDMADE.get(table)
    return tuple(maker(catalog)) if maker is not None else ()
