"""Tango's interval, the exact test beside it, exact McNemar: published, naive, against statsmodels and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from methods.decision.exact_pairs import exact_p
from methods.decision.tango import scores, tango_interval
from methods.statistics.sign_test import two_sided_p

Z90, Z95 = 1.6448536269514722, 1.959963984540054


def test_tango_published_example() -> None:
    """21 children, airways before and after: 1 better, 7 worse; published as (-0.517, -0.026)."""
    found = tango_interval(1, 7, 21, Z95)
    assert (round(found.low, 3), round(found.high, 3)) == (-0.517, -0.026)


def naive_score(wins: int, losses: int, n: int, difference: float) -> float:
    """The score with the share of losses found by maximising the likelihood numerically."""

    def unlikely(share: float) -> float:
        cells = (share + difference, share, 1 - 2 * share - difference)
        if min(cells) <= 0:
            return 1e9
        return -sum(count * np.log(cell) for count, cell in zip((wins, losses, n - wins - losses), cells, strict=True))

    low, high = max(0.0, -difference), (1 - difference) / 2
    share = float(optimize.minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x)
    return (wins - losses - n * difference) / np.sqrt(n * (2 * share + difference * (1 - difference)))


@given(st.integers(0, 12), st.integers(0, 12), st.integers(1, 40), st.sampled_from([-0.3, -0.1, 0.05, 0.2]))
@settings(max_examples=40, deadline=None)
def test_score_is_the_naive_one(wins: int, losses: int, same: int, difference: float) -> None:
    n = wins + losses + same
    ours = float(scores(np.array([float(wins)]), np.array([float(losses)]), n, difference)[0])
    assert ours == pytest.approx(naive_score(wins, losses, n, difference), rel=1e-3, abs=2e-3)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 60))
@settings(max_examples=40, deadline=None)
def test_interval_ends_where_the_score_is_z(wins: int, losses: int, same: int) -> None:
    n = wins + losses + same
    found = tango_interval(wins, losses, n, Z90)
    mirrored = tango_interval(losses, wins, n, Z90)
    assert (found.low, found.high) == (-mirrored.high, -mirrored.low)
    assert -1 <= found.low <= (wins - losses) / n <= found.high <= 1
    for end, z in ((found.low, Z90), (found.high, -Z90)):
        if abs(end) < 1:
            at = float(scores(np.array([float(wins)]), np.array([float(losses)]), n, end)[0])
            assert at == pytest.approx(z, abs=1e-6)


def test_counts_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="no counts"):
        tango_interval(3, 3, 5, Z95)
    with pytest.raises(ValueError, match="not positive"):
        tango_interval(1, 1, 5, 0.0)
    with pytest.raises(ValueError, match="outside"):
        exact_p(1, 1, 5, 1.0, points=20, risk=0.001)


def naive_p(wins: int, losses: int, n: int, margin: float, shares: np.ndarray) -> float:
    """The greatest chance of a score as great as observed, cell by cell over whole tables."""
    cells = np.array([(w, k) for w in range(n + 1) for k in range(n + 1 - w)], dtype=float)
    found = scores(cells[:, 0], cells[:, 1], n, margin)
    seen = float(scores(np.array([float(wins)]), np.array([float(losses)]), n, margin)[0])
    inside = cells[found >= seen - 1e-9]
    chances = []
    for losing in shares:
        rest = 1 - 2 * losing - margin
        law = stats.multinomial(n, [losing + margin, losing, max(rest, 0.0)])
        chances.append(law.pmf(np.column_stack([inside, n - inside.sum(axis=1)])).sum())
    return max(chances)


@pytest.mark.parametrize(("wins", "losses", "n", "margin"), [(0, 0, 25, -0.1), (4, 2, 30, -0.1), (9, 2, 24, 0.05)])
def test_exact_p_is_the_naive_one(wins: int, losses: int, n: int, margin: float) -> None:
    """Over the shares of losses that the exact interval of the share of discordant pairs leaves."""
    kept = stats.binomtest(wins + losses, n).proportion_ci(confidence_level=1 - 1e-9, method="exact")
    least, most = max(0.0, -margin), (1 - margin) / 2
    shares = np.linspace(*(np.clip((end - margin) / 2, least, most) for end in (kept.low, kept.high)), 400)
    ours = exact_p(wins, losses, n, margin, points=160, risk=1e-9)
    assert ours == pytest.approx(naive_p(wins, losses, n, margin, shares), abs=2e-4)


@pytest.mark.parametrize(("n", "margin"), [(12, -0.2)])
def test_exact_test_never_passes_too_often_where_tango_alone_does(n: int, margin: float) -> None:
    """Whatever the share of discordant pairs: the chance of passing at the margin, summed over every table."""
    alpha = 0.05
    counts = [(w, k) for w in range(n + 1) for k in range(n + 1 - w)]
    passing = [c for c in counts if tango_interval(*c, n, Z90).low > margin]
    exact = [c for c in passing if exact_p(*c, n, margin, points=30, risk=0.001) <= alpha]
    worst = {"tango": 0.0, "exact": 0.0}
    for losing in np.linspace(-margin, (1 - margin) / 2, 60):
        law = stats.multinomial(n, [losing + margin, losing, max(1 - 2 * losing - margin, 0.0)])
        for name, region in (("tango", passing), ("exact", exact)):
            table = np.array([(w, k, n - w - k) for w, k in region])
            worst[name] = max(worst[name], float(law.pmf(table).sum()) if table.size else 0.0)
    assert worst["exact"] <= alpha
    assert worst["tango"] > alpha  # why the interval alone does not decide


@given(st.integers(0, 40), st.integers(0, 40))
@settings(max_examples=30, deadline=None)
def test_mcnemar_is_that_of_statsmodels_and_scipy(wins: int, losses: int) -> None:
    from statsmodels.stats.contingency_tables import mcnemar  # seconds to import

    if wins + losses:
        ours = two_sided_p(wins, losses)
        assert ours == pytest.approx(float(mcnemar([[9, wins], [losses, 9]], exact=True).pvalue), rel=1e-9)
        assert ours == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=1e-9)


def test_many_pairs_are_quick_and_agree_with_the_normal_law() -> None:
    """At 100,000 pairs the exact p meets the score's own tail to a thousandth."""
    wins, losses, n, margin = 9_800, 10_000, 100_000, -0.005
    score = float(scores(np.array([float(wins)]), np.array([float(losses)]), n, margin)[0])
    found = exact_p(wins, losses, n, margin, points=30, risk=1e-9)
    assert found == pytest.approx(float(stats.norm.sf(score)), abs=2e-3)
