"""Bytes to text: one declared encoding, never the platform's, and an error that says where.

Belongs here: decoding, byte-order marks, the error that every document reader raises, the sniff for a web page that
came in place of data. Does not belong here: any syntax (`yaml_documents`, `json_documents`).
"""

from __future__ import annotations

import re
from typing import Final, Literal

Encoding = Literal["utf-8", "gbk", "gb18030"]

_UTF8_MARK: Final = b"\xef\xbb\xbf"
_OTHER_MARKS: Final = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_WEB_PAGE: Final = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)


class DocumentError(ValueError):
    """A document that cannot be read: which file, which line (None where unknown), and why."""

    def __init__(self, name: str, message: str, line: int | None = None) -> None:
        super().__init__(f"{name}:{line}: {message}" if line is not None else f"{name}: {message}")
        self.name = name
        self.message = message
        self.line = line


def decode(data: bytes, name: str, encoding: Encoding = "utf-8") -> str:
    """The text of a file under its declared encoding; a UTF-8 byte-order mark is tolerated and removed.

    Raises:
        DocumentError: for a byte that the encoding does not know, with its offset; for a mark of another encoding.
    """
    offset = len(_UTF8_MARK) if data.startswith(_UTF8_MARK) else 0
    if not offset:
        for mark, other in _OTHER_MARKS.items():
            if data.startswith(mark):
                raise DocumentError(name, f"begins with a byte-order mark of {other}; expected {encoding}")
    try:
        return data[offset:].decode("utf-8" if offset else encoding)
    except UnicodeDecodeError as error:
        place = error.start + offset
        line = data.count(b"\n", 0, place) + 1
        bad = data[place : place + 1].hex()
        raise DocumentError(name, f"byte 0x{bad} at offset {place} is not {encoding}", line) from error


def looks_like_web_page(data: bytes) -> bool:
    """Whether bytes begin as an HTML page does: an error page sent with status 200 is no data."""
    return _WEB_PAGE.match(data[:4096].removeprefix(_UTF8_MARK)) is not None
