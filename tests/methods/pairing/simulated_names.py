"""Large frames of results with realistic names: families, sizes, variants, wrappers, suffixes, links, planner notes."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from warehouse.tables import CORE_RESULT

_FAMILIES = (
    "llama", "qwen", "gpt", "claude", "gemini", "mistral", "mixtral", "phi", "gemma", "deepseek", "yi", "falcon",
    "command", "internlm", "baichuan", "glm", "olmo", "nemotron", "grok", "granite", "starcoder", "codestral",
    "solar", "jamba", "dbrx",
)  # fmt: skip
_SIZES = (
    "0.5b", "1b", "1.5b", "3b", "4b", "7b", "8b", "9b", "13b", "14b", "27b", "32b", "34b", "70b", "72b", "405b",
    "8x7b", "8x22b",
)  # fmt: skip
_VARIANTS = (
    "instruct", "chat", "base", "it", "preview", "turbo", "pro", "flash", "mini", "large", "coder", "math", "vision",
    "thinking", "sft", "dpo", "rlhf", "hf",
)  # fmt: skip
_AGENTS = ("OpenHands", "Aider", "Agentless", "SWE-agent", "Moatless", "AutoCodeRover", "Agent S2")
_SUFFIXES = (" (15 steps)", " (50 steps)", " [no PE]", " [official PE]", " + TRM-guided RL")
_TYPES = ("official", "self_reported", "paper", "reproduced")


def simulated_results(rows: int, seed: int, benchmark: str = "OSWorld") -> pl.DataFrame:
    """A `core__result` frame of one benchmark: about three spellings of each of rows / 3 models, four source types."""
    chance = np.random.default_rng(seed)
    count = max(200, int(6 * rows**0.75))
    begins, ends = (
        chance.choice(list("bcdfghklmnprst"), count),
        chance.choice(["ara", "elo", "imu", "ona", "upi"], count),
    )
    words = [f"{begin}{end}{k}" for k, (begin, end) in enumerate(zip(begins, ends, strict=True))]
    frequency = 1 / np.arange(1, len(words) + 1) ** 0.9
    models = max(3, rows // 3)
    chosen = chance.choice(len(words), (models, 3), p=frequency / frequency.sum())
    fresh = chance.choice(4, models, p=[0.05, 0.35, 0.4, 0.2])
    parts = chance.integers(0, 1 << 30, (models, 6))
    model = chance.integers(0, models, rows)
    roll = chance.random((rows, 10))
    detail = chance.integers(0, 1 << 30, (rows, 4))
    columns: dict[str, list[Any]] = {
        name: [] for name in ("model", "model_id", "model_url", "notes", "setting", "steps")
    }
    for row in range(rows):
        m = model[row]
        p = parts[m]
        tokens = [_FAMILIES[p[0] % len(_FAMILIES)], f"{p[1] % 40 / 10:.1f}", _SIZES[p[2] % len(_SIZES)]]
        tokens += [words[k] for k in chosen[m][: fresh[m]]] + [_VARIANTS[p[4] % len(_VARIANTS)]]
        if roll[row, 0] < 0.25 and len(tokens) > 3:
            tokens.pop(int(detail[row, 0]) % len(tokens))
        name = " -_"[int(detail[row, 1]) % 3].join(tokens)
        if p[5] % 16 == 0 or roll[row, 1] < 0.01:
            name = _AGENTS[int(detail[row, 2]) % len(_AGENTS)] + " w/ " + name
        elif roll[row, 9] < 0.02:
            name = ("Simular ", "openai/")[int(detail[row, 2]) % 2] + name
        if roll[row, 2] < 0.05:
            name += _SUFFIXES[int(detail[row, 3]) % len(_SUFFIXES)]
        name = name.title() if roll[row, 3] < 0.3 else name
        slug = "-".join(tokens)
        columns["model"].append(name)
        columns["model_id"].append(f"m{m}" if roll[row, 4] < 0.1 else slug if roll[row, 4] < 0.12 else None)
        columns["model_url"].append(f"https://models.org/{m}/" if roll[row, 5] < 0.1 else None)
        columns["notes"].append(f"规划模型：{slug}" if roll[row, 6] < 0.02 else None)
        columns["setting"].append("推理 high" if roll[row, 7] < 0.03 else "推理 max" if roll[row, 7] < 0.06 else None)
        columns["steps"].append(15 if roll[row, 8] < 0.1 else 50 if roll[row, 8] < 0.2 else None)
    steps = columns.pop("steps")
    stated = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)).with_columns(
        pl.Series("protocol_steps", steps, pl.Int64),
        pl.Series("entry_id", [f"{k:016x}" for k in chance.permutation(rows)]),
        pl.Series("source_type", [_TYPES[k] for k in chance.choice(4, rows, p=[0.5, 0.3, 0.1, 0.1])]),
        benchmark=pl.lit(benchmark), leaderboard=pl.lit("board"), snapshot_sha256=pl.lit("0" * 64),
        row_locator=pl.lit("1"), metric=pl.lit("success"), unit=pl.lit("score"), kind=pl.lit("measured"),
        value=pl.lit(50.0),
    )  # fmt: skip
    schema = CORE_RESULT.polars_schema()
    return stated.select(
        pl.col(name).cast(kind) if name in stated.columns else pl.lit(None, kind).alias(name)
        for name, kind in schema.items()
    )
