"""Verdicts as files: one JSON file a gate and day, the full validation result beside it.

Belongs here: keeping and reading verdicts. Does not belong here: judging (`checks`) or whether a verdict lets a
product out (`methods.release.publication`).
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

from resources.atomic_files import JsonFileError, days_named, json_bytes, parse_json, write_bytes
from warehouse.canonical import Json, canonical_sha256, sha256_hex
from warehouse.identity import is_slug
from warehouse.verdicts import GateResult, StoredVerdict
from warehouse.vocabulary import SEVERITIES, VERDICTS

VALIDATION_SUFFIX: Final = ".validation.json"
SEAL: Final = "content_sha256"
"""The field of a verdict file that holds the hash of all the others: a file edited afterwards is no verdict."""

_FIELDS: Final = frozenset(
    {
        "gate", "product", "table", "severity", "verdict", "figure", "threshold", "evaluated", "failed", "detail",
        "verdict_key", "decided_at", "inputs", "catalog_sha256", "baseline_release_id", "validation_sha256",
        SEAL,
    }
)  # fmt: skip


class VerdictError(ValueError):
    """A verdict file that is not what was written: names the file."""


def moment_text(moment: datetime) -> str:
    """A moment as ISO text in UTC ending in Z (ValueError for one without a time zone)."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment} states no time zone")
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _verdict_json(verdict: StoredVerdict, validation_sha256: str | None) -> dict[str, Json]:
    result = verdict.result
    stated: dict[str, Json] = {
        "gate": verdict.gate,
        "product": verdict.product,
        "table": verdict.table,
        "severity": verdict.severity,
        "verdict": result.verdict,
        "figure": result.figure,
        "threshold": result.threshold,
        "evaluated": result.evaluated,
        "failed": result.failed,
        "detail": result.detail,
        "verdict_key": verdict.verdict_key,
        "decided_at": moment_text(verdict.decided_at),
        "inputs": dict(verdict.inputs),
        "catalog_sha256": verdict.catalog_sha256,
        "baseline_release_id": verdict.baseline_release_id,
        "validation_sha256": validation_sha256,
    }
    return stated | {SEAL: canonical_sha256(stated)}


def _stored_verdict(value: Any, validation: Any, path: Path) -> StoredVerdict:
    if not isinstance(value, dict) or set(value) != _FIELDS:
        raise VerdictError(f"{path}: is no verdict; it must hold exactly {', '.join(sorted(_FIELDS))}")
    if value[SEAL] != canonical_sha256({name: stated for name, stated in value.items() if name != SEAL}):
        raise VerdictError(f"{path}: was changed after it was written; run the gate again")
    if value["verdict"] not in VERDICTS or value["severity"] not in SEVERITIES:
        raise VerdictError(f"{path}: unknown verdict {value['verdict']!r} or severity {value['severity']!r}")
    try:
        decided_at = datetime.fromisoformat(value["decided_at"])
    except (TypeError, ValueError) as error:
        raise VerdictError(f"{path}: decided_at: {error}") from error
    return StoredVerdict(
        gate=value["gate"],
        product=value["product"],
        table=value["table"],
        severity=value["severity"],
        result=GateResult(
            verdict=value["verdict"],
            figure=value["figure"],
            threshold=value["threshold"],
            evaluated=value["evaluated"],
            failed=value["failed"],
            detail=value["detail"],
            validation=validation,
        ),
        verdict_key=value["verdict_key"],
        decided_at=decided_at,
        catalog_sha256=value["catalog_sha256"],
        baseline_release_id=value["baseline_release_id"],
        inputs=value["inputs"],
    )


class VerdictStore:
    """The verdicts of one home: `verdicts/<as_of>/<gate>.json` and `<gate>.validation.json`."""

    def __init__(self, home: Path) -> None:
        self.root = Path(home) / "verdicts"

    def folder(self, as_of: date) -> Path:
        """Where the verdicts of a day lie."""
        return self.root / as_of.isoformat()

    def path(self, as_of: date, gate: str) -> Path:
        """Where one gate's verdict lies (VerdictError for a gate id that is no slug)."""
        if not is_slug(gate):
            raise VerdictError(f"{gate!r} is no gate id")
        return self.folder(as_of) / f"{gate}.json"

    def put(self, as_of: date, verdict: StoredVerdict) -> Path:
        """Keep a verdict, replacing the gate's former one of that day; returns its file.

        The former verdict goes first, then the validation result comes, then the verdict: a process killed between
        leaves no verdict, never one beside another's validation.

        Raises:
            ValueError: for NaN or an infinity in it, or a moment without time zone; the former verdict stands.
            OSError: if the disk refuses; then no verdict stands.
        """
        path = self.path(as_of, verdict.gate)
        beside = path.with_name(verdict.gate + VALIDATION_SUFFIX)
        validation = verdict.result.validation
        body = None if validation is None else json_bytes(dict(validation))
        text = json_bytes(_verdict_json(verdict, None if body is None else sha256_hex(body)))
        path.unlink(missing_ok=True)
        if body is None:
            beside.unlink(missing_ok=True)
        else:
            write_bytes(beside, body)
        write_bytes(path, text)
        return path

    def get(self, as_of: date, gate: str) -> StoredVerdict | None:
        """The gate's verdict of a day with its validation result; None where it was not judged.

        Raises:
            VerdictError: if a file is damaged, was edited, names another gate, or lacks its own validation.
        """
        path = self.path(as_of, gate)
        if not path.is_file():
            return None
        beside = path.with_name(gate + VALIDATION_SUFFIX)
        try:
            value = parse_json(path.read_bytes(), str(path))
            body = beside.read_bytes() if beside.is_file() else None
            validation = None if body is None else parse_json(body, str(beside))
        except JsonFileError as error:
            raise VerdictError(str(error)) from error
        verdict = _stored_verdict(value, validation, path)
        if verdict.gate != gate:
            raise VerdictError(f"{path}: is the verdict of gate {verdict.gate}")
        if value["validation_sha256"] != (None if body is None else sha256_hex(body)):
            raise VerdictError(f"{beside}: is not the validation this verdict was given on; run the gate again")
        return verdict

    def all(self, as_of: date) -> dict[str, StoredVerdict]:
        """Every verdict of a day by gate, in order of the gate's id (errors as `get`)."""
        found: dict[str, StoredVerdict] = {}
        for path in sorted(self.folder(as_of).glob("*.json")):
            if path.name.startswith(".") or path.name.endswith(VALIDATION_SUFFIX):
                continue
            verdict = self.get(as_of, path.stem)
            if verdict is not None:
                found[verdict.gate] = verdict
        return found

    def days(self) -> list[date]:
        """The days that hold verdicts, ascending."""
        root = self.folder(date.min).parent
        return days_named(path.name for path in root.iterdir()) if root.is_dir() else []
