"""The chain of tools/benchmark followed by SciPy's solve_ivp: simulation_scipy.py MASSES UNTIL [SECONDS].

One line of JSON: the motion of the first mass by a much finer run, and for every method and tolerance the seconds and the largest
difference from it. The right-hand side is vectorised; the implicit methods know the places of the Jacobian (LSODA its bands).
A method stops at the tolerance at which it takes longer than SECONDS."""
import json
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp
from scipy.sparse import lil_matrix

n, until, patience = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 20
k, c, q, F, w = 400.0, 2.0, 2000.0, 20.0, 4.0
hard = np.zeros(n - 1)
hard[[0, n // 2 - 1, n - 2]] = q


def apart(t, y):
    """Positions, then speeds: contiguous arrays."""
    x, v, out = y[:n], y[n:], np.empty_like(y)
    forces(t, x, v, out[n:])
    out[:n] = v
    return out


def interleaved(t, y):
    """x1, v1, x2, …: a narrow band."""
    x, v, out = y[0::2], y[1::2], np.empty_like(y)
    forces(t, x, v, out[1::2])
    out[0::2] = v
    return out


def forces(t, x, v, a):
    e, r = x[:-1] - x[1:], v[:-1] - v[1:]
    s = k * e + c * r + hard * e ** 3
    a[:] = -(c / 10) * v - (k / 40) * x
    a[:-1] -= s
    a[1:] += s
    a[0] += F * np.cos(w * t)


places = lil_matrix((2 * n, 2 * n))
for i in range(n):
    places[2 * i, 2 * i + 1] = 1
    for j in range(max(0, i - 1), min(n, i + 2)):
        places[2 * i + 1, 2 * j] = places[2 * i + 1, 2 * j + 1] = 1
times = np.linspace(0, until, 201)
rest = np.zeros(2 * n)
finest = solve_ivp(apart, (0, until), rest, method='DOP853', rtol=2.3e-14, atol=1e-17, t_eval=times).y[0]
found = []
for method in ('DOP853', 'RK45', 'LSODA', 'BDF', 'Radau'):
    options = {'LSODA': {'lband': 3, 'uband': 3}, 'BDF': {'jac_sparsity': places}, 'Radau': {'jac_sparsity': places}}.get(method, {})
    rate = interleaved if options else apart
    for tolerance in (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13):
        seconds = np.inf
        for _ in range(3):
            start = time.perf_counter()
            y = solve_ivp(rate, (0, until), rest, method=method, rtol=tolerance, atol=1e-3 * tolerance, t_eval=times, **options).y
            seconds = min(seconds, time.perf_counter() - start)
            if seconds > patience / 10:
                break
        found.append({'method': method, 'rtol': tolerance, 'seconds': seconds, 'error': float(np.max(np.abs(y[0] - finest)))})
        if seconds > patience:
            break
print(json.dumps({'finest': list(finest), 'runs': found}))
