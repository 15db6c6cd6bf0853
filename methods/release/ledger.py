"""The release ledger: from the events of releases.jsonl to each release's status, the current one and the baseline.

Belongs here: what the events mean together. Reading and appending them is `resources.releases`. DESIGN "Time, state
and storage".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pydantic import ValidationError

from warehouse.manifest import ReleaseRecord
from warehouse.vocabulary import ReleaseStatus


class LedgerError(ValueError):
    """Events that contradict one another: names the line."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Every release of a home, in the order they were created.

    Attributes:
        releases: all of them, withdrawn ones included.
        withdrawn: reason by release id.
        hidden: releases that a rollback put out of sight; they are not withdrawn.
        replaced_by: the release that stands in place of a withdrawn one, where the withdrawal names it.
        rollback: the last rollback's release and reason; None where there was none.
    """

    releases: tuple[ReleaseRecord, ...]
    withdrawn: Mapping[str, str]
    hidden: frozenset[str]
    replaced_by: Mapping[str, str] = field(default_factory=dict)
    rollback: tuple[str, str] | None = None

    @property
    def current(self) -> ReleaseRecord | None:
        """The release readers see: greatest as_of, then latest created, of those neither withdrawn nor hidden."""
        return self._newest(self.hidden)

    def baseline_for(self, as_of: date) -> ReleaseRecord | None:
        """The release a day is compared with: the newest of an earlier as_of that is not withdrawn."""
        return self._newest(frozenset(), before=as_of)

    def _newest(self, hidden: frozenset[str], before: date | None = None) -> ReleaseRecord | None:
        eligible = [
            (release.as_of, place, release)
            for place, release in enumerate(self.releases)
            if release.release_id not in self.withdrawn
            and release.release_id not in hidden
            and (before is None or release.as_of < before)
        ]
        return max(eligible)[2] if eligible else None

    @property
    def previous(self) -> ReleaseRecord | None:
        """The release readers would see if the current one were not there."""
        current = self.current
        return None if current is None else self._newest(self.hidden | {current.release_id})

    @property
    def standing_rollback(self) -> tuple[str, str] | None:
        """The release a rollback points at, and why, while it is what readers see because of it; else None."""
        current = self.current
        if self.rollback is None or current is None or not self.hidden:
            return None
        return self.rollback if self.rollback[0] == current.release_id else None

    def compared_with(self, release_id: str) -> tuple[str, ...]:
        """The releases, not withdrawn themselves, whose gates compared with this one."""
        return tuple(
            record.release_id
            for record in self.releases
            if record.baseline_release_id == release_id and record.release_id not in self.withdrawn
        )

    def find(self, release_id: str) -> ReleaseRecord | None:
        """The release of that id, if there is one."""
        return next((release for release in self.releases if release.release_id == release_id), None)

    def status(self, release_id: str) -> ReleaseStatus:
        """current, superseded or withdrawn."""
        if release_id in self.withdrawn:
            return "withdrawn"
        current = self.current
        return "current" if current is not None and current.release_id == release_id else "superseded"


def fold(events: Iterable[Mapping[str, Any]]) -> Ledger:
    """The ledger that the events give, in their order.

    A rollback to a release hides those ahead of it (greater as_of, or the same and created later) that exist at that
    moment; it holds until a newer one is created. Rolling back to a hidden release shows it again.

    Raises:
        LedgerError: for an event that is unknown, incomplete, repeats a creation or names no known release.
    """
    releases: list[ReleaseRecord] = []
    places: dict[str, int] = {}
    withdrawn: dict[str, str] = {}
    hidden: frozenset[str] = frozenset()
    replaced_by: dict[str, str] = {}
    rollback: tuple[str, str] | None = None
    for number, event in enumerate(events, start=1):
        kind = event.get("event")
        if kind == "created":
            record = _record(event, number)
            if record.release_id in places:
                raise LedgerError(f"event {number}: {record.release_id} was created before")
            places[record.release_id] = len(releases)
            releases.append(record)
        elif kind == "withdrawn":
            named = _known(event, "release_id", places, number)
            withdrawn[named] = str(event.get("reason") or "")
            if event.get("replaced_by") is not None:
                replaced_by[named] = _known(event, "replaced_by", places, number)
        elif kind == "rolled_back":
            place = places[_known(event, "to", places, number)]
            target = (releases[place].as_of, place)
            rollback = (releases[place].release_id, str(event.get("reason") or ""))
            hidden = frozenset(
                release.release_id for at, release in enumerate(releases) if (release.as_of, at) > target
            )
        else:
            raise LedgerError(f"event {number}: unknown event {kind!r}")
    return Ledger(tuple(releases), withdrawn, hidden - withdrawn.keys(), replaced_by, rollback)


def _record(event: Mapping[str, Any], number: int) -> ReleaseRecord:
    try:
        return ReleaseRecord.model_validate({key: value for key, value in event.items() if key != "event"})
    except ValidationError as error:
        raise LedgerError(f"event {number}: {error}") from error


def _known(event: Mapping[str, Any], key: str, places: Mapping[str, int], number: int) -> str:
    named = event.get(key)
    if not isinstance(named, str) or named not in places:
        raise LedgerError(f"event {number}: {named!r} is no release made before it")
    return named
