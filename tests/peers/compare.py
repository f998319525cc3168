#!/usr/bin/env python3
"""Compares every number of the examples with SciPy and with GNU Octave's control package, where they are installed:
compare.py SFG EXAMPLES. Ends with 77 (skipped) where neither is.

Of every transfer function of every example: poles, zeros, frequency response, step and impulse response, discretisation, and
the margins of the open loop it would be. The peers start from the numerator and denominator that `sfg tf` gives; the
frequency response is compared with a solution of the graph's own equations, too, which knows no polynomial."""
import cmath
import fractions
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

# The peers work in double precision from rounded coefficients; what they lose depends on the order.
ROOTS = 1e-6        # of the greatest root, for orders up to 10
RESPONSE = 1e-8     # relative
TIME = 1e-6         # of the greatest sample
DISCRETE = 1e-6     # of the greatest coefficient
MARGIN = 1e-4       # dB or degrees: Octave searches the crossings
HIGH_ORDER = 10     # above it the peers' own rounding spoils everything: then only the graph is solved

PEER_PYTHON = next((p for p in ('/usr/bin/python3', sys.executable)
                    if subprocess.run([p, '-c', 'import scipy'], capture_output=True).returncode == 0), None)
OCTAVE = ['octave', '--no-gui', '--quiet', '--norc']


def has_octave():
    try:
        return subprocess.run([*OCTAVE, '--eval', 'pkg load control'], capture_output=True, timeout=120).returncode == 0
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return False


SCIPY = r'''
import json, sys, warnings
import numpy as np
from scipy import signal
warnings.simplefilter('ignore')
pairs = lambda zs: [[float(z.real), float(z.imag)] for z in np.atleast_1d(zs).astype(complex)]
out = []
for case in json.load(sys.stdin):
    num, den, w, t, h = (np.array(case[k]) for k in ('num', 'den', 'w', 't', 'h'))
    r = {'poles': pairs(np.roots(den)), 'zeros': pairs(np.roots(num))}
    if case['discrete']:
        num = np.concatenate([np.zeros(len(den) - len(num)), num])
        pulse = (np.arange(51) == 0).astype(float)
        r |= {'value': pairs(signal.freqz(num, den, w * h)[1]), 'step': signal.lfilter(num, den, np.ones(51)).tolist(),
              'impulse': signal.lfilter(num, den, pulse).tolist()}
        out.append(r)
        continue
    r['value'] = pairs(signal.freqresp((num, den), w)[1])
    if len(t):
        r['step'] = signal.step((num, den), T=t)[1].tolist()
        if len(num) < len(den): r['impulse'] = signal.impulse((num, den), T=t)[1].tolist()
        for method, name in (('zoh', 'zoh'), ('tustin', 'bilinear')):
            # In units of the sample time: its companion matrix loses all digits where coefficients run from 1 to 1e36.
            scaled = lambda p: [c / float(h) ** (len(p) - 1 - i) for i, c in enumerate(p)]
            n, d, _ = signal.cont2discrete((scaled(num), scaled(den)), 1.0, name) if method == 'zoh' else signal.cont2discrete((num, den), float(h), name)
            r[method] = [np.ravel(n).tolist(), np.ravel(d).tolist()]
    out.append(r)
print(json.dumps(out))
'''

OCTAVE_SCRIPT = r'''
pkg load control
warning('off', 'all');
function show(name, z), printf('%s', name); printf(' %.17g %.17g', [real(z(:)).'; imag(z(:)).']); printf("\n"); end
function one(num, den, w, t, h, discrete)
  if discrete
    sys = tf(num, den, h);
    show('poles', pole(sys)); show('zeros', zero(sys)); show('value', squeeze(freqresp(sys, w)));
    num = [zeros(1, numel(den) - numel(num)) num];
    show('step', filter(num, den, ones(51, 1))); show('impulse', filter(num, den, (1:51) == 1));
    return
  end
  sys = tf(num, den);
  show('poles', pole(sys)); show('zeros', zero(sys)); show('value', squeeze(freqresp(sys, w)));
  [gm, pm] = margin(sys); show('margin', [gm pm]);
  if numel(t)
    show('step', step(sys, t));
    if numel(num) < numel(den), show('impulse', step(tf([num 0], den), t)); end % impulse() itself is off by 1e-3 for stiff systems
    for m = {'zoh', 'tustin', 'matched'}
      [n, d] = tfdata(c2d(sys, h, m{1}), 'vector'); show([m{1} '_num'], n); show([m{1} '_den'], d);
    end
  end
end
'''


def scipy_results(cases):
    done = subprocess.run([PEER_PYTHON, '-c', SCIPY], input=json.dumps([{k: c[k] for k in ('num', 'den', 'w', 't', 'h', 'discrete')} for c in cases]), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit('SciPy failed: ' + done.stderr[-500:])
    return json.loads(done.stdout)


def octave_results(cases):
    vector = lambda v: '[' + ' '.join(f'{x:.17g}' for x in v) + ']'
    text = OCTAVE_SCRIPT + '\n'.join(
        f'disp("case"); one({vector(c["num"])}, {vector(c["den"])}, {vector(c["w"])}, {vector(c["t"])}, {c["h"]:.17g}, {int(c["discrete"])});' for c in cases)
    with tempfile.NamedTemporaryFile('w', suffix='.m') as script:
        script.write(text)
        script.flush()
        done = subprocess.run([*OCTAVE, script.name], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit('Octave failed: ' + done.stderr[-500:])
    results = []
    for block in done.stdout.split('case\n')[1:]:
        result = {}
        for line in block.splitlines():
            name, *numbers = line.split()
            z = [[float(a), float(b)] for a, b in zip(numbers[::2], numbers[1::2])]
            result[name] = z
        for name in ('step', 'impulse'):
            if name in result:
                result[name] = [re for re, _ in result[name]]
        for method in ('zoh', 'tustin', 'matched'):
            if method + '_num' in result:
                result[method] = [[re for re, _ in result[method + side]] for side in ('_num', '_den')]
        results.append(result)
    return results


class Comparison:
    def __init__(self, sfg):
        self.sfg, self.failures, self.count = sfg, [], {}

    def run(self, *arguments):
        done = subprocess.run([self.sfg, *map(str, arguments), '--json'], capture_output=True, text=True)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def check(self, what, difference, tolerance):
        kind = what.split()[0] + ' ' + what.split()[1]
        self.count[kind] = self.count.get(kind, 0) + 1
        if not difference <= tolerance:
            self.failures.append(f'{what}: differs by {difference:.3g}, allowed are {tolerance:.3g}')

    def roots(self, what, ours, theirs):
        """Every root next to one of theirs, each of theirs once."""
        if len(ours) != len(theirs):
            return self.failures.append(f'{what}: {len(ours)} roots, not {len(theirs)}')
        left = [complex(*z) for z in theirs]
        scale = max((abs(z) for z in left), default=1)
        worst = 0.0
        for z in (complex(*z) for z in ours):
            nearest = min(left, key=lambda r: abs(r - z))
            left.remove(nearest)
            worst = max(worst, abs(nearest - z))
        self.check(what, worst, ROOTS * scale)

    def series(self, what, ours, theirs, tolerance):
        scale = max((abs(x) for x in theirs), default=0) or 1
        self.check(what, max((abs(a - b) for a, b in zip(ours, theirs)), default=0) / scale, tolerance)

    def polynomials(self, what, ours, theirs, monic=False):
        for mine, other in zip(ours, theirs):
            strip = lambda p: p[next((i for i, x in enumerate(p) if abs(x) > 1e-13 * max(map(abs, p))), 0):]
            mine, other = strip(mine), strip(other)
            if monic:
                mine, other = ([x / p[0] for x in p] for p in (mine, other))
            if len(mine) != len(other):
                return self.failures.append(f'{what}: degree {len(mine) - 1}, not {len(other) - 1}')
            self.series(what, mine, other, DISCRETE)


def graph_value(graph, source, sink, s):
    """The response by dense elimination of x = A x + u in this program."""
    functions = {name: getattr(cmath, name) for name in ('sqrt', 'exp', 'log', 'sin', 'cos', 'tan', 'sinh', 'cosh', 'tanh')}
    names = {'pi': math.pi, **functions, graph['variable']: s}
    place = {node['name']: i for i, node in enumerate(graph['nodes'])}
    n = len(place)
    M = [[complex(i == j) for j in range(n)] + [complex(0)] for i in range(n)]
    for branch in graph['branches']:
        gain = eval(branch['gain'].replace('^', '**'), {'__builtins__': {}}, names)  # our own output, whose grammar is Python's
        M[place[branch['to']]][place[branch['from']]] -= gain
    M[place[source]][n] = complex(1)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(M[i][k]))
        M[k], M[pivot] = M[pivot], M[k]
        for i in range(k + 1, n):
            factor = M[i][k] / M[k][k]
            if factor:
                M[i] = [a - factor * b for a, b in zip(M[i], M[k])]
    x = [complex(0)] * n
    for k in range(n - 1, -1, -1):
        x[k] = (M[k][n] - sum(M[k][j] * x[j] for j in range(k + 1, n))) / M[k][k]
    return x[place[sink]]


def cases_of(comparison, path):
    transfers = comparison.run('tf', path, '--form', 'numeric', '--numbers')
    for t in transfers['transfers'] if transfers else []:
        if t['num'] == [0]:
            continue
        ends = ('--from', t['input'], '--to', t['output'])
        poles = comparison.run('poles', path, *ends)
        if not poles['poles']:  # a constant: to some peers a discrete system
            continue
        discrete = transfers['variable'] == 'z'
        if discrete:
            h = float(fractions.Fraction(comparison.run('graph', path)['attributes']['sample_time']))
            yield {'path': path, 'ends': ends, 'name': f'{path.name}: {t["output"]}/{t["input"]}', 'num': t['num'], 'den': t['den'],
                   'w': [math.pi / h * (k + 1) / 14 for k in range(13)], 't': [h * k for k in range(51)], 'h': h, 'poles': poles['poles'],
                   'zeros': poles['zeros'], 'small': True, 'discrete': True}
            continue
        slowest = min((abs(complex(*p)) for p in poles['poles'] if complex(*p) != 0), default=1.0)
        fastest = max((abs(complex(*p)) for p in poles['poles']), default=1.0) or 1.0
        low, high = math.log10(slowest / 10), math.log10(fastest * 11)  # no point is an undamped pole
        small = len(poles['poles']) <= HIGH_ORDER
        until = 3 / slowest
        yield {'path': path, 'ends': ends, 'name': f'{path.name}: {t["output"]}/{t["input"]}', 'num': t['num'], 'den': t['den'],
               'w': [10 ** (low + (high - low) * k / 12) for k in range(13)],
               't': [until * k / 50 for k in range(51)] if small and len(t['num']) <= len(t['den']) else [], 'h': 1 / fastest,
               'poles': poles['poles'], 'zeros': poles['zeros'], 'small': small, 'discrete': False}


def against_graph(comparison, cases):
    graphs = {}
    for case in cases:
        path, name = case['path'], case['name']
        if path not in graphs:
            graphs[path] = comparison.run('graph', path, '--numbers')
        graph = graphs[path]
        case['response'] = comparison.run('bode', path, *case['ends'], '--freq', ','.join(f'{w:.17g}' for w in case['w']))['transfers'][0]
        for w, value, db, degrees in zip(case['w'], *(case['response'][k] for k in ('value', 'magnitude_db', 'phase_deg'))):
            z = complex(*value)
            operator = cmath.exp(1j * w * case['h']) if case['discrete'] else 1j * w
            expected = graph_value(graph, case['ends'][1], case['ends'][3], operator)
            comparison.check(f'graph response of {name}', abs(z - expected) / abs(expected), RESPONSE)
            comparison.check(f'graph decibels of {name}', abs(db - 20 * math.log10(abs(expected))), 1e-6)
            turn = (degrees - math.degrees(cmath.phase(expected))) / 360
            comparison.check(f'graph phase of {name}', abs(turn - round(turn)) * 360, 1e-5)


def against(comparison, peer, cases, results):
    verbs = subprocess.run([comparison.sfg, 'help'], capture_output=True, text=True).stdout
    for case, theirs in zip(cases, results):
        name, path, ends = case['name'], case['path'], case['ends']
        comparison.roots(f'{peer} poles of {name}', case['poles'], theirs['poles'])
        comparison.roots(f'{peer} zeros of {name}', case['zeros'], theirs['zeros'])
        for z, other in zip(case['response']['value'], theirs['value']):
            comparison.check(f'{peer} response of {name}', abs(complex(*z) - complex(*other)) / abs(complex(*z)), RESPONSE)
        for verb in ('step', 'impulse'):
            if verb in theirs and case['t']:
                ours = comparison.run(verb, path, *ends, '--until', f'{case["t"][-1]:.17g}', '--points', 51)
                comparison.series(f'{peer} {verb} of {name}', next(iter(ours['signals'].values())), theirs[verb], TIME)
        for method in ('zoh', 'tustin', 'matched'):
            if method in theirs and 'discretize' in verbs:
                ours = comparison.run('discretize', path, *ends, '--sample-time', f'{case["h"]:.17g}', '--method', method)['transfers'][0]
                # At which frequency the gains match is everybody's choice where there is none at 0.
                choice = method == 'matched' and any(complex(*z) == 0 for z in case['zeros'] + case['poles'])
                comparison.polynomials(f'{peer} {method} of {name}', (ours['num'], ours['den']), theirs[method], choice)
        if 'margin' in theirs:
            margins(comparison, peer, case, theirs['margin'])


def margins(comparison, peer, case, theirs):
    """Octave's margins are at some crossing of ours, and none where we have none."""
    ours = comparison.run('margins', case['path'], *case['ends'])
    if not ours:
        return
    gain, phase = theirs[0][0], theirs[1][0]
    if math.isfinite(gain) and gain > 0 and ours['phase_crossovers']:
        nearest = min(abs(20 * math.log10(gain) - c['gain_margin_db']) for c in ours['phase_crossovers'])
        comparison.check(f'{peer} margin of {case["name"]}', nearest, MARGIN)
    if math.isfinite(phase) and ours['gain_crossovers']:
        turns = [(phase - c['phase_margin_deg']) / 360 for c in ours['gain_crossovers']]
        comparison.check(f'{peer} margin of {case["name"]}', min(abs(t - round(t)) * 360 for t in turns), MARGIN)


def main():
    sfg, examples = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    octave = has_octave()
    if not PEER_PYTHON and not octave:
        print('neither SciPy nor Octave with its control package is installed')
        return 77
    comparison = Comparison(sfg)
    cases = [case for path in sorted(p for p in examples.iterdir() if p.suffix in ('.toml', '.dot', '.cir')) for case in cases_of(comparison, path)]
    against_graph(comparison, cases)
    small = [case for case in cases if case['small']]
    if PEER_PYTHON:
        against(comparison, 'SciPy', small, scipy_results(small))
    if octave:
        against(comparison, 'Octave', small, octave_results(small))
    for kind, count in sorted(comparison.count.items()):
        print(f'{count:5d}  {kind}')
    for failure in comparison.failures:
        print('difference: ' + failure)
    if not cases or not comparison.count:
        print('nothing was compared')
        return 1
    return 1 if comparison.failures else 0


if __name__ == '__main__':
    sys.exit(main())
