"""Connectors: the bytes of a snapshot into rows as received. They transcribe; no rule about scores lives here.

`parse` is the one door. A connector is registered in `CONNECTORS`; a test finds a module that is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from resources.connectors.errors import ConnectorError
from resources.connectors.every_eval_ever import check_every_eval_ever, parse_every_eval_ever
from resources.connectors.files import SnapshotFile
from resources.connectors.native import parse_native
from resources.connectors.packed import unpacked
from resources.connectors.table import check_table, ignores, parse_table, reads_pages
from resources.text_documents import looks_like_web_page
from warehouse.catalog_model import SourceSpec
from warehouse.received import ReceivedSnapshot

Path = tuple[str | int, ...]

__all__ = ["CONNECTORS", "Connector", "ConnectorError", "SnapshotFile", "option_problems", "parse"]


@dataclass(frozen=True, slots=True)
class Connector:
    """How files of one kind are read.

    Attributes:
        read: files into rows.
        check: faults of a source's options, as (path within the entry, message).
        accepts_web_pages: whether an HTML page can be data; else it is refused before reading.
        ignores: whether a source's options say of a file that it is none of the source's.
    """

    read: Callable[[SourceSpec, Sequence[SnapshotFile]], ReceivedSnapshot]
    check: Callable[[SourceSpec], list[tuple[Path, str]]]
    accepts_web_pages: Callable[[SourceSpec], bool]
    ignores: Callable[[SourceSpec, str], bool] = lambda _source, _name: False


def _no_options(source: SourceSpec) -> list[tuple[Path, str]]:
    return [(("options", key), f"the {source.connector} connector has no options") for key in source.options]


CONNECTORS: Final[dict[str, Connector]] = {
    "every-eval-ever": Connector(parse_every_eval_ever, check_every_eval_ever, lambda _source: False),
    "native": Connector(parse_native, _no_options, lambda _source: False),
    "table": Connector(parse_table, check_table, reads_pages, ignores),
}


def parse(source: SourceSpec, files: Sequence[SnapshotFile]) -> ReceivedSnapshot:
    """The rows of a snapshot, in file order, none left out.

    Args:
        source: says the connector and its options.
        files: the snapshot's files, sorted by name.

    Raises:
        ConnectorError: where the snapshot as a whole cannot be read: no file, an empty file, a web page in place of
            data, broken or truncated syntax, changed columns, too many rows.
    """
    if not files:
        raise ConnectorError(source.id, "no file at all")
    connector = CONNECTORS[source.connector]
    files = unpacked(files)
    for file in files:
        if not file.data.strip():
            raise ConnectorError(file.name, f"empty ({len(file.data)} bytes)")
        if looks_like_web_page(file.data) and not connector.accepts_web_pages(source):
            raise ConnectorError(file.name, "a web page came in place of data (an error page sent as a success?)")
    return connector.read(source, files)


def option_problems(source: SourceSpec) -> list[tuple[Path, str]]:
    """Faults of a source, under its former layouts too, as (path within the entry, message)."""
    connector = CONNECTORS.get(source.connector)
    if connector is None:
        return [(("connector",), f"{source.connector!r} is none of {', '.join(sorted(CONNECTORS))}")]
    found = connector.check(source)
    if found:
        return found
    for index, layout in enumerate(source.former):
        found += [(("former", index, *path), why) for path, why in connector.check(source.under(layout))]
    return found
