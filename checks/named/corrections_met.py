"""The gate on corrections: each one that is due finds its entry with the old value it was written for (METHODS).

A correction that no longer fits is not applied. Then either the source mended its value, which `mended_upstream` says,
or the wrong value came back under another entry id or as another number, and would be published uncorrected.
"""

from __future__ import annotations

from checks.gate_inputs import Finding, GateInputs
from methods.catalog.corrections import unmet_corrections
from warehouse.catalog_model import GateSpec


def corrections_met(_gate: GateSpec, inputs: GateInputs) -> Finding:
    """Corrections that are due and were not applied, or whose entry cannot be read; none may be.

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
    broken = inputs.catalog.broken_corrections
    said = []
    if broken:
        named = f"{', '.join(broken[:5])}{' and more' if len(broken) > 5 else ''}"
        said.append(f"entries of corrections.yaml that cannot be read, {len(broken)}: {named}; see catalog check")
    if unmet:
        told = "; ".join(f"{item.correction_id}: {item.message}" for item in unmet[:5])
        said.append(
            f"corrections that were not applied, {len(unmet)} of {len(due)} due: {told}; correct the entry that now "
            "holds the value, or state mended_upstream where the source mended it"
        )
    in_all = len(inputs.catalog.corrections)
    detail = "; ".join(said) or f"each of {len(due)} corrections due was applied, of {in_all} in the catalog"
    examples = (
        *({"correction": name, "message": "its entry cannot be read"} for name in broken),
        *({"correction": item.correction_id, "entry_id": item.entry_id, "message": item.message} for item in unmet),
    )
    failed = len(unmet) + len(broken)
    return Finding("fail" if failed else "pass", float(failed), results.height, failed, detail, examples, 0.0)
