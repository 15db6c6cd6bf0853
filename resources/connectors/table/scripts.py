"""JSON that a page's script assigns to a name (`window.DATA = {…};`): the JSON out of it, and nothing evaluated.

Belongs here: that one statement. Any other script is refused.
"""

from __future__ import annotations

import re

from resources.text_documents import DocumentError


def assigned(text: str, name: str, file: str) -> str:
    """The JSON text that a file assigns to a name, its lines kept.

    Raises:
        DocumentError: if the file is anything but this one assignment.
    """
    words = r"\s*(?:(?:export\s+)?(?:const|let|var)\s+)?"
    match = re.match(rf"{words}{re.escape(name)}\s*=", text)
    if match is None:
        raise DocumentError(file, f"begins with no assignment to {name}", 1)
    body = text[match.end() :].rstrip()
    return "\n" * text.count("\n", 0, match.end()) + body.removesuffix(";")
