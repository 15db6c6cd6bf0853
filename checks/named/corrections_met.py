"""The gate on corrections: each one that is due finds its entry with the old value it was written for (METHODS).

A correction that no longer fits is not applied. Then either the source mended its value, which `mended_upstream` says,
or the wrong value came back under another entry id or as another number, and would be published uncorrected.
"""

from __future__ import annotations

from checks.gate_inputs import Finding, GateInputs
from methods.catalog.corrections import unmet_corrections
from warehouse.catalog_model import GateSpec


def corrections_met(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """Corrections that are due and were not applied; none may be.

    Not due are: corrections of a leaderboard that this run received nothing of; those decided after the day (`when`),
    since an earlier day need not hold their entry; and those whose value the source has mended (`mended_upstream`).
    """
    results = inputs.frame("core__result")
    received = set(results["leaderboard"].unique())
    due = {
        correction.id: correction
        for correction in inputs.catalog.corrections
        if (correction.leaderboard is None or correction.leaderboard in received)
        and correction.when <= inputs.as_of
        and (correction.mended_upstream is None or inputs.as_of < correction.mended_upstream)
    }
    unmet = [item for item in unmet_corrections(results, inputs.catalog) if item.correction_id in due]
    told = "; ".join(f"{item.correction_id}: {item.message}" for item in unmet[:5])
    detail = (
        f"corrections that were not applied, {len(unmet)} of {len(due)} due: {told}; correct the entry that now holds "
        "the value, or state mended_upstream where the source mended it"
        if unmet
        else f"each of {len(due)} corrections due was applied, of {len(inputs.catalog.corrections)} in the catalog"
    )
    examples = tuple(
        {"correction": item.correction_id, "entry_id": item.entry_id, "message": item.message} for item in unmet
    )
    return Finding("fail" if unmet else "pass", float(len(unmet)), results.height, len(unmet), detail, examples, 0.0)
