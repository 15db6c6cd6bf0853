"""The manifest of a release: everything it rests on and everything it holds, as one typed JSON value (METHODS 14)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator

from warehouse.catalog_model import Waiver
from warehouse.identity import RELEASE_ID, release_id
from warehouse.vocabulary import Exactness, Severity, Verdict

MANIFEST_SCHEMA: Final = "scoretrail.release/1"

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
ReleaseId = Annotated[str, StringConstraints(pattern=f"^{RELEASE_ID.pattern}$")]
Count = Annotated[int, Field(ge=0)]


class Part(BaseModel):
    """Base of every part of a manifest: immutable, an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SnapshotEntry(Part):
    """One leaderboard's snapshot as the release used it; no hash where nothing was ever received.

    `file` is its path relative to the home. `source_url` carries no query and no credentials.
    """

    leaderboard: str
    sha256: Sha256 | None
    file: str | None = None
    bytes: Count | None = None
    rows: Count | None = None
    synced_at: AwareDatetime | None = None
    fetched_at: AwareDatetime | None = None
    source_url: str | None = None
    status: str
    license: str | None = None
    connector: str | None = None


class EvidenceEntry(Part):
    """One registered evidence file."""

    kind: str
    name: str
    sha256: Sha256


class TableEntry(Part):
    """One table of the release: hash of its values, rows, SHA-256 of its Parquet file."""

    hash: Sha256
    rows: Count
    file_sha256: Sha256


class GateEntry(Part):
    """One row of out__gate."""

    gate: str
    product: str
    table: str
    severity: Severity
    verdict: Verdict
    figure: float | None
    threshold: float | None
    evaluated: Count
    failed: Count
    verdict_key: str
    decided_at: AwareDatetime
    detail: str


class ReleaseHeader(Part):
    """What a release rests on: known before its folder is built."""

    schema_: Literal["scoretrail.release/1"] = Field(default=MANIFEST_SCHEMA, alias="schema")
    release_id: ReleaseId
    as_of: date
    created_at: AwareDatetime
    decided_at: AwareDatetime
    baseline_release_id: ReleaseId | None = None
    catalog_version: str
    catalog_sha256: Sha256
    methodology_version: str
    code_version: str
    exactness: Exactness = "hash"
    snapshots: tuple[SnapshotEntry, ...]
    evidence: tuple[EvidenceEntry, ...] = ()
    counts: dict[str, JsonValue] = Field(default_factory=dict)
    gates: tuple[GateEntry, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    packages: dict[str, str] = Field(default_factory=dict)

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    @model_validator(mode="after")
    def _id_fits(self) -> Self:
        expected = self.recomputed_release_id()
        if self.release_id != expected:
            raise ValueError(
                f"release_id {self.release_id} does not follow from the inputs listed; they give {expected}"
            )
        return self

    def recomputed_release_id(self) -> str:
        """The release id that the listed inputs give."""
        return release_id(
            as_of=self.as_of,
            snapshots=[(entry.leaderboard, entry.sha256) for entry in self.snapshots if entry.sha256 is not None],
            evidence=[(entry.kind, entry.name, entry.sha256) for entry in self.evidence],
            baseline=self.baseline_release_id,
            catalog_sha256=self.catalog_sha256,
            methodology_version=self.methodology_version,
            code_version=self.code_version,
        )


class Manifest(ReleaseHeader):
    """A release's manifest.json: the header, its tables, and the SHA-256 of every other file of the folder by path."""

    tables: dict[str, TableEntry]
    files: dict[str, Sha256] = Field(default_factory=dict)

    @property
    def table_hashes(self) -> dict[str, str]:
        """Table hash by table."""
        return {name: entry.hash for name, entry in self.tables.items()}

    def to_json(self) -> dict[str, Any]:
        """The manifest as JSON values."""
        return self.model_dump(mode="json", by_alias=True)


class ReleaseRecord(Part):
    """The `created` line of releases.jsonl: a release as the ledger knows it."""

    release_id: ReleaseId
    as_of: date
    created_at: datetime
    baseline_release_id: ReleaseId | None
    catalog_version: str
    methodology_version: str
    code_version: str
    manifest_sha256: Sha256
