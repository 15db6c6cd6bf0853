"""229,000 results as a tree of every-eval-ever logs, read into `raw__row`: prints seconds of CPU and the peak memory.

    python tests/benchmarks/bench_every_eval_ever.py

Twelve results a log, each with uncertainty, bounds and a generation config, 167 MB of JSON in 19,084 files. The bound:
60 s of CPU and 2 GB, the files themselves included.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from collections.abc import Iterator
from typing import Any

from methods.catalog.received import receive
from resources.connectors import SnapshotFile, parse
from warehouse.catalog_model import SourceSpec

RESULTS = 229_000
PER_LOG = 12
SOURCE = SourceSpec(id="b", title="B", connector="every-eval-ever", url="logs", source_type="official")


def generated(results: int) -> Iterator[SnapshotFile]:
    """Logs with that many results in all."""
    draw = random.Random(20261020)
    for number in range(-(-results // PER_LOG)):
        count = min(PER_LOG, results - number * PER_LOG)
        log = {
            "schema_version": "0.3.0",
            "evaluation_id": f"b/model-{number}/1",
            "retrieved_timestamp": "1760918400.25",
            "source_metadata": {
                "source_name": "B", "source_type": "evaluation_run", "source_organization_name": "Org",
                "source_organization_url": "https://example.org", "evaluator_relationship": "third_party",
            },
            "model_info": {
                "name": f"Model {number}", "id": f"org/model-{number}", "developer": f"Org {number % 50}",
                "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
            },
            "eval_library": {"name": "lm-eval", "version": "0.4"},
            "evaluation_results": [_result(number, place, draw) for place in range(count)],
        }  # fmt: skip
        yield SnapshotFile(f"data/b/org/model-{number}/log.json", json.dumps(log).encode())


def _result(number: int, place: int, draw: random.Random) -> dict[str, Any]:
    return {
        "evaluation_result_id": f"r{number}-{place}", "evaluation_name": f"task {place}",
        "source_data": {
            "dataset_name": f"Set {place}", "source_type": "hf_dataset", "hf_repo": f"org/set-{place}",
            "samples_number": 500,
        },
        "evaluation_timestamp": "2026-10-01T00:00:00Z",
        "metric_config": {
            "evaluation_description": "Share of right answers", "metric_id": "accuracy", "metric_name": "Accuracy",
            "metric_unit": "proportion", "lower_is_better": False, "score_type": "continuous", "min_score": 0.0,
            "max_score": 1.0,
        },
        "score_details": {
            "score": round(draw.random(), 4),
            "uncertainty": {"standard_error": {"value": 0.01, "method": "analytic"}, "num_samples": 500},
        },
        "generation_config": {"generation_args": {"temperature": 0.0, "max_tokens": 2048}},
    }  # fmt: skip


def measure(results: int) -> dict[str, float]:
    """Seconds of CPU to read and to receive, the rows that came out whole, and the peak of memory in MB."""
    files = list(generated(results))
    began = time.process_time()
    received = parse(SOURCE, files)
    read = time.process_time()
    table = receive(SOURCE.id, "0" * 64, received.rows)
    return {
        "read_seconds": read - began,
        "receive_seconds": time.process_time() - read,
        "rows": float(table["problem"].null_count()),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


if __name__ == "__main__":
    for name, figure in measure(RESULTS).items():
        sys.stdout.write(f"{name:16} {figure:,.1f}\n")
