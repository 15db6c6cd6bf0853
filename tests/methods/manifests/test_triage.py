"""Triage: it stops at the first that explains, says what is not known, and asks for the cheapest measurement."""

from __future__ import annotations

import random
from collections.abc import Sequence

import polars as pl
import pytest
from stack_runs import manifest, outputs

from methods.judging.columns import COLUMNS, FILE, ROW
from methods.judging.judgments import Judgments, gather
from methods.manifests.study import StackRun
from methods.manifests.triage import Triage, TriageRun, manifest_step, triage
from methods.manifests.triage_judge import judge_step
from methods.manifests.triage_protocol import protocol_step
from warehouse.methodology import Methodology
from warehouse.protocol_words import LOSS_SCHEMA

STACK = {"model": "j", "model_version": "1", "system_prompt": "s", "rubric": "r", "reference": "none",
         "temperature": "0", "max_length": "9", "parser": "p", "retries": "0"}  # fmt: skip


def losses(
    protocols: Sequence[str], spread: float = 1.0, seed: int = 1, units: int = 6, sites: int = 6
) -> pl.DataFrame:
    """Four candidates, apart by the protocol's own draw, with noise a unit."""
    noise = random.Random(seed)
    rows = []
    for site in range(sites):
        for coordinate in range(3):
            for protocol in protocols:
                own = random.Random(f"{site}{coordinate}{protocol}")
                for candidate in range(4):
                    base = candidate * 0.5 + own.gauss(0, spread)
                    for unit in range(units):
                        rows.append([f"s{site}", f"c{coordinate}", protocol, None, f"m{candidate}",
                                     f"u{unit}" if units > 1 else None, base + noise.gauss(0, 0.05), None])  # fmt: skip
    return pl.DataFrame(rows, schema=LOSS_SCHEMA, orient="row")


def judged(seed: int, confident_errors: bool = False, gold: bool = True, judge: str = "j", **stack: str) -> Judgments:
    draw, rows = random.Random(seed), []
    for item in range(120):
        side = item % 2 == 0
        wrong = draw.random() < 0.2
        q = draw.uniform(0.5, 1) if confident_errors else draw.uniform(0.5, 0.75) if wrong else draw.uniform(0.7, 1)
        p = q if side != wrong else 1 - q
        facts = {"item": f"i{item:03}", "judge": judge, "gold": ("A" if side else "B") if gold else None,
                 "first_prob_ab": f"{p:.4f}", "first_prob_ba": f"{1 - p:.4f}", **STACK, **stack}  # fmt: skip
        rows.append({name: facts.get(name) for name in COLUMNS} | {FILE: "f", ROW: item + 1})
    return gather(pl.DataFrame(rows, schema={**dict.fromkeys(COLUMNS, pl.String), FILE: pl.String, ROW: pl.Int64}), {})


def of(name: str, **parts: object) -> TriageRun:
    stack = StackRun(name, parts.pop("manifest", manifest()), parts.pop("outputs", None))  # type: ignore[arg-type]
    return TriageRun(stack, **parts)  # type: ignore[arg-type]


def outcomes(found: Triage) -> list[str]:
    return [step.outcome for step in found.steps]


def test_it_stops_at_the_manifest(methodology: Methodology) -> None:
    found = triage(of("a"), of("b", manifest=manifest(dtype="fp16", seed=1)), methodology)
    assert outcomes(found) == ["explains", "not_reached", "not_reached"]
    assert found.verdict == (
        "The manifest explains it: dtype is bfloat16 in a and float16 in b, and 1 more field differs."
    )
    assert found.next is not None and found.next.startswith("set dtype equal")
    assert "commit" in found.steps[0].equal
    assert outcomes(triage(of("a"), of("b", manifest=manifest(seed=1)), methodology, go_on=True)) == [
        "explains", "unknown", "unknown",
    ]  # fmt: skip


def test_equal_outputs_rule_the_stack_out_whatever_it_states(methodology: Methodology) -> None:
    a, b = (
        StackRun(name, manifest(dtype=dtype), outputs([[1], [2]])) for name, dtype in (("a", "bf16"), ("b", "fp16"))
    )
    assert manifest_step(a, b, methodology).outcome == "ruled_out"
    more = StackRun("b", b.manifest, outputs([[1], [2], [3]]))
    assert manifest_step(a, more, methodology).outcome == "unknown", "what only one answered is not known"


@pytest.mark.parametrize(
    ("b", "said", "asked"),
    [(manifest(seed=None), "seed is not stated", "state seed on both sides"),
     (None, "b brought no manifest", "write the manifest of b"),
     (manifest({"torch": "2.9"}), "packages.torch", "set packages.torch equal")],
)  # fmt: skip
def test_what_is_not_stated_is_unknown_and_cheap_to_settle(
    methodology: Methodology, b: object, said: str, asked: str
) -> None:
    step = manifest_step(StackRun("a", manifest()), StackRun("b", b), methodology)  # type: ignore[arg-type]
    assert step.outcome == "unknown" and said in step.said
    assert step.next is not None and asked in step.next


def test_one_stack_that_diverges_needs_its_own_yardstick(methodology: Methodology) -> None:
    a, b = StackRun("a", manifest(), outputs([[1]])), StackRun("b", manifest(), outputs([[2]]))
    step = manifest_step(a, b, methodology)
    assert step.outcome == "unknown" and "run a a second time" in str(step.next)
    alone = manifest_step(StackRun("a", manifest()), StackRun("b", manifest()), methodology)
    assert (alone.outcome, alone.next) == ("ruled_out", None)


def test_two_protocols_explain_what_is_beyond_chance(methodology: Methodology) -> None:
    step = protocol_step(of("a", losses=losses(["x"])), of("b", losses=losses(["y"], seed=2)), methodology)
    assert step.outcome == "explains" and "two protocols move rankings" in step.said
    alike = losses(["y"], seed=2).with_columns(loss=losses(["x"], seed=3)["loss"])
    same = protocol_step(of("a", losses=losses(["x"])), of("b", losses=alike), methodology)
    assert same.outcome == "ruled_out"


def test_two_protocols_without_units_have_no_yardstick(methodology: Methodology) -> None:
    a, b = (of(run, losses=losses([name], units=1)) for run, name in (("a", "x"), ("b", "y")))
    step = protocol_step(a, b, methodology)
    assert step.outcome == "unknown" and "by unit" in str(step.next)


def test_lawful_variants_that_move_as_much_explain(methodology: Methodology) -> None:
    apart = losses(["x", "y"], seed=2)
    moved = apart.with_columns(
        loss=pl.when((pl.col("candidate") == "m0") & (pl.col("site") < "s3")).then(pl.col("loss") + 9).otherwise("loss")
    )
    step = protocol_step(of("a", losses=losses(["x", "y"])), of("b", losses=moved), methodology)
    assert step.outcome == "explains" and "lawful variants alone" in step.said
    assert step.equal == ("protocol x", "protocol y")
    calm = [losses(["x"]), losses(["x"], seed=2)]
    doubled = [pl.concat([one, one.with_columns(protocol=pl.lit("y"))]) for one in calm]
    shifted = doubled[1].with_columns(loss=pl.when(pl.col("candidate") == "m0").then(99.0).otherwise("loss"))
    beyond = protocol_step(of("a", losses=doubled[0]), of("b", losses=shifted), methodology)
    assert beyond.outcome == "ruled_out" and "lawful variants by at most 0.000" in beyond.said


def test_losses_that_are_not_there_or_share_nothing(methodology: Methodology) -> None:
    assert "b brought no losses" in protocol_step(of("a", losses=losses(["x"])), of("b"), methodology).said
    other = losses(["x"]).with_columns(site=pl.concat_str(pl.lit("z"), "site"))
    assert protocol_step(of("a", losses=losses(["x"])), of("b", losses=other), methodology).outcome == "unknown"


def test_the_judge(methodology: Methodology) -> None:
    def step(a: Judgments | None, b: Judgments | None, judge: str | None = None) -> tuple[str, str]:
        found = judge_step(of("a", judgments=a), of("b", judgments=b), methodology, judge)
        return found.outcome, f"{found.said} {found.next}"

    assert step(judged(1), judged(1))[0] == "ruled_out"
    outcome, said = step(judged(1), judged(2))
    assert outcome == "explains" and "errors lie where q is low" in said and "fit the threshold again" in said
    outcome, said = step(judged(1, confident_errors=True), judged(2, confident_errors=True))
    assert outcome == "explains" and "q does not order" in said and "close the cascade" in said
    outcome, said = step(judged(1), judged(1, model="k"))
    assert outcome == "explains" and "model is j in a and k in b" in said
    outcome, said = step(judged(1, gold=False), judged(2, gold=False))
    assert outcome == "unknown" and "labelled by two people" in said
    assert step(None, judged(1))[0] == "unknown"
    assert step(judged(1), judged(2, judge="other"), None)[0] == "explains", "one judge each, under one key"


def test_nothing_explains(methodology: Methodology) -> None:
    a, b = (of(name, losses=losses(["x"]), judgments=judged(1)) for name in "ab")
    found = triage(a, b, methodology)
    assert outcomes(found) == ["ruled_out"] * 3
    assert found.explained_by is None and found.next is None and "models themselves" in found.verdict
    found = triage(of("a", manifest=None), b, methodology)
    assert found.verdict.startswith("Not explained: manifest and protocol")
    assert found.next == "write the manifest of a: minutes, and nothing is run again"


def test_an_explanation_names_what_before_it_was_not_settled(methodology: Methodology) -> None:
    found = triage(of("a", judgments=judged(1)), of("b", judgments=judged(1, model="k")), methodology)
    assert outcomes(found) == ["ruled_out", "unknown", "explains"]
    assert "protocol before it could not be settled" in found.verdict
    assert found.next is not None and "losses" in found.next
