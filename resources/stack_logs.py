"""What an evaluation tool's own log says of the stack: fields of a manifest that nobody has to type.

Belongs here: where lm-evaluation-harness and Inspect write what. What they leave open (`auto`) stays open.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from resources.archives import ArchiveError
from resources.logs import values
from resources.logs.documents import LogFileError, document, parsed
from resources.logs.eval_archives import EvalArchive

AUTO: Final = "auto"
_SEEDS: Final = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")
_DECODING: Final = (
    "temperature", "top_p", "top_k", "max_tokens", "stop_seqs", "frequency_penalty", "presence_penalty", "num_choices",
    "reasoning_effort", "reasoning_tokens",
)  # fmt: skip


def stack_of_log(path: Path) -> dict[str, Any]:
    """Fields of a manifest by name, as far as the log states them.

    Args:
        path: `results_<time>.json` of lm-evaluation-harness, or a `.eval` or `.json` log of Inspect.

    Raises:
        LogFileError: for a file that is neither.
    """
    data = _header(path) if path.suffix == ".eval" else document(path, path.name)
    if isinstance(values.part(data, "eval"), Mapping):
        found = _inspect(data)
    elif isinstance(values.part(data, "config"), Mapping) and values.part(data, "lm_eval_version") is not None:
        found = _lm_eval(data)
    else:
        raise LogFileError(path.name, "no results of lm-evaluation-harness, and no log of Inspect")
    return {name: value for name, value in found.items() if value is not None}


def _header(path: Path) -> Any:
    try:
        with EvalArchive(path) as archive:
            name = "header.json" if "header.json" in archive.names else "_journal/start.json"
            return parsed(archive.read(name), f"{path.name}#{name}")
    except ArchiveError as error:
        raise LogFileError(path.name, str(error)) from error


def _lm_eval(data: Mapping[str, Any]) -> dict[str, Any]:
    config = values.mapping(data["config"])
    arguments = config.get("model_args")
    if isinstance(arguments, str):
        arguments = dict(one.split("=", 1) for one in arguments.split(",") if "=" in one)
    asked = values.mapping(arguments)
    version = values.text(data.get("transformers_version"))
    seeds = {name: config[name] for name in _SEEDS if values.count(config.get(name)) is not None}
    return {
        "dtype": _closed(config.get("model_dtype")) or _closed(asked.get("dtype")),
        "batch_size": _closed(config.get("batch_size")),
        "commit": values.text(data.get("git_hash")),
        "decoding": _flat(config.get("gen_kwargs")),
        "seed": seeds or None,
        "chat_template": _template(data),
        "model": values.text(asked.get("pretrained")) or values.text(config.get("model")),
        "model_revision": values.text(config.get("model_sha")) or values.text(asked.get("revision")),
        "packages.lm-eval": values.text(data.get("lm_eval_version")),
        "packages.transformers": version if version != "N/A" else None,
        "extra.lm-eval model": values.text(config.get("model")),
    }


def _template(data: Mapping[str, Any]) -> str | None:
    """The hash of the template; `none` where the run says that it applied none."""
    digest = values.text(data.get("chat_template_sha"))
    if digest is not None:
        return f"sha256:{digest}"
    return "none" if "chat_template" in data and data["chat_template"] is None else None


def _inspect(data: Mapping[str, Any]) -> dict[str, Any]:
    spec = values.mapping(data["eval"])
    asked = values.mapping(spec.get("model_generate_config"))
    decoding = {name: asked[name] for name in _DECODING if isinstance(asked.get(name), int | float | str)}
    arguments = values.mapping(spec.get("model_args"))
    revision = values.mapping(spec.get("revision"))
    packages = {
        f"packages.{name.replace('_', '-')}": values.text(version)
        for name, version in values.mapping(spec.get("packages")).items()
    }
    return {
        "dtype": _closed(arguments.get("dtype")) or _closed(arguments.get("torch_dtype")),
        "batch_size": _closed(arguments.get("batch_size")),
        "commit": values.text(revision.get("commit")) if revision.get("dirty") is False else None,
        "decoding": decoding or None,
        "seed": values.count(asked.get("seed")),
        "model": values.text(spec.get("model")),
        **packages,
    }


def _closed(value: object) -> str | int | None:
    """A number, or a text that leaves nothing open."""
    number = values.count(value)
    if number is not None:
        return number
    text = values.text(value)
    return None if text is None or text.partition(":")[0].casefold() == AUTO else text


def _flat(value: object) -> Any:
    """Arguments of a call by name, as far as they are plain."""
    plain = {name: one for name, one in values.mapping(value).items() if isinstance(one, int | float | str)}
    return plain or values.text(value)
