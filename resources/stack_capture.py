"""What a Python environment can tell about its inference stack, without importing any of it; the rest stays null.

Belongs here: package metadata, `nvidia-smi`, git, the files of a model's folder. Does not belong here: guessing: which
of several installed kernels a run used is for its owner to state.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from resources.json_documents import as_floats, load_json
from resources.logs import values
from resources.text_documents import DocumentError
from warehouse.inference_manifest import RUN_FIELDS
from warehouse.manifest_words import MANIFEST_SCHEMA

PACKAGES: Final = (
    "torch", "vllm", "sglang", "transformers", "tokenizers", "accelerate", "lmdeploy", "tensorrt-llm", "ctranslate2",
    "llama-cpp-python", "mlx-lm", "onnxruntime", "onnxruntime-gpu", "flash-attn", "flashinfer-python", "xformers",
    "triton", "bitsandbytes", "auto-gptq", "autoawq", "compressed-tensors", "numpy", "openai", "anthropic", "litellm",
    "lm-eval", "inspect-ai",
)  # fmt: skip
"""Packages whose versions can change an output."""
SERVERS: Final = (
    "vllm", "sglang", "lmdeploy", "tensorrt-llm", "ctranslate2", "llama-cpp-python", "mlx-lm", "onnxruntime-gpu",
)  # fmt: skip
KERNELS: Final = ("flash-attn", "flashinfer-python", "xformers", "triton")
SECONDS: Final = 10.0
_GPU_QUERY: Final = ("--query-gpu=name,memory.total,driver_version", "--format=csv,noheader,nounits")
_PLAIN: Final = re.compile(
    r"(?!(?:null|true|false|yes|no|on|off)$)[A-Za-z][A-Za-z0-9_./+ -]*[A-Za-z0-9_]", re.IGNORECASE
)
MODEL_FILES: Final = ("config.json", "tokenizer_config.json", "chat_template.jinja")


@dataclass
class Captured:
    """What was found.

    Attributes:
        run: value by field; null where nothing told it. why: why a field is null, or where its value is from.
        packages, host: versions by name.
    """

    run: dict[str, Any] = field(default_factory=lambda: dict.fromkeys(RUN_FIELDS))
    why: dict[str, str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    host: dict[str, str] = field(default_factory=dict)


ASK: Final[Mapping[str, str]] = {
    "dtype": "state it: of weights and activations, such as bfloat16",
    "batch_size": "state it: a number, or how batches were formed",
    "kernels": "state it: attention kernels with their version",
    "commit": "state it: no git checkout here",
    "framework": "state it: what served the model, with its version",
    "gpu": "state it: no nvidia-smi here; none, or name and number",
    "decoding": "state it: greedy, or strategy, temperature, top_p, maximum length",
    "seed": "state it: a number, or none",
    "chat_template": "state it: its name or hash, or none",
    "driver": "state it: no nvidia-smi here; none, or its version",
    "quantization": "state it: none, or method and bits",
    "parallelism": "state it: none, or tensor, pipeline, data parallel sizes",
    "model": "state it: which weights",
    "model_revision": "state it: exactly which, such as a commit of the weights",
}
"""Beside a null: what is missing."""


def capture(folder: Path, model: Path | None = None) -> Captured:
    """What this environment tells.

    Args:
        folder: of the code that runs the evaluation, for its commit.
        model: a folder with a model's files; only small JSON files and the chat template are read.

    Raises:
        DocumentError: for a broken file of the model.
    """
    found = Captured(why=dict(ASK))
    found.packages = {name: version for name in PACKAGES if (version := _version(name)) is not None}
    found.host = {"python": platform.python_version(), "platform": platform.platform(terse=True)}
    _framework(found)
    _commit(found, folder)
    _gpu(found)
    if model is not None:
        _model(found, model)
    return found


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _framework(found: Captured) -> None:
    servers = [f"{name} {found.packages[name]}" for name in SERVERS if name in found.packages]
    if len(servers) == 1:
        found.run["framework"], found.why["framework"] = servers[0], "the only one installed"
    elif servers:
        found.why["framework"] = f"state which one served: {', '.join(servers)} are installed"
    elif "transformers" in found.packages:
        found.why["framework"] = f"state it: transformers {found.packages['transformers']}, if it ran the model itself"
    kernels = [f"{name} {found.packages[name]}" for name in KERNELS if name in found.packages]
    if kernels:
        found.why["kernels"] = f"state which the run used; installed: {', '.join(kernels)}"


def _commit(found: Captured, folder: Path) -> None:
    commit = _said("git", "-C", str(folder), "rev-parse", "HEAD")
    if commit is None:
        return
    changed = _said("git", "-C", str(folder), "status", "--porcelain", "--untracked-files=no")
    if changed is None or changed:
        found.why["commit"] = f"state it: the checkout is at {commit} with changes that no commit holds"
    else:
        found.run["commit"], found.why["commit"] = commit, "of the current folder"


def _gpu(found: Captured) -> None:
    said = _said("nvidia-smi", *_GPU_QUERY)
    cards = [[part.strip() for part in line.split(",")] for line in (said or "").splitlines()]
    cards = [card for card in cards if len(card) == 3]
    if not cards:
        return
    names = sorted({f"{name} {memory} MiB" for name, memory, _ in cards})
    found.run["gpu"] = f"{len(cards)}x {names[0]}" if len(names) == 1 else ", ".join(names)
    drivers = sorted({driver for _, _, driver in cards})
    found.run["driver"] = drivers[0] if len(drivers) == 1 else ", ".join(drivers)
    found.why["gpu"] = found.why["driver"] = "by nvidia-smi; state fewer where the run used fewer"


def _said(program: str, *arguments: str) -> str | None:
    """What a program prints; None where it is absent, fails, or takes too long."""
    path = shutil.which(program)
    if path is None:
        return None
    try:
        ran = subprocess.run(  # noqa: S603 - a fixed program, no shell, nothing of it is obeyed
            [path, *arguments], capture_output=True, timeout=SECONDS, check=True, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return ran.stdout.decode("utf-8", "replace").strip()


def _model(found: Captured, folder: Path) -> None:
    config, tokenizer = (_json(folder / name) for name in MODEL_FILES[:2])
    dtype = values.text(config.get("dtype")) or values.text(config.get("torch_dtype"))
    if dtype is not None:
        found.why["dtype"] = f"state it: the model's files say {dtype}; a run may have loaded it otherwise"
    method = values.part(config, "quantization_config", "quant_method")
    if config and method is None:
        found.run["quantization"], found.why["quantization"] = "none", "the model's files state none"
    elif method is not None:
        found.run["quantization"], found.why["quantization"] = str(method), "of the model's files"
    file = folder / MODEL_FILES[2]
    template = file.read_text(encoding="utf-8") if file.is_file() else values.text(tokenizer.get("chat_template"))
    if template is not None:
        digest = hashlib.sha256(template.encode()).hexdigest()
        found.run["chat_template"], found.why["chat_template"] = f"sha256:{digest}", "of the model's files"
    name = values.text(config.get("_name_or_path"))
    if name is not None:
        found.run["model"], found.why["model"] = name, "of the model's files"


def _json(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    data = as_floats(load_json(path.read_bytes(), path.name))
    if not isinstance(data, dict):
        raise DocumentError(path.name, "must be an object")
    return data


def manifest_text(found: Captured, stated: Sequence[tuple[str, Any]], at: datetime) -> str:
    """The manifest as YAML, every null with what is missing, every found value with where it is from.

    Args:
        found: what was captured.
        stated: (field, value) by the user: a field of the run, `packages.<name>`, `host.<name>` or `extra.<name>`.
        at: when.
    """
    run = dict(found.run)
    parts: dict[str, dict[str, Any]] = {"packages": dict(found.packages), "host": dict(found.host), "extra": {}}
    why = dict(found.why)
    for name, value in stated:
        part, dot, rest = name.partition(".")
        if dot and part in parts:
            parts[part][rest] = value
        else:
            run[name] = value
            why.pop(name, None)
    lines = [f"schema: {MANIFEST_SCHEMA}", f"captured_at: {_scalar(at.isoformat())}", "run:"]
    for name, value in run.items():
        note = f"  # {why[name]}" if name in why else ""
        lines.append(f"  {name}: {_scalar(value)}{note}")
    for part, held in parts.items():
        lines += [f"{part}:"] + [f"  {_scalar(name)}: {_scalar(value)}" for name, value in sorted(held.items())]
        if not held:
            lines[-1] += " {}"
    return "\n".join(lines) + "\n"


def _scalar(value: Any) -> str:
    """A value as YAML: texts in quotes wherever they could be read as something else."""
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)
