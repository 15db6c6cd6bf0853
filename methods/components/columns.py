"""Component metrics as columns that a release contract may name (METHODS 13).

Belongs here: the names, and making the columns from what the samples carry. Does not belong here: the formulas (the
modules beside this one), gates on a column (`methods.decision.metric_gates`). A name states what must be declared: the
unit and the k. `chunk_recall@5` is recall among the first five chunks, and samples whose `retrieval_unit` says anything
else are refused.

========================================  =========================================================================
`<unit>_hit@<k>`, `<unit>_recall@<k>`     unit: chunk, passage, document, parent; null where nothing relevant may be
                                          seen
`correct_refusal`, `false_retrieval`      of questions to be refused; null for the others
`retrieves_unauthorized`                  whether an object was retrieved that the asker may not see: for a red line
`<unit>_citation_correctness`             unit: link, span, claim_citation_pair; null where none was judged
`citation_coverage`                       judged of those given; null where none was given
`citation_completeness`                   null where no claim needs one
`claims_supported_frac`, `claims_contradicted_frac`, `claims_not_in_context_frac`
                                          null where no claim was judged
`pass@<k>`, `pass^<k>`                    of a binary outcome, the same in every row of a system's task; null where
                                          the task has fewer than k trials
========================================  =========================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import polars as pl

from methods.components.citations import citation_columns, ratio
from methods.components.claims import claim_columns
from methods.components.declared import ComponentError, check_unit
from methods.components.retrieval import retrieval_columns
from methods.components.trials import task_shares
from warehouse.component_words import CITATION_UNITS, RETRIEVAL_UNITS

LIST_COLUMNS: Final = ("retrieved", "relevant", "unauthorized", "citations", "claims")
"""Columns of samples that hold lists of texts."""
_RANKED: Final = re.compile(rf"({'|'.join(RETRIEVAL_UNITS)})_(hit|recall)@([1-9][0-9]{{0,8}})")
_CITED: Final = re.compile(rf"({'|'.join(CITATION_UNITS)})_citation_correctness")
_REPEATED: Final = re.compile(r"pass([@^])([1-9][0-9]{0,8})")
_REFUSALS: Final = {"correct_refusal": "is_refusal_correct", "false_retrieval": "is_false_retrieval"}
_CLAIMS: Final = ("claims_supported_frac", "claims_contradicted_frac", "claims_not_in_context_frac")
_LEAK: Final = "retrieves_unauthorized"
_COVERAGE: Final = "citation_coverage"
_COMPLETENESS: Final = "citation_completeness"


def with_components(samples: pl.DataFrame, wanted: Iterable[str], outcome: str | None = None) -> pl.DataFrame:
    """The samples with the component columns that are asked for; one that they hold already is left as it is.

    Args:
        samples: with `system` and `task`, and what the components are made of (`retrieval`, `citations`, `claims`).
        wanted: names of columns; those that are no component are passed over.
        outcome: the column of a binary outcome, for `pass@k` and `pass^k`.

    Raises:
        ComponentError: where what a component is made of is missing, or stated in another unit than the name's.
    """
    for name in dict.fromkeys(wanted):
        if name not in samples.columns:
            made = _made(samples, name, outcome)
            samples = samples if made is None else samples.with_columns(made.alias(name))
    return samples


def is_repeated(name: str) -> bool:
    """Whether a name is one of `pass@k` and `pass^k`, which count successes."""
    return _REPEATED.fullmatch(name) is not None


def _made(samples: pl.DataFrame, name: str, outcome: str | None) -> pl.Series | None:
    """A component's column; None where the name is no component's."""
    if match := _RANKED.fullmatch(name):
        _needs(samples, name, "retrieved", "relevant", "retrieval_unit")
        check_unit(samples, "retrieval_unit", match[1])
        figure = retrieval_columns(samples, int(match[3]))[f"retrieval_{match[2]}"]
        return figure.cast(pl.Float64)
    if name in _REFUSALS:
        _needs(samples, name, "relevant", "refused" if name == "correct_refusal" else "retrieved")
        return retrieval_columns(samples, 1)[_REFUSALS[name]].cast(pl.Float64)
    if name == _LEAK:
        _needs(samples, name, "retrieved", "unauthorized")
        return retrieval_columns(samples, 1)["unauthorized_retrieved"] > 0
    if match := _CITED.fullmatch(name):
        _needs(samples, name, "citations", "citation_unit")
        check_unit(samples, "citation_unit", match[1])
        return citation_columns(samples)["citation_correctness"]
    if name == _COVERAGE:
        _needs(samples, name, "citations")
        told = citation_columns(samples)
        return told.select(ratio(pl.col("citations_judged"), pl.col("citations_given")).alias(name))[name]
    if name == _COMPLETENESS:
        _needs(samples, name, "claims_needing_citation", "claims_with_citation")
        return citation_columns(samples)[name]
    if name in _CLAIMS:
        _needs(samples, name, "claims")
        return claim_columns(samples)[name]
    if match := _REPEATED.fullmatch(name):
        return _repeated(samples, name, int(match[2]), outcome, is_every=match[1] == "^")
    return None


def _repeated(samples: pl.DataFrame, name: str, k: int, outcome: str | None, *, is_every: bool) -> pl.Series:
    """pass@k or pass^k of the row's task; a row without an outcome is no trial."""
    if outcome is None:
        raise ComponentError(f"{name}: needs a binary outcome, whose successes it counts")
    _needs(samples, name, outcome)
    won = samples[outcome].cast(pl.Float64, strict=False)
    wrong = won.is_not_null() & ~won.is_in([0.0, 1.0])
    if wrong.any():
        row = int(wrong.arg_true()[0])
        raise ComponentError(f"row {row + 1}, {outcome}: {samples[outcome][row]!r} is neither a success nor none")
    numbered = samples.select("system", "task", won.cast(pl.Int64).alias("_won"))
    tasks = numbered.group_by("system", "task").agg(pl.col("_won").count().alias("n"), pl.col("_won").sum().alias("c"))
    shares = task_shares(tasks["n"].to_numpy(), tasks["c"].to_numpy(), k, "pass_hat_k" if is_every else "pass_at_k")
    told = tasks.with_columns(pl.Series("_share", shares).fill_nan(None))
    return numbered.join(told, on=["system", "task"], how="left", maintain_order="left")["_share"]


def _needs(samples: pl.DataFrame, name: str, *columns: str) -> None:
    missing = [column for column in columns if column not in samples.columns]
    if missing:
        raise ComponentError(f"{name}: is made of {', '.join(columns)}; the samples have no column {missing[0]}")


def made_of(wanted: Iterable[str], outcome: str | None = None) -> tuple[str, ...]:
    """The columns that samples must carry for the components among some names, once each."""
    found: list[str] = []
    for name in wanted:
        if _RANKED.fullmatch(name):
            found += ["retrieved", "relevant", "unauthorized", "retrieval_unit"]
        elif name in _REFUSALS or name == _LEAK:
            found += ["retrieved", "relevant", "unauthorized", "refused"]
        elif _CITED.fullmatch(name) or name == _COVERAGE:
            found += ["citations", "citation_unit"]
        elif name == _COMPLETENESS:
            found += ["claims_needing_citation", "claims_with_citation"]
        elif name in _CLAIMS:
            found += ["claims"]
        elif _REPEATED.fullmatch(name):
            found += [] if outcome is None else [outcome]
    return tuple(dict.fromkeys(found))
