"""The data dictionary as Markdown, derived from the contracts and the column dictionary."""

from __future__ import annotations

from collections.abc import Iterable

from warehouse.contracts import TableContract
from warehouse.tables import TABLES


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def table_section(contract: TableContract) -> str:
    """One table's section: grain, key, and a row per column."""
    key = f"Key: {_names(contract.key)}."
    if contract.unhashed:
        key += f" Outside the table hash: {_names(sorted(contract.unhashed))}."
    lines = [
        f"## {contract.name}",
        "",
        contract.grain,
        "",
        key,
        "",
        "| column | type | unit | null | meaning | computed by |",
        "|---|---|---|---|---|---|",
    ]
    for name, entry in contract.entries.items():
        null = "yes" if name in contract.nullable else ""
        cells = (f"`{name}`", entry.type, _cell(entry.unit or ""), null, _cell(entry.meaning), f"`{entry.computed_by}`")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def data_dictionary() -> str:
    """The whole data dictionary, one section a table, in the order of a row's journey."""
    head = "# Data dictionary\n\nDerived from `warehouse/` by `scoretrail docs dictionary`; not edited by hand."
    return "\n\n".join([head, *(table_section(contract) for contract in TABLES.values())]) + "\n"
