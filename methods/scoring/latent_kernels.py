"""Loops of the latent model's exact posterior, in one fixed order of arithmetic (METHODS 7, PERFORMANCE).

Belongs here: arithmetic over sorted observations, as plain loops that run interpreted and compiled alike. Does not
belong here: allocation, choice of side, checks (`methods.scoring.latent`).

Observations are sorted by model, then metric: model m holds positions `start[m]` to `start[m + 1]` of `metric` (column
numbers, ascending), `precision` and `z`. Sums run over ascending models, and within a model over ascending metrics.
Loops that take four rows at a time only interleave independent sums: no sum changes its own order, and entries that
are zero add nothing, so that the bits do not depend on the grouping.
"""

from __future__ import annotations

import math

from methods.scoring.loops import Indices, Matrix, Vector


def sums(
    start: Indices,
    metric: Indices,
    precision: Vector,
    z: Vector,
    ability_precision: float,
    inverse: Vector,
    gain: Vector,
    schur: Matrix,
    right: Vector,
    models: int,
) -> None:
    """Per model: inverse = 1/(prior + sum p) and gain = p * inverse; per metric: diagonal of S and right side r.

    `schur`'s diagonal and `right` are added to; r_b = sum over m of p_mb (z_mb - inverse_m sum_x p_mx z_mx).
    """
    for m in range(models):
        total = ability_precision
        linear = 0.0
        for e in range(start[m], start[m + 1]):
            total += precision[e]
            linear += precision[e] * z[e]
        share = 1.0 / total
        inverse[m] = share
        middle = linear * share
        for e in range(start[m], start[m + 1]):
            b = metric[e]
            gain[e] = precision[e] * share
            schur[b][b] += precision[e]
            right[b] += precision[e] * (z[e] - middle)


def eliminate(start: Indices, metric: Indices, precision: Vector, inverse: Vector, schur: Matrix, models: int) -> None:
    """Subtracts P' A^-1 P from the lower triangle of S: the abilities are eliminated, the metrics remain."""
    for m in range(models):
        first = start[m]
        end = start[m + 1]
        share = inverse[m]
        for g in range(first, end, 4):
            if g + 4 <= end:
                c0 = metric[g]
                c1 = metric[g + 1]
                c2 = metric[g + 2]
                c3 = metric[g + 3]
                p0 = precision[g]
                p1 = precision[g + 1]
                p2 = precision[g + 2]
                p3 = precision[g + 3]
                r0 = schur[c0]
                r1 = schur[c1]
                r2 = schur[c2]
                r3 = schur[c3]
                w0 = p0 * share
                w1 = p1 * share
                w2 = p2 * share
                w3 = p3 * share
                for e in range(first, g):
                    p = precision[e]
                    c = metric[e]
                    r0[c] -= w0 * p
                    r1[c] -= w1 * p
                    r2[c] -= w2 * p
                    r3[c] -= w3 * p
                r0[c0] -= w0 * p0
                r1[c0] -= w1 * p0
                r1[c1] -= w1 * p1
                r2[c0] -= w2 * p0
                r2[c1] -= w2 * p1
                r2[c2] -= w2 * p2
                r3[c0] -= w3 * p0
                r3[c1] -= w3 * p1
                r3[c2] -= w3 * p2
                r3[c3] -= w3 * p3
            else:
                for x in range(g, end):
                    w = precision[x] * share
                    row = schur[metric[x]]
                    for e in range(first, x + 1):
                        row[metric[e]] -= w * precision[e]


def factorize(matrix: Matrix, size: int) -> None:
    """Cholesky in place: the lower triangle comes in, the upper triangle becomes U with U'U = S.

    Right-looking over blocks of rows; the inner loops run along rows without reductions.
    """
    for i in range(size):
        row = matrix[i]
        for j in range(i):
            matrix[j][i] = row[j]
    for k0 in range(0, size, 48):
        k1 = min(size, k0 + 48)
        for j in range(k0, k1):
            rj = matrix[j]
            for k in range(k0, j):
                rk = matrix[k]
                w = rk[j]
                for i in range(j, size):
                    rj[i] -= w * rk[i]
            pivot = math.sqrt(rj[j])
            rj[j] = pivot
            for i in range(j + 1, size):
                rj[i] /= pivot
        for i in range(k1, size):
            ri = matrix[i]
            for k in range(k0, k1, 4):
                if k + 4 <= k1:
                    r0 = matrix[k]
                    r1 = matrix[k + 1]
                    r2 = matrix[k + 2]
                    r3 = matrix[k + 3]
                    w0 = r0[i]
                    w1 = r1[i]
                    w2 = r2[i]
                    w3 = r3[i]
                    for c in range(i, size):
                        ri[c] = (((ri[c] - w0 * r0[c]) - w1 * r1[c]) - w2 * r2[c]) - w3 * r3[c]
                else:
                    for x in range(k, k1):
                        rx = matrix[x]
                        w = rx[i]
                        for c in range(i, size):
                            ri[c] -= w * rx[c]


def invert(factor: Matrix, half: Matrix, inverse: Matrix, size: int) -> None:
    """`half` = (U')^-1, lower; `inverse` = half' half = S^-1, whole and symmetric. Both come in as zeros."""
    for i in range(size):
        row = half[i]
        for k in range(0, i, 4):
            if k + 4 <= i:
                w0 = factor[k][i]
                w1 = factor[k + 1][i]
                w2 = factor[k + 2][i]
                w3 = factor[k + 3][i]
                r0 = half[k]
                r1 = half[k + 1]
                r2 = half[k + 2]
                r3 = half[k + 3]
                for c in range(k + 4):
                    row[c] = (((row[c] - w0 * r0[c]) - w1 * r1[c]) - w2 * r2[c]) - w3 * r3[c]
            else:
                for x in range(k, i):
                    w = factor[x][i]
                    rx = half[x]
                    for c in range(x + 1):
                        row[c] -= w * rx[c]
        pivot = factor[i][i]
        for c in range(i):
            row[c] /= pivot
        row[i] = 1.0 / pivot
    for i in range(size):
        row = inverse[i]
        for k in range(i, size, 4):
            if k + 4 <= size:
                r0 = half[k]
                r1 = half[k + 1]
                r2 = half[k + 2]
                r3 = half[k + 3]
                w0 = r0[i]
                w1 = r1[i]
                w2 = r2[i]
                w3 = r3[i]
                for c in range(i + 1):
                    row[c] = (((row[c] + w0 * r0[c]) + w1 * r1[c]) + w2 * r2[c]) + w3 * r3[c]
            else:
                for x in range(k, size):
                    rx = half[x]
                    w = rx[i]
                    for c in range(i + 1):
                        row[c] += w * rx[c]
        for c in range(i):
            inverse[c][i] = row[c]


def cohort_means(covariance: Matrix, right: Vector, beta: Vector, size: int) -> None:
    """beta = S^-1 r; `beta` comes in as zeros."""
    for b in range(size):
        row = covariance[b]
        w = right[b]
        for c in range(size):
            beta[c] += w * row[c]


def posterior(
    start: Indices,
    metric: Indices,
    z: Vector,
    gain: Vector,
    inverse: Vector,
    covariance: Matrix,
    beta: Vector,
    mean: Vector,
    variance: Vector,
    models: int,
) -> None:
    """mean_m = sum a_mb (z_mb - beta_b); variance_m = inverse_m + a_m' S^-1 a_m, with a = gain."""
    for m in range(models):
        first = start[m]
        end = start[m + 1]
        centre = 0.0
        spread = 0.0
        for e in range(first, end):
            centre += gain[e] * (z[e] - beta[metric[e]])
        for g in range(first, end, 4):
            if g + 4 <= end:
                c0 = metric[g]
                c1 = metric[g + 1]
                c2 = metric[g + 2]
                c3 = metric[g + 3]
                a0 = gain[g]
                a1 = gain[g + 1]
                a2 = gain[g + 2]
                a3 = gain[g + 3]
                r0 = covariance[c0]
                r1 = covariance[c1]
                r2 = covariance[c2]
                r3 = covariance[c3]
                t0 = 0.0
                t1 = 0.0
                t2 = 0.0
                t3 = 0.0
                for e in range(first, g):
                    a = gain[e]
                    c = metric[e]
                    t0 += a * r0[c]
                    t1 += a * r1[c]
                    t2 += a * r2[c]
                    t3 += a * r3[c]
                t1 += a0 * r1[c0]
                t2 += a0 * r2[c0]
                t2 += a1 * r2[c1]
                t3 += a0 * r3[c0]
                t3 += a1 * r3[c1]
                t3 += a2 * r3[c2]
                spread += a0 * ((t0 + t0) + a0 * r0[c0])
                spread += a1 * ((t1 + t1) + a1 * r1[c1])
                spread += a2 * ((t2 + t2) + a2 * r2[c2])
                spread += a3 * ((t3 + t3) + a3 * r3[c3])
            else:
                for x in range(g, end):
                    row = covariance[metric[x]]
                    t = 0.0
                    for e in range(first, x):
                        t += gain[e] * row[metric[e]]
                    spread += gain[x] * ((t + t) + gain[x] * row[metric[x]])
        mean[m] = centre
        variance[m] = inverse[m] + spread
