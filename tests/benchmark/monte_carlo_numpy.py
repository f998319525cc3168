#!/usr/bin/python3
"""The Monte Carlo study of the vehicle in NumPy, as quick as we know to write it: lift over the first wheel's road, ten parameters within
5 %, quantiles of magnitude and phase at 201 frequencies.

    monte_carlo_numpy.py SAMPLES [CHUNK [THREADS]]

Coefficients of numerator and denominator are closed forms of all samples of a chunk, real and imaginary parts are products with powers
of the frequency, a chunk stays in the cache, phases are unwrapped where a step is above 180°, order statistics are selected, decibels
taken of the selected ones alone, and threads share chunks and frequencies. Prints samples per second at the best chunk (or at CHUNK),
processor seconds of that run, two medians for comparison, and the chunk."""
import sys
import time
from concurrent.futures import ThreadPoolExecutor
import numpy as np

VALUES = dict(m=5000.0, Jx=3600.0, Jy=6000.0, Jxy=600.0, xs=0.2, ys=0.05, l1=1.35, l2=0.85, k=80000.0, h=1920.0)


def times(a, b):
    """Products of polynomials in p, lowest power first: lists of arrays."""
    out = [0.0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] = out[i + j] + x * y
    return out


def plus(a, b, sign=1):
    return [(a[i] if i < len(a) else 0.0) + sign * (b[i] if i < len(b) else 0.0) for i in range(max(len(a), len(b)))]


def coefficients(v):
    """N and D of Z/z1: three equations A(p) q = b(p) z1 by Cramer's rule, q = (phix, phiy, Z)."""
    m, Jx, Jy, Jxy, xs, ys, l1, l2, k, h = (v[n] for n in VALUES)
    wheel = [k, h]
    zero = 0.0 * m
    A = {(0, 0): [4 * l2**2 * k, 4 * l2**2 * h, Jx], (1, 1): [4 * l1**2 * k, 4 * l1**2 * h, Jy], (2, 2): [4 * k, 4 * h, m],
         (0, 1): [zero, zero, -Jxy], (0, 2): [zero, zero, -m * ys], (1, 2): [zero, zero, m * xs]}
    for i, j in list(A):
        A[j, i] = A[i, j]
    b = [[-l2 * c for c in wheel], [-l1 * c for c in wheel], wheel]

    def minor(rows, columns):
        (i, j), (r, s) = rows, columns
        return plus(times(A[i, r], A[j, s]), times(A[i, s], A[j, r]), -1)
    M = [minor((1, 2), (0, 1)), minor((0, 2), (0, 1)), minor((0, 1), (0, 1))]
    D = plus(plus(times(A[0, 2], M[0]), times(A[1, 2], M[1]), -1), times(A[2, 2], M[2]))
    N = plus(plus(times(b[0], M[0]), times(b[1], M[1]), -1), times(b[2], M[2]))
    return N, D


W = np.logspace(-1, 2, 201)
LEVELS = np.array([0.05, 0.5, 0.95])


def on_axis(p):
    """Real and imaginary parts at all frequencies, one row each, of coefficients in rows."""
    even = np.array([(-1)**(i // 2) * W**i for i in range(0, len(p), 2)])
    odd = np.array([(-1)**(i // 2) * W**i for i in range(1, len(p), 2)])
    return even.T @ p[0::2], odd.T @ p[1::2]


def respond(seed, first, n, square, phase):
    rng = np.random.default_rng([seed, first])
    v = {name: x * (1 + 0.05 * (2 * rng.random(n) - 1)) for name, x in VALUES.items()}
    (a, b), (c, d) = (on_axis(np.array([np.broadcast_to(x, n) for x in p])) for p in coefficients(v))
    y, x = b * c, a * c
    y -= a * d
    x += b * d
    angle = np.arctan2(y, x, out=y)
    step = np.diff(angle, axis=0)
    if abs(step).max() > np.pi:
        angle[1:] -= 2 * np.pi * np.cumsum(np.rint(step / (2 * np.pi)), axis=0)
    phase[:, first:first + n] = angle
    for z in (a, b, c, d):
        z *= z
    a += b
    c += d
    np.divide(a, c, out=square[:, first:first + n])


def select(row):
    """The order statistics on both sides of every quantile, least and greatest."""
    place = LEVELS * (row.size - 1)
    low = place.astype(int)
    high = np.minimum(low + 1, row.size - 1)
    row.partition(np.unique([low, high]))
    return np.concatenate([row[low], row[high], [row[:low[0] + 1].min(), row[high[-1]:].max()]])


def quantiles(found, samples):
    place = LEVELS * (samples - 1)
    return found[:, :3] + (found[:, 3:6] - found[:, :3]) * (place - np.floor(place)), found[:, 6], found[:, 7]


def study(samples, chunk, threads=2, seed=1):
    square, phase = np.empty((W.size, samples)), np.empty((W.size, samples))
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda first: respond(seed, first, min(chunk, samples - first), square, phase), range(0, samples, chunk)))
        found = np.array(list(pool.map(select, [*square, *phase])))
    return quantiles(10 * np.log10(found[:W.size]), samples), quantiles(np.degrees(found[W.size:]), samples)


if __name__ == '__main__':
    samples = int(sys.argv[1])
    chunks = [int(sys.argv[2])] if len(sys.argv) > 2 else [64, 128, 256, 512, 1024]
    threads = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    best = (np.inf,)
    for chunk in chunks:
        start, used = time.perf_counter(), time.process_time()
        (decibels, *_), (degrees, *_) = study(samples, chunk, threads)
        best = min(best, (time.perf_counter() - start, time.process_time() - used, decibels[100][1], degrees[100][1], chunk))
    print(f'{samples / best[0]:.6g} {best[1]:.4g} {best[2]:.4f} {best[3]:.4f} {best[4]}')
