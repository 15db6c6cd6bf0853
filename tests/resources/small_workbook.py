"""A workbook made by hand: the few parts of an XLSX file that a reader needs, and nothing else."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from datetime import date
from xml.sax.saxutils import escape

EPOCH = date(1899, 12, 30)
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"

Cell = str | float | date | None


def workbook(sheets: dict[str, Sequence[Sequence[Cell]]]) -> bytes:
    """The bytes of a workbook: texts inline, numbers as numbers, dates as styled numbers, None as no cell."""
    names = list(sheets)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{KIND}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{KIND}.styles+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{KIND}.worksheet+xml"/>'
            for n in range(1, len(names) + 1)
        )
        + "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{LINK}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{LINK}"><sheets>'
        + "".join(f'<sheet name="{escape(name)}" sheetId="{n}" r:id="s{n}"/>' for n, name in enumerate(names, 1))
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        + "".join(
            f'<Relationship Id="s{n}" Type="{LINK}/worksheet" Target="worksheets/sheet{n}.xml"/>'
            for n in range(1, len(names) + 1)
        )
        + f'<Relationship Id="y" Type="{LINK}/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}">'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    }
    for n, name in enumerate(names, 1):
        parts[f"xl/worksheets/sheet{n}.xml"] = _sheet(sheets[name])
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in parts.items():
            archive.writestr(path, '<?xml version="1.0" encoding="UTF-8"?>' + text)
    return buffer.getvalue()


def _sheet(rows: Sequence[Sequence[Cell]]) -> str:
    lines = []
    for number, row in enumerate(rows, 1):
        cells = [_cell(f"{chr(65 + place)}{number}", cell) for place, cell in enumerate(row)]
        lines.append(f'<row r="{number}">{"".join(cells)}</row>')
    return f'<worksheet xmlns="{MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def _cell(place: str, cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
    if isinstance(cell, date):
        return f'<c r="{place}" s="1"><v>{(cell - EPOCH).days}</v></c>'
    return f'<c r="{place}"><v>{cell}</v></c>'
