"""Generated programs under other values of their parameters, compiled and called: generated_code_test.py SFG

Random graphs whose parameters state others in chains: values and gradients of the C against an elimination in this file and
against the command, the Python module after assignments, the causalities of an FMU. Random filters in z, sample by sample.
Tables in programs and netlists against the command's own simulation."""
import ctypes, importlib.util, json, math, os, pathlib, random, re, shutil, subprocess, sys, tempfile, unittest, zipfile
import xml.etree.ElementTree as ET

DISTRIBUTION = '/usr/bin/python3'
if not importlib.util.find_spec('scipy') and os.path.exists(DISTRIBUTION) and not os.path.samefile(sys.executable, DISTRIBUTION):
    os.execv(DISTRIBUTION, [DISTRIBUTION, *sys.argv])

SFG = os.path.abspath(sys.argv.pop(1))
NUMPY, SCIPY = (importlib.util.find_spec(name) for name in ('numpy', 'scipy'))
FUNCTIONS = {'sqrt': math.sqrt, 'exp': math.exp, 'abs': abs}


def sfg(*words, folder):
    result = subprocess.run([SFG, *map(str, words)], capture_output=True, cwd=folder, text=True, timeout=300)
    if result.returncode:
        raise AssertionError(f'sfg {words}: status {result.returncode}: {result.stderr}')
    return result.stdout


def library(folder, name):
    subprocess.run(['gcc', '-std=c11', '-O1', '-Wall', '-Wextra', '-Werror', '-fPIC', '-shared', f'{name}.c', '-o', f'{name}.so', '-lm'],
                   cwd=folder, check=True)
    return ctypes.CDLL(str(pathlib.Path(folder, f'{name}.so')))


def doubles(values):
    return (ctypes.c_double * max(1, len(values)))(*values)


def strings(code, table, count):
    return [x.decode() for x in (ctypes.c_char_p * count).in_dll(code, table)]


class Chain:
    """Parameters that follow others in chains, in a loop of first and second order."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.numbers = {f'p{k}': draw.choice([0.5, 1.5, 2, 3.25, 0.8]) for k in range(draw.randint(2, 4))}
        self.stated, names = {}, list(self.numbers)
        for k in range(draw.randint(1, 5)):
            a, b = draw.choice(names), draw.choice(names)
            self.stated[f'd{k}'] = draw.choice(['{0}*{1}', 'sqrt({0}/{1})', '1/(2*{0})', '{0}+2*{1}', '{0}/({1}+1)', 'exp(-{0})', '({0}+1)^2/{1}'])\
                .format(a, b)
            names.append(f'd{k}')
        a, b, c, d, e = (draw.choice(names[-3:] if draw.random() < 0.6 else names) for _ in range(5))
        self.gains = [('u', 'e', '1'), ('e', 'x', f'{a}/(s+{b})'), ('x', 'y', f'(s+{c})/(s^2+2*{d}*s+{e}^2)'), ('y', 'e', f'-{d}')]
        order = list(self.numbers.items()) + list(self.stated.items())
        draw.shuffle(order)  # stated before what they are stated by, too
        self.dot = 'digraph { input="u"; output="y"; parameters="%s"; %s }' % (
            ', '.join(f'{k}={v}' for k, v in order), ' '.join(f'{f} -> {t} [gain="{g}"];' for f, t, g in self.gains))

    def values(self, numbers):
        values = dict(numbers)
        for name, text in self.stated.items():
            values[name] = eval(text.replace('^', '**'), FUNCTIONS, values)
        return values

    def transfer(self, numbers, s):
        gain = {(f, t): eval(g.replace('^', '**'), FUNCTIONS, {**self.values(numbers), 's': s}) for f, t, g in self.gains}
        forward = gain['e', 'x'] * gain['x', 'y']
        return gain['u', 'e'] * forward / (1 - forward * gain['y', 'e'])


class GeneratedCode(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.folder = self.home.name

    def tearDown(self):
        self.home.cleanup()

    def near(self, found, wanted, tolerance, what):
        self.assertLessEqual(abs(found - wanted), tolerance * max(1e-3, abs(wanted)), f'{what}: {found}, not {wanted}')

    def chains(self):
        for seed in range(12):
            chain = Chain(seed)
            pathlib.Path(self.folder, 'm.dot').write_text(chain.dot, encoding='utf-8')
            moved = {k: v * (1.3 + 0.2 * i) for i, (k, v) in enumerate(chain.numbers.items())}
            yield seed, chain, moved

    @unittest.skipUnless(shutil.which('gcc'), 'no gcc')
    def test_derived_parameters_move_in_c(self):
        s = 0.3 + 1.1j
        for seed, chain, moved in self.chains():
            sfg('export', 'm.dot', '--target', 'c', '--name', f'm{seed}', '-o', f'm{seed}.c', folder=self.folder)
            code, n = library(self.folder, f'm{seed}'), f'm{seed}'
            count = ctypes.c_int.in_dll(code, f'{n}_parameter_count').value
            names = strings(code, f'{n}_parameters', count)
            self.assertEqual(sorted(names), sorted(chain.numbers), chain.dot)
            p, out = doubles([moved[k] for k in names]), doubles([0.0] * (2 + 2 * count))
            getattr(code, f'{n}_gradient_0')(p, ctypes.c_double(s.real), ctypes.c_double(s.imag), out)
            self.near(complex(out[0], out[1]), chain.transfer(moved, s), 1e-10, chain.dot)
            for k, name in enumerate(names):
                h = 1e-6 * moved[name]
                slope = (chain.transfer({**moved, name: moved[name] + h}, s) - chain.transfer({**moved, name: moved[name] - h}, s)) / (2 * h)
                self.near(complex(out[2 + 2 * k], out[3 + 2 * k]), slope, 1e-6, f'd/d{name} of {chain.dot}')
            answer = json.loads(sfg('bode', 'm.dot', '--freq', '0.7', *(w for k, v in moved.items() for w in ('--set', f'{k}={v!r}')), '--json',
                                    folder=self.folder))
            getattr(code, f'{n}_transfer_0')(p, ctypes.c_double(0), ctypes.c_double(0.7), out)
            self.near(complex(out[0], out[1]), complex(*answer['transfers'][0]['value'][0]), 1e-10, chain.dot)
            numbers = doubles([0.0] * 40)
            getattr(code, f'{n}_coefficients_0')(p, numbers)
            for re, im in ((s.real, s.imag), (0, 0.7), (-1.4, 0), (-0.2, -3)):
                value = doubles([0.0, 0.0])
                getattr(code, f'{n}_value_0')(numbers, ctypes.c_double(re), ctypes.c_double(im), value)
                self.near(complex(*value), chain.transfer(moved, complex(re, im)), 1e-10, f'coefficients once: {chain.dot}')
            following = ctypes.c_int.in_dll(code, f'{n}_derived_count').value
            told, values = doubles([0.0] * following), chain.values(moved)
            getattr(code, f'{n}_derived')(p, told)
            for k, name in enumerate(strings(code, f'{n}_derived_names', following)):
                self.near(told[k], values[name], 1e-12, name)

    @unittest.skipUnless(NUMPY, 'no NumPy')
    def test_assignments_move_derived_parameters_in_python(self):
        script = '''import json, sys, m
moved, s = json.loads(sys.argv[1]), complex(sys.argv[2])
for name, value in moved.items(): setattr(m, name, value)
g = complex(m.transfer_0(s)); held = m.%s
m.%s = 1.25; h = complex(m.transfer_0(s)); del m.%s; back = complex(m.transfer_0(s))
print(json.dumps([g.real, g.imag, h.real, h.imag, back.real, back.imag, float(held)]))'''
        for _, chain, moved in self.chains():
            sfg('export', 'm.dot', '--target', 'python', '--name', 'm', '-o', 'm.py', folder=self.folder)
            last, s = list(chain.stated)[-1], 0.3 + 1.1j
            run = subprocess.run([sys.executable, '-B', '-c', script % (last, last, last), json.dumps(moved), str(s)], cwd=self.folder,
                                 capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            g = json.loads(run.stdout)
            self.near(complex(*g[:2]), chain.transfer(moved, s), 1e-10, chain.dot)
            fixed = Chain.__new__(Chain)
            fixed.__dict__.update(chain.__dict__, stated={**chain.stated, last: '1.25'})
            self.near(complex(*g[2:4]), fixed.transfer(moved, s), 1e-10, 'one that is assigned itself')
            self.near(complex(*g[4:6]), chain.transfer(moved, s), 1e-10, 'one that follows again')
            self.near(g[6], chain.values(moved)[last], 1e-12, last)

    @unittest.skipUnless(shutil.which('cc'), 'no cc')
    def test_derived_parameters_of_an_fmu_are_calculated(self):
        _, chain, _ = next(self.chains())
        sfg('export', 'm.dot', '--target', 'fmu', '--name', 'm', '-o', 'm.fmu', folder=self.folder)
        description = ET.fromstring(zipfile.ZipFile(pathlib.Path(self.folder, 'm.fmu')).read('modelDescription.xml'))
        found = {v.get('name'): v.get('causality') for v in description.iter('ScalarVariable')}
        self.assertEqual({k for k, c in found.items() if c == 'parameter'}, set(chain.numbers))
        self.assertEqual({k for k, c in found.items() if c == 'calculatedParameter'}, set(chain.stated))

    @unittest.skipUnless(shutil.which('gcc'), 'no gcc')
    def test_a_step_of_a_filter_gives_the_sample_before_the_states_move(self):
        for seed in range(6):
            draw = random.Random(seed)
            n = draw.randint(1, 4)
            names = [f'b{k}' for k in range(n + 1)] + [f'a{k}' for k in range(n)]
            p = {k: round(draw.uniform(-1, 1) * (0.4 if k[0] == 'a' else 1), 3) for k in names}
            above, below = ('+'.join(f'{c}{k}*z^{k}' for k in range(m)) for c, m in (('b', n + 1), ('a', n)))
            pathlib.Path(self.folder, 'z.dot').write_text(
                'digraph { variable="z"; sample_time="0.1"; input="u"; output="y"; parameters="%s"; u -> y [gain="(%s)/(z^%d+%s)"]; }'
                % (', '.join(f'{k}={v}' for k, v in p.items()), above, n, below), encoding='utf-8')
            sfg('export', 'z.dot', '--target', 'c', '--name', f'z{seed}', '-o', f'z{seed}.c', folder=self.folder)
            code, name = library(self.folder, f'z{seed}'), f'z{seed}'
            order = strings(code, f'{name}_parameters', ctypes.c_int.in_dll(code, f'{name}_parameter_count').value)
            p = {k: v * 1.1 for k, v in p.items()}  # they stay adjustable
            u, y, x, out = [draw.uniform(-2, 2) for _ in range(20)], [], doubles([0.0] * 16), doubles([0.0])
            for k in range(20):
                got = getattr(code, f'{name}_step')
                got(doubles([p[q] for q in order]), ctypes.c_double(0.1), doubles([u[k]]), x, out)
                past = lambda of, i: of[k - i] if k >= i else 0.0  # noqa: E731
                y.append(sum(p[f'b{n - i}'] * past(u, i) for i in range(n + 1)) - sum(p[f'a{n - i}'] * past(y, i) for i in range(1, n + 1)))
                self.near(out[0], y[-1], 1e-11, f'sample {k} of {pathlib.Path(self.folder, "z.dot").read_text()}')

    def test_tables_are_the_stated_ones(self):
        for seed, kind in enumerate(('table', 'spline', 'monotone', 'table')):
            draw = random.Random(seed)
            x = sorted(draw.sample(range(-8, 9), 5))
            points = ','.join(f'[{a / 4},{draw.randint(-6, 6) / 4}]' for a in x)
            law = f'-{kind}(u,{points})' if seed < 3 else f'-table(u*w,{points})'
            extra = ' [nonlinear="%s"%s]' % (law, ', arguments="w=v"' if seed == 3 else '')
            pathlib.Path(self.folder, 't.dot').write_text(
                'digraph { input="w"; output="x"; w -> r; w -> v [gain="1/(s+1)"]; r -> x [gain="1/(s^2+s+1)"]; x -> r%s; }' % extra, encoding='utf-8')
            run = ('--input', 'w=sin(2*t)', '--until', 4)
            wanted = json.loads(sfg('simulate', 't.dot', *run, '--points', 21, '--json', folder=self.folder))['signals']['x']
            ways = [('c', ['sh', '-c', 'gcc -std=c11 -O1 -DSFG_MAIN t.c -o t -lm && ./t'], 'gcc'), ('python', [sys.executable, 't.py'], None),
                    ('octave', ['octave-cli', '--norc', 't.m'], 'octave-cli'), ('scilab', ['scilab-cli', '-nb', '-quit', '-f', 't.sce'], 'scilab-cli')]
            for target, command, tool in ways:
                if not SCIPY if tool is None else not shutil.which(tool): continue
                sfg('export', 't.dot', '--target', target, *run, '--points', 21, '--name', 't', '-o', command[-1] if command[0] != 'sh' else 't.c', folder=self.folder)
                text = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=300)
                self.assertEqual(text.returncode, 0, text.stderr)
                found = [float(line.split()[1]) for line in text.stdout.splitlines() if re.match(r'^[-+0-9.e]+ [-+0-9.e]+$', line)]
                self.assertEqual(len(found), len(wanted), target)
                for a, b in zip(found, wanted): self.near(a, b, 1e-5, f'{target} of {law}')
            if not shutil.which('ngspice'): continue
            for target in ('spice', 'analog')[:1 if seed == 3 else 2]:  # of one signal, in an analog program
                sfg('export', 't.dot', '--target', target, *run, '--points', 21, '--name', 't', '-o', 't.cir', folder=self.folder)
                for old in pathlib.Path(self.folder).glob('*.txt'): old.unlink()
                text = subprocess.run(['ngspice', '-b', 't.cir'], cwd=self.folder, capture_output=True, text=True, timeout=300)
                rows = [[float(w) for w in line.split()] for line in next(pathlib.Path(self.folder).glob('*step.txt')).read_text().splitlines()
                        if not line.split()[0].isalpha()]
                time, last = rows[-1][0], rows[-1][1]
                self.assertAlmostEqual(time, 4, 6, text.stderr)
                self.assertLessEqual(abs(last - wanted[-1]), 2e-3, f'{target} of {law}: {last}, not {wanted[-1]}')


unittest.main()
