"""Column dictionary, part one: what is received: snapshots, rows, results (DESIGN "The native format")."""

from __future__ import annotations

from typing import Final

from warehouse.columns import Column

_SNAPSHOT = "resources.snapshots:snapshot_rows"
_ROW = "resources.connectors:parse"
_RECEIVE = "methods.catalog.received:receive"
_RESULT = "methods.catalog.results:build_results"

RECEIVED: Final[dict[str, Column]] = {
    "leaderboard": Column("text", "Id of the leaderboard in sources.yaml.", _RESULT),
    "sha256": Column(
        "text", "SHA-256 of the raw bytes, 64 hex digits; null where nothing was ever received.", _SNAPSHOT
    ),
    "path": Column("text", "Where the raw bytes lie, relative to the home.", _SNAPSHOT),
    "raw__snapshot.source_url": Column(
        "text", "Address or file the bytes came from, without its query and credentials.", _SNAPSHOT
    ),
    "fetched_at": Column("timestamp", "When the bytes were received.", _SNAPSHOT, "UTC"),
    "synced_at": Column(
        "timestamp",
        "Known-time of the content: what the file asserts, else its file time, else when it was fetched.",
        _SNAPSHOT,
        "UTC",
    ),
    "bytes": Column("integer", "Size of the raw bytes.", _SNAPSHOT, "bytes"),
    "raw__snapshot.rows": Column("integer", "Rows the connector found in the snapshot.", _SNAPSHOT, "rows"),
    "etag": Column("text", "Validator the server gave with the bytes.", _SNAPSHOT),
    "connector": Column("text", "Connector that reads the bytes.", _SNAPSHOT),
    "raw__snapshot.status": Column(
        "text",
        "fresh, unchanged, asserted (the file states its own time), stale, failed, skipped or missing_credential.",
        _SNAPSHOT,
    ),
    "snapshot_sha256": Column("text", "SHA-256 of the snapshot the row stands in.", _ROW),
    "row_locator": Column("text", "Where in the snapshot the row stands: file, path, row and column.", _ROW),
    "record": Column("text", "The row as received, as JSON of the native format; null where unreadable.", _ROW),
    "problem": Column("text", "Why the row could not be read; null where it could.", _RECEIVE),
    "raw__row.raw_value": Column("text", "The value exactly as received, as text.", _RECEIVE),
    "is_duplicate": Column(
        "boolean", "Whether the row equals, in everything, an earlier row of the same leaderboard.", _RECEIVE
    ),
    "entry_id": Column(
        "text",
        "Content identity of a result: 16 hex digits over what was received.",
        "warehouse.identity:entry_id",
    ),
    "benchmark": Column("text", "Benchmark as the leaderboard names it.", _RESULT),
    "benchmark_version": Column("text", "Version of the question set, as stated.", _RESULT),
    "subset": Column("text", "Part of the benchmark, as stated.", _RESULT),
    "metric": Column("text", "Metric as the leaderboard names it.", _RESULT),
    "unit": Column("text", "Unit the source or its configuration states; never guessed from a value.", _RESULT),
    "value": Column(
        "number",
        "The value as stated; null where it was no finite number. 0 is a value.",
        _RESULT,
        "as `unit`",
    ),
    "stderr": Column("number", "Standard error as stated.", _RESULT, "as `unit`"),
    "n_samples": Column("integer", "Number of samples the value rests on, as stated.", _RESULT, "samples"),
    "kind": Column("text", "measured, aggregate, estimated or inferred.", _RESULT),
    "model": Column("text", "Model name exactly as received.", _RESULT),
    "core__result.model_id": Column("text", "Model identifier the source itself states.", _RESULT),
    "model_url": Column("text", "Link to the model, as received.", _RESULT),
    "core__result.developer": Column("text", "Developer the source states.", _RESULT),
    "source_type": Column("text", "official, paper, self_reported or reproduced.", _RESULT),
    "core__result.tier": Column(
        "text", "Evidence tier the source records for the row; null where it does not.", _RESULT
    ),
    "copied_from": Column("text", "Board or paper whose number this row only repeats.", _RESULT),
    "source_url": Column("text", "Link to where the result is published.", _RESULT),
    "confidence": Column("number", "Confidence the source attaches to the row.", _RESULT),
    "updated_at": Column("timestamp", "When the source last changed the row.", _RESULT, "UTC"),
    "setting": Column("text", "Evaluation setting in the source's own words.", _RESULT),
    "notes": Column("text", "Remarks of the source.", _RESULT),
    "protocol_model_version": Column("text", "Model version under test.", _RESULT),
    "protocol_post_training": Column("text", "Post-training of the model under test.", _RESULT),
    "protocol_protocol_id": Column("text", "Name of the evaluation protocol.", _RESULT),
    "protocol_steps": Column("integer", "Step budget.", _RESULT, "steps"),
    "protocol_samples": Column("integer", "Samples drawn per task.", _RESULT, "samples"),
    "protocol_effort": Column("text", "Reasoning effort or thinking budget.", _RESULT),
    "protocol_prompt_enhancement": Column("text", "Prompt enhancement.", _RESULT),
    "protocol_harness": Column("text", "Harness, with its version where stated.", _RESULT),
    "protocol_observation": Column("text", "What the agent observes.", _RESULT),
    "protocol_action_interface": Column("text", "How the agent acts.", _RESULT),
    "protocol_commit": Column("text", "Commit of the code under which the result was made.", _RESULT),
    "protocol_seed": Column("integer", "Random seed.", _RESULT),
    "protocol_runs": Column("integer", "Number of runs averaged.", _RESULT, "runs"),
    "protocol_api_snapshot": Column("text", "Dated API snapshot.", _RESULT),
    "protocol_extra": Column("text", "Every other protocol statement, as canonical JSON; null where none.", _RESULT),
}
