"""What an environment tells of its inference stack: versions without imports, nvidia-smi, git, a model's files."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import pytest

from resources import stack_capture
from resources.manifest_files import manifest_of
from resources.stack_capture import capture, manifest_text
from resources.text_documents import DocumentError
from warehouse.inference_manifest import RUN_FIELDS

NOW = datetime(2026, 10, 20, tzinfo=UTC)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The packages that seem to be installed."""
    packages: dict[str, str] = {}

    def version(name: str) -> str:
        if name not in packages:
            raise metadata.PackageNotFoundError(name)
        return packages[name]

    monkeypatch.setattr(stack_capture.metadata, "version", version)
    return packages


def program(folder: Path, name: str, prints: str, code: int = 0) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\ncat <<'END'\n{prints}\nEND\nexit {code}\n")
    (folder / name).chmod(0o755)


def test_what_is_not_told_is_null_with_what_to_state(
    tmp_path: Path, installed: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "none"))
    text = manifest_text(capture(tmp_path), [("dtype", "bf16"), ("extra.rope", "yarn"), ("seed", 0)], NOW)
    read = manifest_of(text.encode(), "m.yaml")
    assert read.stated.keys() >= {"dtype", "seed", "extra.rope", "host.python"}
    assert not read.stated.keys() & (set(RUN_FIELDS) - {"dtype", "seed"})
    assert text.count("null  # state it") == len(RUN_FIELDS) - 2


def test_one_server_is_named_and_several_are_not(tmp_path: Path, installed: dict[str, str]) -> None:
    installed |= {"vllm": "0.11.2", "torch": "2.9.0", "flash-attn": "2.7.4"}
    found = capture(tmp_path)
    assert found.run["framework"] == "vllm 0.11.2"
    assert found.run["kernels"] is None and "installed: flash-attn 2.7.4" in found.why["kernels"]
    assert found.packages == installed
    installed["sglang"] = "0.5"
    assert capture(tmp_path).run["framework"] is None


def test_nothing_heavy_is_imported(tmp_path: Path) -> None:
    before = set(sys.modules)
    capture(tmp_path)
    assert not {name.partition(".")[0] for name in set(sys.modules) - before} & {"torch", "vllm", "transformers"}


def test_the_gpu_by_nvidia_smi(tmp_path: Path, installed: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    card = "NVIDIA A10G, 23028, 550.54.15"
    program(tmp_path / "bin", "nvidia-smi", f"{card}\n{card}")
    found = capture(tmp_path)
    assert (found.run["gpu"], found.run["driver"]) == ("2x NVIDIA A10G 23028 MiB", "550.54.15")
    for prints, code in (("No devices were found", 0), (card, 9)):
        program(tmp_path / "bin", "nvidia-smi", prints, code)
        assert capture(tmp_path).run["gpu"] is None


def test_a_commit_is_stated_only_where_it_is_what_ran(tmp_path: Path, installed: dict[str, str]) -> None:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=n", "-c", "user.email=e@example.org"]
        subprocess.run(["git", "-C", str(tmp_path), *who, *arguments], check=True, capture_output=True)

    git("init", "-q")
    (tmp_path / "a").write_text("1")
    git("add", "a")
    git("commit", "-qm", "x")
    assert len(str(capture(tmp_path).run["commit"])) == 40
    (tmp_path / "a").write_text("2")
    found = capture(tmp_path)
    assert found.run["commit"] is None and "changes that no commit holds" in found.why["commit"]


def test_the_files_of_a_model(tmp_path: Path, installed: dict[str, str]) -> None:
    template = "{{ messages }}"
    config = {"torch_dtype": "bfloat16", "_name_or_path": "org/m", "quantization_config": {"quant_method": "gptq"}}
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"chat_template": template}))
    found = capture(tmp_path, tmp_path)
    assert found.run["dtype"] is None and "say bfloat16" in found.why["dtype"], "a run may load it otherwise"
    assert (found.run["model"], found.run["quantization"]) == ("org/m", "gptq")
    assert found.run["chat_template"] == f"sha256:{hashlib.sha256(template.encode()).hexdigest()}"
    (tmp_path / "config.json").write_text("{}")
    assert capture(tmp_path, tmp_path).run["quantization"] is None
    (tmp_path / "config.json").write_text("[")
    with pytest.raises(DocumentError):
        capture(tmp_path, tmp_path)


@pytest.mark.parametrize(
    "value", ["none", "null", "true", "yes", "1.10", "a: b", "#x", "naïve", {"a": 1.5}, 4, "-", "x'"]
)
def test_a_stated_value_comes_back(value: object) -> None:
    text = manifest_text(stack_capture.Captured(), [("gpu", value)], NOW)
    assert manifest_of(text.encode(), "m.yaml").run.gpu == value
