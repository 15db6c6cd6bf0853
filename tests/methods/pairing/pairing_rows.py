"""Rows and catalogs for the tests of pairing: results built by hand, and names built from real variants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import yaml
from hypothesis import strategies as st

from warehouse.catalog_model import Catalog, Decision, PairAlias
from warehouse.identity import entry_id, identity_key
from warehouse.methodology import Methodology
from warehouse.metric_model import BenchmarkSpec
from warehouse.tables import CORE_RESULT
from warehouse.vocabulary import PROTOCOL_FIELDS

CATALOG = Path(__file__).resolve().parents[3] / "warehouse" / "catalog"
PREFIXES = ("Simular Research", "Simular", "openai/", "Qwen/", "OpenAI")


def methodology(**changed: Any) -> Methodology:
    """The methodology of the bundled catalog, some of its pairing entries changed."""
    content = yaml.safe_load((CATALOG / "methodology.yaml").read_text(encoding="utf-8"))
    content["pairing"].update(changed)
    return Methodology.model_validate(content)


METHODOLOGY = methodology()


def catalog(
    *,
    aliases: Iterable[tuple[str, str]] = (),
    decisions: Sequence[Decision] = (),
    benchmarks: Sequence[BenchmarkSpec] = (),
    prefixes: Sequence[str] = PREFIXES,
    rules: Methodology = METHODOLOGY,
) -> Catalog:
    """A catalog that says no more than pairing asks for."""
    return Catalog(
        version="test",
        sources=(),
        metrics=(),
        models=(),
        gates=(),
        methodology=rules,
        organization_prefixes=tuple(prefixes),
        pair_aliases=tuple(PairAlias(entry_id_a=a, entry_id_b=b, reason="same run") for a, b in aliases),
        decisions=tuple(decisions),
        benchmarks=tuple(benchmarks),
    )


def result(model: str, source_type: str = "official", **stated: Any) -> dict[str, Any]:
    """One row of `core__result`; protocol fields are named as in the native format."""
    protocol = {name: stated.pop(name) for name in PROTOCOL_FIELDS if name in stated}
    row: dict[str, Any] = dict.fromkeys(CORE_RESULT.columns)
    row |= {
        "leaderboard": "board",
        "snapshot_sha256": "0" * 64,
        "benchmark": "OSWorld",
        "metric": "success",
        "unit": "score",
        "value": 50.0,
        "kind": "measured",
        "model": model,
        "source_type": source_type,
    }
    row |= stated | {f"protocol_{name}": value for name, value in protocol.items()}
    row["entry_id"] = entry_id(identity_key(row | {"protocol": protocol}), 0)
    return row


def frame(rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Rows as a `core__result` frame; rows that would share an entry id are given different ranks."""
    seen: dict[str, int] = {}
    distinct = []
    for number, row in enumerate(rows):
        rank = seen[row["entry_id"]] = seen.get(row["entry_id"], -1) + 1
        identity = row["entry_id"] if rank == 0 else entry_id([row["entry_id"]], rank)
        distinct.append({**row, "entry_id": identity, "row_locator": str(number)})
    return CORE_RESULT.conform(pl.DataFrame(distinct, schema=CORE_RESULT.polars_schema(), orient="row"))


_FAMILIES = (
    "gpt-4o", "GPT 4o", "Claude Opus 5", "claude-opus-5", "Qwen-Image", "Kimi-VL", "kimi-vl-a3b", "o3",
    "UI-TARS-1.5", "uitars-1.5-7b", "Flux2-Klein-9B", "ＧＰＴ－４ｏ", "Straße-7B", "gpt4o", "模型 7B",
)  # fmt: skip
_EXTRAS = ("", "", "", " mini", "-2024-08-06", " thinking", "_v2", " Instruct", " A3B", "-7b", " preview", "(FC)")
_HEADS = ("Jedi-7B", "Agent S2", "agent  s2", "Sai", "OpenHands", "Simular Agent S2", "Simular Research Agent S2", "⚡")
_JOINTS = (" w/ ", " with ", " W/ ", " w/", " w/o ", "  w/ ", "+")
_SUFFIXES = (
    "",
    "",
    " (15 steps)",
    " [50步]",
    "（100 steps）",
    " [official PE]",
    " [no PE]",
    " + TRM-guided RL",
    " (15 Steps)",
)
_PREFIXES = ("", "", "", "Simular ", "Simular Research ", "openai/", "OpenAI ", "OpenAI", "Simularity ")
_TAILS = ("tools", "thinking", "the planner", "gpt-4o", "Claude Opus 5", "o3")

_pick = st.sampled_from


@st.composite
def names(draw: st.DrawFn) -> str:
    """A name as boards write them: perhaps prefixed, wrapped, suffixed, or nothing that can be compared."""
    if draw(st.integers(0, 40)) == 0:
        return draw(_pick(("⚡", "(15 steps)", "[no PE]", "w/ gpt-4o", "Simular", " - ")))
    bare = draw(_pick(_FAMILIES)) + draw(_pick(_EXTRAS))
    kind = draw(st.integers(0, 3))
    if kind == 0:
        bare = draw(_pick(_HEADS)) + draw(_pick(_JOINTS)) + bare
    if kind == 1 and draw(st.booleans()):
        bare += draw(_pick(_JOINTS)) + draw(_pick(_TAILS))
    return draw(_pick(_PREFIXES)) + bare + draw(_pick(_SUFFIXES))


_IDS = (None, None, None, "", "gpt-4o", "openai/gpt-4o", "claude-opus-5", "Qwen/Qwen-Image", "m-17")
_LINKS = (
    None, None, None, "", " ", "https://www.seed-tars.com/1.5/", "http://seed-tars.com/1.5#top", "arXiv:2504.07491",
    "https://arxiv.org/abs/2504.07491", "http://www.arxiv.org/pdf/2504.07491v2.pdf", "https://x.org/2504.07491",
    "https://arxiv.org/html/2504.07491v1/", "https://arxiv.org/abs/hep-th/9901001v3",
)  # fmt: skip
_NOTES = (
    None,
    None,
    None,
    "规划模型：claude-opus-5。",
    "Planner model gpt-4o, 规划模型 o3",
    "规划模型: openai/gpt-4o",
    "no planner",
)
_SETTINGS = (
    None,
    None,
    None,
    "15 steps",
    "50步",
    "推理 max",
    "推理high, 15 steps",
    "Reasoning low",
    "100 steps; reasoning xhigh",
)


@st.composite
def results(draw: st.DrawFn, greatest: int = 24) -> pl.DataFrame:
    """A `core__result` frame of one to three benchmarks, copies among its rows."""
    rows = draw(
        st.lists(
            st.builds(
                result,
                names(),
                _pick(("official", "official", "self_reported", "paper", "reproduced")),
                benchmark=_pick(("OSWorld", "OSWorld", "OSWorld", "GenEval", "osworld")),
                model_id=_pick(_IDS),
                model_url=_pick(_LINKS),
                notes=_pick(_NOTES),
                setting=_pick(_SETTINGS),
                steps=_pick((None, None, None, 15, 50)),
                effort=_pick((None, None, None, "high", "max", "8k")),
                copied_from=_pick((None, None, None, None, None, "", "another board")),
            ),
            min_size=2,
            max_size=greatest,
        )
    )
    return frame(rows)
