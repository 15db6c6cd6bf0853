"""Comparable forms of links (METHODS 5, rule 12)."""

from __future__ import annotations

import pytest

from methods.pairing.links import normalize_url


@pytest.mark.parametrize(
    ("link", "form"),
    [
        (None, ""),
        ("", ""),
        ("   ", ""),
        ("https://", ""),
        ("http://WWW.Seed-Tars.com/1.5/", "https://seed-tars.com/1.5"),
        ("https://seed-tars.com/1.5#results", "https://seed-tars.com/1.5"),
        ("https://x.org/A?b=C", "https://x.org/A?b=C"),
        ("https://wwwx.org", "https://wwwx.org"),
        ("https://arxiv.org/abs/2504.07491", "arxiv:2504.07491"),
        ("http://www.arxiv.org/abs/2504.07491v3", "arxiv:2504.07491"),
        ("https://arxiv.org/pdf/2504.07491v2.pdf", "arxiv:2504.07491"),
        ("https://arxiv.org/pdf/2504.07491/", "arxiv:2504.07491"),
        ("https://arxiv.org/html/2504.07491v1#S3", "arxiv:2504.07491"),
        ("https://arxiv.org/abs/2504.07491?context=cs", "arxiv:2504.07491"),
        ("https://arxiv.org/abs/hep-th/9901001v2", "arxiv:hep-th/9901001"),
        ("https://arxiv.org/pdf/math.GT/0309136", "arxiv:math.gt/0309136"),
        ("arXiv:2504.07491v1", "arxiv:2504.07491"),
        ("arxiv: 0704.0001", "arxiv:0704.0001"),
        ("https://arxiv.org/list/cs.CL/recent", "https://arxiv.org/list/cs.CL/recent"),
        ("https://notarxiv.org/abs/2504.07491", "https://notarxiv.org/abs/2504.07491"),
        ("seed-tars.com/1.5/", "seed-tars.com/1.5"),
    ],
)
def test_comparable_form(link: str | None, form: str) -> None:
    assert normalize_url(link) == form
    assert normalize_url(form) == form
