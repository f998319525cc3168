"""Pages whose fences become their answers: weave_test.py SFG"""
import json, os, pathlib, random, re, subprocess, sys, tempfile, unittest

SFG = os.path.abspath(sys.argv.pop(1))
LOOP = 'digraph { input="r"; output="y";\n  r -> e; e -> y [gain="K/(s+1)"]; y -> e [gain="-H"]; }'


class Pages(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.home = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.home.name)

    def tearDown(self):
        self.home.cleanup()

    def write(self, **pages):
        for name, text in pages.items():
            self.put(name.replace('_', '.'), text)

    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def text(self, name):
        return (self.folder / name).read_bytes().decode()

    def weave(self, *words, status=0):
        run = subprocess.run([SFG, 'weave', *words], cwd=self.folder, capture_output=True, encoding='utf-8', timeout=250, stdin=subprocess.DEVNULL)
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        return run

    def states(self, *words, status=0):
        return [fence['state'] for page in json.loads(self.weave('--json', *words, status=status).stdout)['pages'] for fence in page['fences']]

    def times(self):
        return {str(path): (path.stat().st_mtime_ns, path.stat().st_ino) for path in (self.folder / 'woven').rglob('*') if path.is_file()}


def indented(lines, first, further):
    return [first + lines[0], *((further + line).rstrip() for line in lines[1:])]


def random_page(dice):
    """(texts, numbers): the page is texts joined by fences; each fence asks for a gain of its number."""
    number = 0
    texts, numbers, pending = [], [], []
    fences = []

    def fence(first, further, mark):
        nonlocal number
        number += 1
        numbers.append(number)
        lines = [f'{mark}sfg tf', 'digraph {', f'  a -> b [gain="K{number}"]; ' + '}', '', mark]
        texts.append(''.join(line + '\n' for line in pending) + first)
        pending.clear()
        body = indented(lines, first, further)
        body[0] = body[0][len(first):]
        fences.append('\n'.join(body))
        pending.append('')  # what follows the closing mark: its line end

    def others():
        inner = ['```sfg tf', 'digraph {}', '```']
        kind = dice.randrange(9)
        if kind == 0: return ['````markdown', *inner, '````']
        if kind == 1: return ['~~~', *inner, '~~', '~~~~']
        if kind == 2: return ['    ' + line for line in inner]
        if kind == 3: return ['<!-- a comment', *inner, '-->']
        if kind == 4: return ['`` ```sfg tf `` in a line, ```sfg x``` too']
        if kind == 5: return ['- item', '', '      ' + inner[0], '      x', '']
        if kind == 6: return ['```python', 'print("```sfg")', '   ``` no end', '```']
        if kind == 7: return ['> ````', *('> ' + line for line in inner), '> ````']
        return ['```sfgx tf', 'no fence of ours', '```']

    for _ in range(dice.randint(3, 12)):
        pending += [f'Text {dice.randrange(10**9)} with $x$ and ünïcode.', '']
        if dice.random() < .5:
            pending += [*others(), '', 'Again text.', '']
        mark = dice.choice(['```', '````', '~~~', '~~~~~'])
        where = dice.randrange(8)
        if where == 0: fence('', '', mark)
        if where == 1: fence('  ', '  ', mark)
        if where == 2: pending += ['- an item', '']; fence('  ', '  ', mark)
        if where == 3: fence('12. ', '    ', mark)
        if where == 4: pending += ['> said']; pending.append('>'); fence('> ', '> ', mark)
        if where == 5: pending += ['> - an item', '>   said', '>']; fence('>   ', '>   ', mark)
        if where == 6: pending += ['1. an item', '', '   > said in it', '   >']; fence('   > ', '   > ', mark)
        if where == 7: pending += ['- > said', '  > 2) deep', '  >']; fence('  >    > - ', '  >    >   ', mark)
        pending += ['', '']
    texts.append('\n'.join(pending))
    page = texts[0] + ''.join(f + t for f, t in zip(fences, texts[1:]))
    return texts, numbers, page


class Markdown(Pages):
    def test_all_but_the_fences_stays_byte_for_byte(self):
        expected = {}
        for seed in range(40):
            dice = random.Random(seed)
            texts, numbers, page = random_page(dice)
            if seed % 3 == 1:
                texts, page = [t.replace('\n', '\r\n') for t in texts], page.replace('\n', '\r\n')
            if seed % 5 == 2:
                texts[-1], page = texts[-1].rstrip('\r\n'), page.rstrip('\r\n')
            if seed % 7 == 3:
                texts[0], page = '\ufeff' + texts[0], '\ufeff' + page
            self.put(f'in/p{seed}.md', page)
            expected[seed] = texts, numbers, page
        self.weave('in')
        for seed, (texts, numbers, page) in expected.items():
            self.assertEqual(self.text(f'in/p{seed}.md'), page)
            woven = self.text(f'woven/p{seed}.md')
            found = re.fullmatch('(.*?)'.join(map(re.escape, texts)), woven, re.S)
            self.assertTrue(found, f'seed {seed}:\n{page}\n=====\n{woven}')
            for number, answer in zip(numbers, found.groups()):
                self.assertRegex(answer, rf'K_\{{{number}\}}|K_{number}\b', f'seed {seed}')
                self.assertEqual('\r\n' in answer, seed % 3 == 1, f'seed {seed}')
                self.assertNotIn('digraph', answer)

    def test_a_page_without_fences_is_copied(self):
        self.write(a_md='no line end', b_md='', c_md='\r\n\r\n\x00\n')
        self.weave('.')
        for name in ('a.md', 'b.md', 'c.md'):
            self.assertEqual((self.folder / 'woven' / name).read_bytes(), (self.folder / name).read_bytes())

    def test_words(self):
        self.put('plant.dot', 'digraph { r -> y [gain="file*a"]; }')
        self.put('page.md', f'```sfg draw alt="a [b] *c*"\n{LOOP}\n```\n\n~~~ {{.sfg do="tf --set \'H=2*q\'"}}\n{LOOP}\n~~~\n\n```sfg tf --set file=7 file=plant.dot\n```\n\n'
                            f'```sfg bode --freq 1:10:5 --set K=1 --set H=1 --title "Of a loop"\n{LOOP}\n```\n')
        self.weave('page.md')
        woven = self.text('woven/page.md')
        self.assertIn(r'![a \[b\] \*c\*](sfg/page-1.svg)', woven)
        self.assertRegex(woven, r'frac\{K\}\{s \+ 2 [^}]*q[^}]*\}')
        self.assertRegex(woven, r'7 a')
        self.assertIn('![Of a loop](sfg/page-4.svg)', woven)

    def test_an_answer_is_no_part_of_the_text_around_it(self):
        self.put('page.md', f'Its gain is\n```sfg tf\n{LOOP}\n```\nand more.\n')
        self.weave('page.md')
        self.assertRegex(self.text('woven/page.md'), r'\AIts gain is\n\n\$\$(.|\n)*\n\nand more.\n\Z')


class Others(Pages):
    """reStructuredText and LaTeX: the same property."""

    def between(self, extension, page, texts, numbers, answered):
        self.put(f'in/p.{extension}', page)
        self.weave('in')
        woven = self.text(f'woven/p.{extension}')
        found = re.fullmatch('(.*?)'.join(map(re.escape, texts)), woven, re.S)
        self.assertTrue(found, f'{page}\n=====\n{woven}')
        for number, answer in zip(numbers, found.groups()):
            self.assertRegex(answer, rf'K_\{{{number}\}}|K_{number}\b')
            self.assertRegex(answer, answered)

    def random(self, dice, fences, others):
        texts, numbers, page, text = [], [], '', ''
        for number in range(1, dice.randint(2, 8)):
            text += f'Text {dice.randrange(10**9)} ünd 50\\% more.\n\n'
            if dice.random() < .6:
                text += dice.choice(others) + '\n\nAgain text.\n\n'
            before, fence = dice.choice(fences)
            text += before
            texts.append(text)
            numbers.append(number)
            page += text + fence.replace('@', str(number))
            text = '\n\n'
        texts.append(text + 'The end.\n')
        return page + texts[-1], texts, numbers

    def test_restructured(self):
        body = '   digraph {\n     a -> b [gain="K@"]; }'
        fences = [('', f'.. sfg:: tf\n\n{body}'), ('- item\n\n  ', '.. sfg:: tf\n\n  ' + body.replace('\n', '\n  ')),
                  ('', f'.. sfg:: tf --from a\n   --to b\n\n\n{body}'), ('.. note::\n\n   ', '.. sfg:: tf\n\n   ' + body.replace('\n', '\n   ')), ('3. ', '.. sfg:: tf\n\n   ' + body.replace('\n', '\n   '))]
        others = ['So::\n\n  .. sfg:: tf\n\n     text', '.. code-block:: rst\n\n   .. sfg:: tf\n\n      text', '.. a comment\n\n   .. sfg:: tf', '..\n   .. sfg:: tf\n\n      x', '``.. sfg:: tf``', '.. sfgx:: tf\n\n   x', '.. [1] note\n\n.. _name:']
        for seed in range(15):
            page, texts, numbers = self.random(random.Random(seed), fences, others)
            if seed % 3 == 1:
                page, texts = page.replace('\n', '\r\n'), [text.replace('\n', '\r\n') for text in texts]
            self.between('rst', page, texts, numbers, r'\.\. math::')

    def test_latex(self):
        body = 'digraph {\n  a -> b [gain="K@"]; }'
        fences = [('', f'\\begin{{sfg}}[tf]\n{body}\n\\end{{sfg}}'), ('  Here ', f'\\begin{{sfg}} [tf --from a\n --to b]\n{body}\n  \\end{{sfg}}'), ('', f'\\begin{{sfg}}[tf --variable "s"] {body}\\end{{sfg}}')]
        others = ['% \\begin{sfg}[tf]', '\\begin{verbatim}\n\\begin{sfg}[tf]\n\\end{verbatim}', '\\begin{lstlisting}[x]\n\\begin{sfg}\n\\end{lstlisting} more', 'a 5\\% of % \\begin{sfg}[tf]', '\\begin{comment}\n\\begin{sfg}\n\\end{comment}']
        for seed in range(15):
            page, texts, numbers = self.random(random.Random(seed), fences, others)
            self.between('tex', page, texts, numbers, r'begin\{align')
            for number in numbers:
                self.assertIn(self.text(f'woven/sfg/p-{number}.tex').strip(), self.text('woven/p.tex'))

    def test_tables(self):
        self.put('p.rst', f'T\n=\n\n.. sfg:: poles --set K=1 --set H=2\n\n   {LOOP}\n\nEnd *it*.\n'.replace(';\n  r', ';\n     r'))
        self.weave('p.rst')
        woven = self.text('woven/p.rst')
        self.assertRegex(woven, r'\.\. list-table::\n   :header-rows: 1\n\n   \* - pole\n     - .*\n(     - .*\n)*   \* - :math:`-3`\n(     - .*\n)+\n')
        try:
            import docutils.core
        except ImportError:
            return
        tree = docutils.core.publish_doctree(woven, settings_overrides={'halt_level': 2, 'report_level': 5})
        self.assertEqual(len(list(tree.findall(lambda node: node.tagname == 'row')) if hasattr(tree, 'findall') else tree.traverse(lambda node: node.tagname == 'row')), 2)

    def test_places(self):
        self.put('p.rst', 'T\n=\n\n.. note::\n\n   .. sfg:: tf\n\n      digraph {\n        a -> b [gain="K*(s+1"]; }\n\n.. sfg:: tff\n\n.. sfg:: tf\n   :odd: x\n')
        self.put('p.tex', 'Text\n\\begin{sfg}[tf]\ndigraph {\n  a -> b [gain="K*(s+1"]; }\n\\end{sfg}\n\\begin{sfg}\n\\end{sfg}\n\\begin{sfg}[tf "x]\n')
        run = self.weave('p.rst', 'p.tex', status=3)
        self.assertEqual(re.findall(r'^(\S+?:\d+:\d+): error: ', run.stderr, re.M), ['p.rst:9:29', 'p.rst:11:1', 'p.rst:13:1', 'p.tex:4:23', 'p.tex:6:1', 'p.tex:8:1'])

    def test_pictures(self):
        self.put('p.rst', f'.. sfg:: draw\n   :alt: the *loop*\n\n   {LOOP}\n')
        self.put('q.tex', f'\\begin{{sfg}}[draw]\n{LOOP}\n\\end{{sfg}} behind\n')
        self.weave('p.rst', 'q.tex')
        self.assertEqual(self.text('woven/p.rst'), '.. image:: sfg/p-1.svg\n   :alt: the \\*loop\\*\n')
        self.assertEqual(self.text('woven/q.tex'), '\\includegraphics{sfg/q-1}\n behind\n')
        self.assertTrue((self.folder / 'woven/sfg/q-1.pdf').read_bytes().startswith(b'%PDF-'))

    def test_names_of_pictures(self):
        self.put('p.rst', f'.. sfg:: draw\n\n   {LOOP}\n')
        self.put('p.md', f'```sfg draw\n{LOOP}\n```\n')
        self.assertIn('would both be', self.weave('p.rst', 'p.md', status=2).stderr)

    def test_as_html(self):
        self.put('p.md', f'```sfg tf\n{LOOP}\n```\n')
        fence = json.loads(self.weave('p.md', '--as', 'html', '--json').stdout)['pages'][0]['fences'][0]
        self.assertIn('<math', fence['text'])
        self.assertIn(fence['text'], self.text('woven/p.md'))
        self.assertEqual((fence['line'], fence['column'], fence['last']), (1, 1, 4))


class Errors(Pages):
    def places(self, *words, status=3):
        return set(re.findall(r'^(\S+?):(\d+):(\d+): error: ', self.weave(*words, status=status).stderr, re.M))

    def test_places_in_the_page(self):
        body = ['digraph {', '  a -> b [gain="K*(s+1"]; }']
        for first, further, above in (('', '', []), ('  ', '  ', ['- x', '']), ('> ', '> ', []), ('3. ', '   ', [])):
            alone = self.folder / 'x.dot'
            alone.write_text('\n'.join(body))
            said = subprocess.run([SFG, 'tf', str(alone)], capture_output=True, encoding='utf-8').stderr
            line, column = map(int, re.search(r'x\.dot:(\d+):(\d+): error', said).groups())
            lines = [*above, 'Text.', '', *above, *indented(['```sfg tf', *body, '```'], first, further)]
            self.put('page.md', '\n'.join(lines) + '\n')
            at = next(i for i, text in enumerate(lines, 1) if 'K*(s' in text)
            self.assertEqual(self.places('page.md'), {('page.md', str(at), str(column + len(further)))}, lines)
            self.assertEqual(line, 2)

    def test_every_wrong_fence_at_once(self):
        good = f'```sfg tf\n{LOOP}\n```\n\n'
        wrong = ['```sfg tff\n```\n', '```sfg\n```\n', '```sfg tf --form "x\n```\n', f'```sfg draw -o x.svg\n{LOOP}\n```\n', f'```sfg tf --json\n{LOOP}\n```\n', f'```sfg report\n{LOOP}\n```\n',
                 f'```sfg weave\n{LOOP}\n```\n', f'```sfg serve\n{LOOP}\n```\n', f'```sfg batch\n{LOOP}\n```\n', f'```sfg export --target c\n{LOOP}\n```\n', '```sfg tf\n```\n',
                 '```sfg tf file=none.toml\n```\n', f'```sfg tf file=plant.dot\n{LOOP}\n```\n', '```sfg tf\nxx yy zz\n```\n', f'```sfg tf --from q\n{LOOP}\n```\n', f'```{{.sfg do="tf" od="x"}}\n{LOOP}\n```\n',
                 '```sfg tf file=bad.dot\n```\n', f'```sfg compare plant.dot\n{LOOP}\n```\n', f'```sfg tf --help\n{LOOP}\n```\n', '```sfg tf\ndigraph {']
        self.put('plant.dot', 'digraph { a -> b [gain="2"]; }')
        self.put('bad.dot', 'digraph {\n a -> b [gain="2*("]; }')
        page, lines = '', []
        for text in wrong:
            page += good
            lines.append(page.count('\n') + 1)
            page += text + '\n'
        self.put('p.md', page)
        self.put('q.md', good)
        run = self.weave('p.md', 'q.md', status=3)
        found = {int(line) for line in re.findall(r'^p\.md:(\d+):\d+: error: ', run.stderr, re.M)}
        self.assertEqual(found, {line + (text == wrong[13]) for line, text in zip(lines, wrong)}, run.stderr)
        self.assertIn('bad.dot:2:', run.stderr)
        self.assertIn('--format is missing', run.stderr)
        self.assertFalse((self.folder / 'woven/p.md').exists() or (self.folder / 'x.svg').exists())
        self.assertTrue((self.folder / 'woven/q.md').exists())
        self.assertEqual(self.states('p.md', status=3).count('failed'), len(wrong))

    def test_a_limit_is_that_of_the_fence(self):
        endless = 'digraph { u -> x0; x1 -> y; ' + ' '.join(f'x{i} -> x{j} [gain="a{i}_{j}"];' for i in range(11) for j in range(11) if i != j) + ' }'
        self.put('p.md', f'```sfg tf\n{endless}\n```\n')
        self.put('q.md', f'```sfg tf\n{LOOP}\n```\n')
        self.assertIn('p.md:1:1: error: ', self.weave('p.md', 'q.md', '--time-limit', '1', status=4).stderr)
        self.assertTrue((self.folder / 'woven/q.md').exists())

    def test_names(self):
        for name in ('a/x.md', 'b/x.md', 'notes.txt'):
            self.put(name, 'text')
        for words, status in ((('a/x.md', 'b/x.md'), 2), (('notes.txt',), 2), (('none.md',), 3), (('a', '-o', 'a'), 2), (('-',), 2), ((), 2), (('a', '--from', 'x'), 2), (('a/x.md', 'a/x.md'), 2)):
            self.weave(*words, status=status)
        self.weave('a', 'b', status=2)
        self.assertEqual(self.text('a/x.md'), 'text')


class Hostile(Pages):
    def test_pieces_in_any_order(self):
        pieces = {'md': ['```', '~~~~', '```sfg tf', '~~~sfg', '{.sfg do="tf', '- ', '> ', '1. ', '\t', '    ', '<!--', '-->', '<pre>', '\n', '\n\n', '"', "'", '\\', '\r', '\x00', 'ü', 'a -> b', '``` {.sfg file= alt=}'],
                  'rst': ['.. sfg:: tf', '.. sfg::', '::', '.. ', '..', '- ', '   ', '\n', '\n\n', ':alt: x', ':', '"', '\t', '#. ', 'ü', 'a -> b', '.. code-block:: c'],
                  'tex': ['\\begin{sfg}', '\\end{sfg}', '[tf', ']', '[tf]', '%', '\\%', '\\begin{verbatim}', '\\end{verbatim}', '\n', '"', '\\', 'ü', 'a -> b', '\\begin{comment}']}
        for extension, some in pieces.items():
            for seed in range(60):
                dice = random.Random(f'{extension}{seed}')
                self.put(f'in/{extension}{seed}.{extension}', ''.join(dice.choice(some) for _ in range(dice.randint(1, 60))))
        run = subprocess.run([SFG, 'weave', 'in', '--json'], cwd=self.folder, capture_output=True, timeout=250)
        self.assertIn(run.returncode, (0, 3), run.stderr[-2000:])
        self.assertNotIn(b'error of ours', run.stderr)
        for page in json.loads(run.stdout)['pages']:
            failed = any(fence['state'] == 'failed' for fence in page['fences'])
            self.assertEqual((self.folder / page['woven']).exists(), not failed)
            if not page['fences']:
                self.assertEqual((self.folder / page['woven']).read_bytes(), (self.folder / page['file']).read_bytes())


class Kept(Pages):
    PAGE = f'# T\n\n```sfg draw\n{LOOP}\n```\n\n```sfg tf\n{LOOP}\n```\n\n```sfg tf file=m.toml\n```\n\n```sfg poles file=sub/n.cir --to v(b)\n```\n'

    def setUp(self):
        super().setUp()
        self.put('page.md', self.PAGE)
        self.put('m.toml', '[graph]\nbranches = [["u", "x", "A"]]\n')
        self.put('sub/n.cir', '* t\nV1 a 0 AC 1\n.include rest.inc\n')
        self.put('sub/rest.inc', 'R1 a b 1k\nC1 b 0 1u\n')
        self.weave('page.md')

    def check(self, *lines):
        run = self.weave('page.md', '--check', status=1 if lines else 0)
        self.assertEqual(run.stdout, ''.join(f'page.md{line}: out of date\n' for line in lines))

    def test_what_changed(self):
        self.check()
        self.assertEqual(self.states('page.md'), ['kept'] * 4)
        changes = [('sub/rest.inc', '1u', '2u', [':16']), ('m.toml', '"A"', '"B"', [':13']), ('page.md', 'sfg draw', 'sfg draw --as blocks', [':3']),
                   ('page.md', '# T', '# U', ['']), ('page.md', 'sfg tf\n', 'sfg tf --from r\n', [':8'])]
        for name, old, new, lines in changes:
            before = self.times()
            self.put(name, self.text(name).replace(old, new, 1))
            self.check(*lines)
            self.assertEqual(self.times(), before)
            states = self.states('page.md')
            self.assertEqual(states.count('made'), len([line for line in lines if line]))
            self.check()
        before = self.times()
        os.utime(self.folder / 'page.md')
        self.weave('page.md')
        self.assertEqual(self.times(), before)

    def test_what_is_lost_or_altered(self):
        (self.folder / 'woven/sfg/page-1.svg').unlink()
        self.check(':3')
        self.weave('page.md')
        self.put('woven/sfg/page-1.svg', '<svg/>')
        self.check(':3')
        self.weave('page.md')
        self.put('woven/page.md', 'other')
        self.check('')
        self.assertEqual(self.states('page.md'), ['kept'] * 4)
        self.put('woven/.page.md.woven', '{"files": 7')
        self.check(':3', ':8', ':13', ':16')
        self.weave('page.md')
        self.check()

    def test_pictures_of_fences_that_are_gone(self):
        self.put('page.md', 'nothing\n')
        self.weave('page.md')
        self.assertFalse((self.folder / 'woven/sfg/page-1.svg').exists())

    def test_ways_to_a_folder(self):
        self.put('docs/sub/a.md', 'x\n')
        for i, name in enumerate(('docs', 'docs/', './docs', 'docs//', str(self.folder / 'docs'))):
            self.weave(name, '-o', f'out{i}')
            self.assertEqual(self.text(f'out{i}/sub/a.md'), 'x\n')

    def test_folders(self):
        self.weave('.')
        self.weave('.', '-o', 'other')
        self.weave('.')
        self.assertFalse([path for path in self.folder.rglob('*.md') if len(path.relative_to(self.folder).parts) > 2])


if __name__ == '__main__':
    unittest.main(verbosity=1)
