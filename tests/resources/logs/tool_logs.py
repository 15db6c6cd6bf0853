"""Tiny logs in the shapes that the tools write, for machines where the tools themselves are not installed."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

ZSTD = 93


def zip_bytes(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of members; packed with zstd (which zipfile cannot write) where the method says so."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED if method == ZSTD else method) as archive:
        for name, data in members.items():
            archive.writestr(name, zstd(data) if method == ZSTD else data)
        infos = archive.infolist()
    packed = bytearray(buffer.getvalue())
    if method != ZSTD:
        return bytes(packed)
    central = struct.unpack("<I", packed[-6:-2])[0]
    for info in infos:
        data = members[info.filename]
        for at, shift in ((info.header_offset, 0), (central, 2)):
            struct.pack_into("<H", packed, at + 8 + shift, ZSTD)
            struct.pack_into("<I", packed, at + 14 + shift, zlib.crc32(data))
            struct.pack_into("<I", packed, at + 22 + shift, len(data))
        central += 46 + len(info.filename.encode())
    return bytes(packed)


def zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


def inspect_sample(task: Any, epoch: int, value: Any = None, **more: Any) -> dict[str, Any]:
    scores = {} if value is None else {"match": {"value": value, "answer": "2", "history": []}}
    usage = {"mockllm/model": {"input_tokens": 10, "output_tokens": 3, "total_tokens": 13}}
    return {
        "id": task, "epoch": epoch, "input": "1+1", "target": "2", "metadata": {"lang": "en"}, "scores": scores,
        "model_usage": usage, "role_usage": {}, "started_at": "2026-11-30T07:26:40.682450+00:00",
        "completed_at": "2026-11-30T07:26:41.135364+00:00", "total_time": 0.453, "working_time": 0.445,
        "uuid": f"u-{task}-{epoch}", "retries": 0, "completed": True, "message_count": 2, "turn_count": 1,
    } | more  # fmt: skip


def inspect_header(samples: Sequence[Any], epochs: int = 1, status: str = "success", **more: Any) -> dict[str, Any]:
    return {
        "version": 2, "status": status,
        "eval": {
            "task": "arith", "task_version": 0, "model": "mockllm/model",
            "dataset": {"samples": len(samples), "sample_ids": list(samples), "shuffled": False},
            "config": {"epochs": epochs, "epochs_reducer": ["mean"]},
            "scorers": [{"name": "match", "options": {}, "metrics": []}],
        },
        "plan": {"name": "plan", "steps": [{"solver": "generate", "params": {}}]},
        "results": {"scores": [{"name": "match", "scorer": "match"}]},
    } | more  # fmt: skip


def write_eval(path: Path, header: Mapping[str, Any], samples: Sequence[Mapping[str, Any]], method: int = ZSTD) -> Path:
    members = {
        "_journal/start.json": json.dumps({"version": 2, "eval": header["eval"], "plan": header["plan"]}).encode()
    }
    for sample in samples:
        members[f"samples/{sample['id']}_epoch_{sample['epoch']}.json"] = json.dumps(sample).encode()
    members["summaries.json"] = json.dumps(list(samples)).encode()
    members["header.json"] = json.dumps(header).encode()
    path.write_bytes(zip_bytes(members, method))
    return path


def lm_eval_line(document: int, scored: Mapping[str, Any], filtered: str = "none", answer: Any = "2") -> dict[str, Any]:
    return {
        "doc_id": document, "doc": {"q": "1+1="}, "target": "2", "arguments": {}, "resps": [["2"]],
        "filtered_resps": [answer], "filter": filtered, "metrics": list(scored), "doc_hash": f"h{document}", **scored,
    }  # fmt: skip


def write_lm_eval(folder: Path, task: str, lines: Sequence[Mapping[str, Any]], **more: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    time = "2026-11-30T07-26-57.920645"
    results = {
        "results": {}, "configs": {}, "higher_is_better": {}, "model_name": "folder",
        "config": {"model": "hf", "model_args": {"pretrained": "org/model-1b", "dtype": "float16"}, "batch_size": 8},
    } | more  # fmt: skip
    (folder / f"results_{time}.json").write_text(json.dumps(results))
    path = folder / f"samples_{task}_{time}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def harbor_trial(task: str, name: str, reward: float | None, **more: Any) -> dict[str, Any]:
    return {
        "id": name, "task_name": task, "trial_name": name, "trial_uri": f"file:///jobs/{name}", "task_checksum": "c",
        "source": "terminal-bench", "config": {"agent": {"name": "terminus-2", "model_name": "org/m"}},
        "agent_info": {"name": "terminus-2", "version": "2.0.0", "model_info": {"name": "m", "provider": "org"}},
        "agent_result": {"n_input_tokens": 1200, "n_cache_tokens": 100, "n_output_tokens": 300, "cost_usd": 0.25},
        "verifier_result": None if reward is None else {"rewards": {"reward": reward}}, "exception_info": None,
        "started_at": "2026-01-01T00:00:00Z", "finished_at": "2026-01-01T00:01:00Z",
        "agent_execution": {"started_at": "2026-01-01T00:00:10Z", "finished_at": "2026-01-01T00:00:40Z"},
    } | more  # fmt: skip


def write_json(path: Path, data: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))
    return path
