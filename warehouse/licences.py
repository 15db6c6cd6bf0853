"""Which licences of a source allow its bytes to be passed on in an archive (`scoretrail export --archive`).

Belongs here: the list and how a stated licence is read against it. A licence that is not listed keeps the bytes at
home; the archive then names them with hash and link. The list is about passing bytes on unchanged with attribution,
which every archive gives (source, link, licence); it is no legal advice, and a user may add to it by an option.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

REDISTRIBUTABLE: Final[frozenset[str]] = frozenset(
    {
        "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC-BY-3.0", "CC-BY-4.0", "CC-BY-SA-3.0",
        "CC-BY-SA-4.0", "CC0-1.0", "CDLA-Permissive-1.0", "CDLA-Permissive-2.0", "CDLA-Sharing-1.0", "GPL-2.0-only",
        "GPL-2.0-or-later", "GPL-3.0-only", "GPL-3.0-or-later", "ISC", "LGPL-3.0-only", "MIT", "MIT-0", "MPL-2.0",
        "ODC-By-1.0", "ODbL-1.0", "PDDL-1.0", "Unlicense", "Zlib", "none needed",
    }
)  # fmt: skip
"""SPDX identifiers; and `none needed`, which the catalog states of single facts that no licence covers."""

_REMARK: Final = re.compile(r"\([^()]*\)")


def is_redistributable(license_text: str | None, allowed: Collection[str] = REDISTRIBUTABLE) -> bool:
    """Whether a stated licence allows passing the bytes on.

    A remark in brackets is no part of it: `MIT (BenchPress)` is MIT. Of `A OR B` one must be allowed, of `A AND B`
    both. No licence stated, and any word that is not listed (`none declared`), does not allow it.

    Args:
        license_text: `license` of a source or snapshot.
        allowed: identifiers, compared without regard to case.
    """
    known = {name.casefold() for name in allowed}
    return any(all(part.casefold() in known for part in parts) for parts in _choices(license_text))


def names_of(license_text: str | None) -> frozenset[str]:
    """The single licences that a stated one is made of, in lower case; none where none is stated."""
    return frozenset(part.casefold() for parts in _choices(license_text) for part in parts)


def _choices(license_text: str | None) -> list[list[str]]:
    """What stands on either side of `OR`, each split at `AND`, without remarks."""
    if license_text is None:
        return []
    plain = _REMARK.sub(" ", license_text)
    return [[" ".join(part.split()) for part in re.split(r"\bAND\b", choice)] for choice in re.split(r"\bOR\b", plain)]
