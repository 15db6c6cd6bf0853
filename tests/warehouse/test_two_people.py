"""Two signatures are two people's: the same name in another spelling is no second person (E02, G08)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from warehouse.catalog_model import Correction, Waiver
from warehouse.two_people import is_name, same_person

SAME = [
    ("Anna Berg", "anna berg"),
    ("Anna Berg", " Anna  Berg\t"),
    ("Anna Berg", "Anna\u00a0Berg"),
    ("Anna Berg", "Anna\u200bBerg"),
    ("Anna Berg", "An\u00adna Berg\u3164"),
    ("Anna Berg", "Anna Berg."),
    ("Anna Berg", "Berg, Anna"),
    ("Anna Berg", "anna_berg"),
    ("Anna Berg", "AnnaBerg"),
    ("Anna Berg", "\u0410nn\u0430 B\u0435rg"),  # Cyrillic
    ("Anna Berg", "\u0391nna Berg"),  # Greek
    ("Anna Berg", "\uff21\uff4e\uff4e\uff41 Berg"),  # full width
    ("Jos\u00e9", "Jose\u0301"),
    ("Jos\u00e9", "Jose"),
    ("Wei\u00df", "WEISS"),
    ("\u0130pek", "\u0131pek"),
    ("\u041d\u0418\u041d\u0410", "\u043d\u0438\u043d\u0430"),  # one script, other case
    ("\u039d\u03af\u03ba\u03bf\u03c2", "\u039d\u0399\u039a\u039f\u03a3"),
    ("S\u00f8ren", "Soren"),
    ("\u738b\u4f1f", "\u738b \u4f1f"),
]
OTHERS = [
    ("Anna Berg", "Anne Berg"),
    ("Anna Berg", "Anna Bergs"),
    ("Anna Berg", "Anna"),
    ("reviewer 1", "reviewer 2"),
    ("\u738b\u4f1f", "\u738b\u82b3"),
    ("\u0930\u093e\u092e", "\u0930\u092e\u093e"),  # vowel signs tell names apart
    ("scoretrail maintainers", "scoretrail catalog reviewers"),
]
WAIVER = {"gate": "rows-lost", "reason": "r", "until": "2026-11-01T00:00:00Z"}
CORRECTION = {"id": "c", "entry_id": "e", "reason": "r", "expected": 1.0, "value": 2.0, "when": "2026-10-20"}


@pytest.mark.parametrize(("one", "other"), SAME, ids=ascii)
def test_one_person_however_written(one: str, other: str) -> None:
    assert same_person(one, other) and same_person(other, one)


@pytest.mark.parametrize(("one", "other"), OTHERS, ids=ascii)
def test_two_people_are_two(one: str, other: str) -> None:
    assert not same_person(one, other) and not same_person(other, one)


@given(st.text())
def test_every_name_is_its_own_and_what_shows_nothing_is_none(name: str) -> None:
    assert same_person(name, name) == is_name(name)
    assert not is_name(f"\u200b \u3164{'' if is_name(name) else name}--")


@pytest.mark.parametrize("entry", [(Waiver, WAIVER), (Correction, CORRECTION)], ids=["waiver", "correction"])
@pytest.mark.parametrize(
    ("who", "approved_by", "said"),
    [
        *[(one, other, "must be someone other than `who`") for one, other in SAME],
        ("Anna", "\u200b", "`approved_by` must be a name"),
        ("--", "Anna", "`who` must be a name"),
    ],
)
def test_waivers_and_corrections_ask_for_a_second_person(
    entry: tuple[type[Any], dict[str, Any]], who: str, approved_by: str, said: str
) -> None:
    shape, stated = entry
    with pytest.raises(ValidationError, match=said):
        shape.model_validate({**stated, "who": who, "approved_by": approved_by})
    with pytest.raises(ValidationError, match="`reason` must say something"):
        shape.model_validate({**stated, "who": "Anna", "approved_by": "Berta", "reason": " \u200b"})
    assert shape.model_validate({**stated, "who": "Anna", "approved_by": "Berta"})
