"""Corpus metrics: recomputed in every resample, as sacrebleu itself does it on the drawn answers."""

from __future__ import annotations

import random

import numpy as np
import polars as pl
import pytest
import sacrebleu
from decision_cases import contract, methodology, quick, samples

from methods.decision.corpus import compare_corpus, corpus_score, corpus_statistics, task_statistics
from methods.decision.decide import decide
from methods.statistics.keyed_random import draws, resample_keys

WORDS = ("the", "cat", "sat", "on", "a", "mat", "and", "looked", "at", "bird", "that", "sang", "old", "tree")


def texts(seed: int, tasks: int, kept: float) -> tuple[list[str], list[str]]:
    """References, and answers that keep so large a share of their words."""
    draw = random.Random(seed)
    references = [" ".join(draw.choices(WORDS, k=draw.randrange(6, 14))) for _ in range(tasks)]
    answers = [
        " ".join(word if draw.random() < kept else draw.choice(WORDS) for word in text.split()) for text in references
    ]
    return references, answers


@pytest.mark.parametrize(("kind", "peer"), [("bleu", sacrebleu.corpus_bleu), ("chrf", sacrebleu.corpus_chrf)])
def test_every_resample_is_what_sacrebleu_says_of_the_drawn_answers(kind: str, peer: object) -> None:
    references, old = texts(1, 40, 0.7)
    _, new = texts(1, 40, 0.8)
    both = [corpus_statistics(kind, pl.Series(side), pl.Series(references)) for side in (old, new)]  # type: ignore[arg-type]
    score = corpus_score(kind, both[0].sum(axis=0))  # type: ignore[arg-type]
    assert score == pytest.approx(peer(old, [references]).score, abs=1e-9)  # type: ignore[operator]
    rules = methodology().decision.model_copy(update={"resamples": 25})
    found = compare_corpus(kind, *both, np.arange(40), 0.0, 0.05, seed=methodology().seed, rules=rules)  # type: ignore[arg-type]
    naive = []
    for r in range(25):
        drawn = draws(resample_keys(methodology().seed, r, r + 1), 40)[0].tolist()
        own = [references[i] for i in drawn]
        scored = [peer([side[i] for i in drawn], [own]).score for side in (new, old)]  # type: ignore[operator]
        naive.append((scored[0] - scored[1]) / 100)
    assert found.bounds.bootstrap is not None
    assert found.bounds.bootstrap.low == pytest.approx(float(np.quantile(naive, 0.05)), abs=1e-9)
    assert found.bounds.bootstrap.high == pytest.approx(float(np.quantile(naive, 0.95)), abs=1e-9)


def test_answers_of_a_task_are_summed_in_the_order_of_names() -> None:
    answers = pl.DataFrame(
        {"task": ["b", "a", "a", "b"], "_candidate": [True, False, True, False],
         "hypothesis": ["the cat", "a bird", None, "the mat"], "reference": ["the cat", "a bird", "a bird", "the cat"]}
    )  # fmt: skip
    old, new = task_statistics("bleu", answers)
    assert old.shape == new.shape and old[0, 0] == 2 and new[0, 0] == 0 and new[1, 0] == 2


def test_a_decision_on_bleu() -> None:
    references, old = texts(2, 60, 0.6)
    _, new = texts(2, 60, 0.9)
    frame = pl.DataFrame(
        {"system": ["old"] * 60 + ["new"] * 60, "task": [f"t{i}" for i in range(60)] * 2, "answer": old + new,
         "gold": references * 2}
    )  # fmt: skip
    of = contract(
        outcome={"kind": "bleu", "hypothesis": "answer", "reference": "gold"},
        objective={"kind": "superiority", "delta_ship_pp": 5, "alpha": 0.05, "expected_pp": 15},
    )
    found = decide(of, samples(of, frame), quick(300))
    one = next(gate for gate in found.gates if gate.id == "objective")
    assert one.outcome == "pass" and one.method == "bootstrap" and one.candidate is not None
    assert one.candidate == pytest.approx(sacrebleu.corpus_bleu(new, [references]).score, abs=1e-9)
    assert found.instability is not None and found.instability.reason == "not_a_mean"
    few = decide(of, samples(of, frame.filter(pl.col("task").is_in([f"t{i}" for i in range(25)]))), quick(300))
    assert "are the least that bound a corpus metric" in next(g for g in few.gates if g.id == "objective").detail
