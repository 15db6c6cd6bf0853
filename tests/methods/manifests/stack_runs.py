"""Runs made from a few words: whole manifests with single changes, outputs as lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from methods.manifests.study import StackRun
from warehouse.inference_manifest import InferenceManifest
from warehouse.manifest_words import OUTPUT_SCHEMA

WHOLE = {
    "dtype": "bf16", "batch_size": 4, "kernels": "flash-attn 2.7.4", "commit": "9f3c1ab", "framework": "vllm 0.11.2",
    "gpu": "A10G", "decoding": "greedy", "seed": 0, "chat_template": "none", "driver": "550.54", "quantization": "none",
    "parallelism": "none",
}  # fmt: skip


def manifest(packages: Mapping[str, Any] | None = None, **changes: Any) -> InferenceManifest:
    """A whole manifest with changes; None takes a field away."""
    return InferenceManifest.model_validate({"run": WHOLE | changes, "packages": dict(packages or {})})


def outputs(
    tokens: Sequence[Sequence[int] | None], margins: Sequence[Sequence[float] | None] | None = None,
    texts: Sequence[str | None] | None = None, refused: Sequence[int] = (), first: int = 0,
) -> pl.DataFrame:  # fmt: skip
    known = [None if one is None else [float(value) for value in one] for one in margins or [None] * len(tokens)]
    said = texts or [None] * len(tokens)
    states = ["refused" if place in refused else "ok" for place in range(len(tokens))]
    names = [f"p{first + place}" for place in range(len(tokens))]
    rows = list(zip(names, tokens, said, known, states, strict=True))
    return pl.DataFrame(rows, schema=OUTPUT_SCHEMA, orient="row")


def run(name: str, of: InferenceManifest | None = None, gave: pl.DataFrame | None = None) -> StackRun:
    return StackRun(name, of, gave)
