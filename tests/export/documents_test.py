"""Tables and documents of every kind of model, read by those who read them: documents_test.py SFG"""
import csv, fractions, io, json, os, pathlib, random, re, subprocess, sys, tempfile, unittest
import xml.etree.ElementTree as ET

SFG = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
HOSTILE = ['*/', '--', ']]>', '<b>&amp;', 'a"b', "a'b", 'a,b', ' blank ', 'end', 'α', '\\end{document}', '$x$', '%', '#', 'for', '1/2', 'x y', 'X', 'x', '{', '}}', '\\', '~^_']
SVG, MATH = '{http://www.w3.org/2000/svg}svg', '{http://www.w3.org/1998/Math/MathML}math'


def sfg(*words, folder=None, status=0):
    result = subprocess.run([SFG, *map(str, words)], capture_output=True, cwd=folder, timeout=120)
    if status is not None and result.returncode != status:
        raise AssertionError(f'sfg {words}: status {result.returncode}: {result.stderr.decode()}')
    return result.stdout.decode('utf-8')


def quoted(name):
    return '"' + name.replace('\\', '\\\\').replace('"', '\\"') + '"'


def hostile_graph(seed):
    dice = random.Random(seed)
    names = dice.sample(HOSTILE, 6)
    gains = ['K', '1/s', '-1/2', 'alpha*s', 'K*exp(-s*beta)', '1/(s^2+for*s+1)']
    branches = [(a, b, dice.choice(gains)) for a, b in zip(names, names[1:])] + [(names[3], names[1], '-for')]
    text = 'digraph %s { input=%s; output=%s; parameters="K=7/3, alpha=0.1, beta=2, for=5";\n' % (quoted('a title */ --> \\end{document} %'), quoted('in'), quoted('out'))
    text += '"in" -> %s;\n%s -> "out";\n' % (quoted(names[0]), quoted(names[-1]))
    return text + ''.join('%s -> %s [gain="%s"];\n' % (quoted(a), quoted(b), gain) for a, b, gain in branches) + '}'


class Documents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.home.name)
        corpus = sorted((ROOT / 'graphs').rglob('*.dot'))
        cls.models = [path for path in corpus if 'delta0' not in path.name]
        cls.kinds = [ROOT / 'examples' / name for name in ('vehicle.toml', 'two_masses.toml', 'four_bar.toml', 'sallen_key.cir', 'vehicle.m', 'digital_servo.dot',
                                                            'heat_exchanger.dot')]
        cls.hostile = []
        for seed in range(6):
            path = cls.folder / f'hostile{seed}.dot'
            path.write_text(hostile_graph(seed), encoding='utf-8')
            cls.hostile.append(path)

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    def graph(self, model, *more):
        return json.loads(sfg('graph', model, '--json', *more))

    def branches(self, graph):
        return sorted((branch['from'], branch['to'], branch['gain']) for branch in graph['branches'])

    def test_tables_are_the_graph_and_read_back_to_it(self):
        for model in self.models[::4] + self.kinds + self.hostile:
            graph = self.graph(model)
            text = sfg('export', model, '--target', 'csv')
            rows = list(csv.reader(io.StringIO(text, newline=''), strict=True))
            self.assertEqual(rows[0], ['from', 'to', 'gain'])
            self.assertEqual(sorted(map(tuple, rows[1:])), self.branches(graph), model)
            for target in 'csv', 'graphml':
                copy = self.folder / f'copy.{target}'
                copy.write_bytes(sfg('export', model, '--target', target).encode())
                again = self.graph(copy, '--variable', graph['variable'])
                self.assertEqual(self.branches(again), self.branches(graph), f'{model} {target}')

    def test_json_has_the_transfer_functions_of_tf(self):
        for model in self.kinds + self.hostile:
            whole = json.loads(sfg('export', model, '--target', 'json'))
            transfers = json.loads(sfg('tf', model, '--json'))['transfers']
            self.assertEqual([{k: v for k, v in t.items() if not k.startswith(('num_', 'den_')) and k not in ('num', 'den')} for t in whole['transfers']], transfers)
            self.assertEqual([(b['from'], b['to'], b['gain']) for b in whole['graph']['branches']],
                             [(b['from'], b['to'], b['gain']) for b in self.graph(model)['branches']])
            for transfer in whole['transfers']:
                for name in 'num', 'den':
                    if transfer[name] is None: continue
                    self.assertEqual([float(fractions.Fraction(c)) for c in transfer[name]], transfer[name + '_double'])

    def test_numbers_are_those_of_the_stated_values(self):
        for model in ROOT / 'examples/servo.dot', ROOT / 'examples/two_masses.toml':
            for transfer, numeric in zip(json.loads(sfg('export', model, '--target', 'json'))['transfers'], json.loads(sfg('tf', model, '--form', 'numeric', '--json'))['transfers']):
                ours, theirs = (transfer['num_double'] + transfer['den_double'], numeric['num'] + numeric['den'])
                for a, b in zip(ours, theirs):
                    self.assertAlmostEqual(a * theirs[-1], b * ours[-1], delta=1e-12 * abs(b * ours[-1]))

    def test_a_value_that_is_missing_is_named(self):
        path = self.folder / 'missing.dot'
        path.write_text('digraph { a -> b [gain="K/s"]; }')
        result = subprocess.run([SFG, 'export', path, '--target', 'json'], capture_output=True, encoding='utf-8')
        self.assertEqual((result.returncode, result.stdout), (3, ''))
        self.assertIn("'K'", result.stderr)

    def test_a_snippet_is_one_element_without_scripts(self):
        for model in self.kinds + self.hostile + [ROOT / 'examples/duffing.dot']:
            root = ET.fromstring(sfg('export', model, '--target', 'html-snippet'))
            tags = {element.tag for element in root.iter()}
            self.assertTrue({SVG, MATH} <= tags, model)
            self.assertFalse([tag for tag in tags if tag.endswith('script')])
            names = [element.get('id') for element in root.iter() if element.get('id')]
            self.assertEqual(len(names), len(set(names)))
            for element in root.iter():
                for name, value in element.items():
                    self.assertFalse(name.startswith('on'))
                    if name.endswith(('href', 'src')): self.assertTrue(value.startswith('#'), value)

    def test_a_document_says_what_it_is_in_its_comments(self):
        for model in self.hostile:
            head = sfg('export', model, '--target', 'latex').split('\\documentclass')[0].splitlines()
            self.assertTrue(all(line.startswith('% ') for line in head), head)
            for part in 'K = 7/3', 'verified: ', 'made by: sfg export', 'a title */':
                self.assertTrue(any(part in line for line in head), part)

    def test_the_same_bytes_twice(self):
        for target in 'json', 'csv', 'graphml', 'latex', 'html-snippet':
            self.assertEqual(sfg('export', self.hostile[0], '--target', target), sfg('export', self.hostile[0], '--target', target))

    def test_laws_stand_as_they_are_or_are_refused(self):
        duffing = ROOT / 'examples/duffing.dot'
        whole = json.loads(sfg('export', duffing, '--target', 'json'))
        self.assertEqual([branch['nonlinear'] for branch in whole['graph']['branches'] if 'nonlinear' in branch], ['-q*u^3'])
        self.assertEqual(whole['transfers'], [])
        self.assertIn('u^{3}', sfg('export', duffing, '--target', 'latex'))
        result = subprocess.run([SFG, 'export', duffing, '--target', 'csv'], capture_output=True, encoding='utf-8')
        self.assertEqual((result.returncode, result.stdout), (1, ''))
        self.assertIn("'x' -> 'r'", result.stderr)
        self.assertIn('graphml', result.stderr)


unittest.main()
