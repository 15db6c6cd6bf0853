"""What logs say of the stack: as far as they close it, and no further."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "logs"))

from tool_logs import inspect_header, inspect_sample, write_eval

from resources.logs.documents import LogFileError
from resources.stack_logs import stack_of_log

RESULTS: dict[str, Any] = {
    "config": {
        "model": "hf", "model_args": "pretrained=org/m,dtype=auto,revision=main", "model_dtype": "torch.bfloat16",
        "model_sha": "abc", "batch_size": "auto:4", "gen_kwargs": {"temperature": 0, "until": ["x"]}, "random_seed": 0,
        "numpy_seed": 1234,
    },
    "git_hash": "9f3c1ab", "lm_eval_version": "0.4.13", "transformers_version": "4.57", "chat_template": None,
    "chat_template_sha": None,
}  # fmt: skip


def results(path: Path, **changes: Any) -> Path:
    path.write_text(json.dumps(RESULTS | changes))
    return path


def test_results_of_lm_eval(tmp_path: Path) -> None:
    assert stack_of_log(results(tmp_path / "results_1.json")) == {
        "dtype": "torch.bfloat16", "commit": "9f3c1ab", "decoding": {"temperature": 0}, "model": "org/m",
        "seed": {"random_seed": 0, "numpy_seed": 1234}, "chat_template": "none", "model_revision": "abc",
        "packages.lm-eval": "0.4.13", "packages.transformers": "4.57", "extra.lm-eval model": "hf",
    }  # fmt: skip
    config = {"model": "vllm", "model_args": {"pretrained": "org/m", "dtype": "auto"}, "batch_size": 8}
    found = stack_of_log(results(tmp_path / "r.json", config=config, chat_template="x", chat_template_sha="d"))
    assert "dtype" not in found, "auto leaves open what was run"
    assert (found["batch_size"], found["chat_template"]) == (8, "sha256:d")


def test_a_log_of_inspect(tmp_path: Path) -> None:
    header = inspect_header(["one"])
    header["eval"] |= {
        "model_generate_config": {"temperature": 0.5, "seed": 7, "max_connections": 9},
        "model_args": {"dtype": "float16"},
        "revision": {"type": "git", "commit": "abc", "dirty": False}, "packages": {"inspect_ai": "0.3.285"},
    }  # fmt: skip
    path = write_eval(tmp_path / "a.eval", header, [inspect_sample("one", 1, "C")])
    assert stack_of_log(path) == {
        "dtype": "float16", "commit": "abc", "decoding": {"temperature": 0.5}, "seed": 7, "model": "mockllm/model",
        "packages.inspect-ai": "0.3.285",
    }  # fmt: skip
    for dirty in (True, None):
        header["eval"]["revision"]["dirty"] = dirty
        assert "commit" not in stack_of_log(write_eval(tmp_path / "b.eval", header, []))


def test_other_files(tmp_path: Path) -> None:
    with pytest.raises(LogFileError, match="no results of lm-evaluation-harness"):
        stack_of_log(results(tmp_path / "r.json", lm_eval_version=None))
    (tmp_path / "x.eval").write_bytes(b"no")
    with pytest.raises(LogFileError, match=r"x\.eval"):
        stack_of_log(tmp_path / "x.eval")
