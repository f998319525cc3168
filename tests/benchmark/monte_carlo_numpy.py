#!/usr/bin/python3
"""The Monte Carlo study of the vehicle in NumPy: lift over the first wheel's road, ten parameters within 5 %, quantiles of magnitude
and phase at 201 frequencies. The coefficients of numerator and denominator are closed forms, evaluated for a batch of samples at
once and multiplied with powers of the frequency by one matrix product. Prints samples per second and a checksum."""
import sys
import time
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


def study(samples, seed=1, batch=20000):
    rng = np.random.default_rng(seed)
    w = np.logspace(-1, 2, 201)
    magnitude, phase = np.empty((samples, w.size)), np.empty((samples, w.size))
    for first in range(0, samples, batch):
        n = min(batch, samples - first)
        v = {name: x * (1 + 0.05 * (2 * rng.random(n) - 1)) for name, x in VALUES.items()}
        N, D = (np.array([np.broadcast_to(c, n) for c in p]) for p in coefficients(v))

        def on_axis(p):
            even = np.array([(-1)**(i // 2) * w**i for i in range(0, len(p), 2)])
            odd = np.array([(-1)**(i // 2) * w**i for i in range(1, len(p), 2)])
            return p[0::2].T @ even + 1j * (p[1::2].T @ odd)
        T = on_axis(N) / on_axis(D)
        magnitude[first:first + n] = 10 * np.log10(T.real**2 + T.imag**2)
        phase[first:first + n] = np.degrees(np.unwrap(np.angle(T), axis=1))
    levels = [0.05, 0.5, 0.95]
    return [[np.quantile(x, levels, axis=0), x.min(axis=0), x.max(axis=0)] for x in (magnitude, phase)]


if __name__ == '__main__':
    samples = int(sys.argv[1])
    study(1000)
    start = time.perf_counter()
    result = study(samples)
    spent = time.perf_counter() - start
    print(f'{samples / spent:.6g} {result[0][0][1][100]:.4f} {result[1][0][1][100]:.4f}')
