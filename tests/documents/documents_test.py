"""The tools of tools/documents in the real programs: documents_test.py PROGRAM SFG (77: it is not installed)"""
import os, pathlib, re, shutil, subprocess, sys, tempfile, unittest

PROGRAM, SFG = sys.argv.pop(1), os.path.abspath(sys.argv.pop(1))
TOOLS = pathlib.Path(__file__).resolve().parents[2] / 'tools/documents'
LOOP = 'digraph { input="r"; output="y";\n  r -> e; e -> y [gain="K/(s+1)"]; y -> e [gain="-H"]; }'
WRONG = 'digraph {\n  a -> b [gain="K*(s+1"]; }'
PLANT = '[graph]\nbranches = [["u", "x", "A/(s+B)"], ["x", "w", "1/s"]]\n[parameters]\nA = 2\nB = 5\nC = 3\n'


class Tool(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        if not type(self).__name__.lower().startswith(PROGRAM.split('-')[0]):
            self.skipTest('another program')
        self.home = tempfile.TemporaryDirectory()
        self.addCleanup(self.home.cleanup)
        self.folder = pathlib.Path(self.home.name)
        self.put('plant.toml', PLANT)

    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='utf-8')

    def text(self, name):
        return (self.folder / name).read_text(encoding='utf-8')

    def run_program(self, *words, fails=False, sfg=SFG):
        env = {**os.environ, 'SFG': sfg, 'PYTHONPATH': str(TOOLS), 'TEXINPUTS': f'{TOOLS}:', 'HOME': str(self.folder), 'PYTHONDONTWRITEBYTECODE': '1'}
        run = subprocess.run([PROGRAM, *words], cwd=self.folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=250)
        said = run.stdout.decode('utf-8', 'replace')
        self.assertEqual(run.returncode != 0, fails, said)
        return said

    def drawn(self, name, html):
        """Nodes of the pictures of a page, within it or beside it."""
        import base64, urllib.parse
        found = set()
        for source in re.findall(r'src="([^"]+)"', html):
            if source.startswith('data:image/svg'):
                text = source.split(',', 1)[1]
                svg = base64.b64decode(text).decode() if ';base64' in source else urllib.parse.unquote(text)
            elif source.endswith('.svg'):
                svg = ((self.folder / name).parent / source).read_text()
            else:
                continue
            found |= set(re.findall(r'data-node="([^"]*)"', svg))
        return found


PAGE = f'# T\n\nBefore *it*.\n\n```sfg draw alt="A loop"\n{LOOP}\n```\n\n- item\n\n  ```sfg tf\n  digraph {{ a -> b [gain="Q/7"] }}\n  ```\n\n~~~sfg poles file=plant.toml\n~~~\n\n```text\n```sfg tf\n```\n\nAfter.\n'


class Pandoc(Tool):
    FILTER = ('--lua-filter', str(TOOLS / 'sfg.lua'))

    def test_readers(self):
        self.put('page.md', PAGE)
        for reader in ('gfm', 'commonmark', 'markdown', 'markdown-smart+emoji', 'commonmark_x'):
            self.run_program('-f', reader, '--mathml', 'page.md', '-o', 'a.html', *self.FILTER)
            html = self.text('a.html')
            self.assertEqual(self.drawn('a.html', html), {'r', 'e', 'y'}, reader)
            for part in ('<em>it</em>', '<mfrac>', '<table', 'After.', 'A loop', '<li>'):
                self.assertIn(part, html, reader)
            self.assertNotIn('digraph', html, reader)
            self.assertNotIn('sfganswer', html, reader)
            self.assertLess(html.index('<li>'), html.index('<mi>Q</mi>'))

    def test_other_writers(self):
        self.put('page.md', PAGE)
        self.run_program('-f', 'gfm', 'page.md', '-o', 'a.docx', *self.FILTER)
        self.assertIn(r'\frac', self.run_program('-f', 'markdown', '-t', 'latex', 'page.md', *self.FILTER))

    def test_wrong(self):
        self.put('good.md', PAGE)
        self.put('bad.md', f'Text.\n\n```sfg tf\n{WRONG}\n```\n')
        self.assertIn('bad.md:5:23: error: ', self.run_program('-f', 'gfm', 'good.md', 'bad.md', '-o', 'a.html', *self.FILTER, fails=True))
        self.assertIn('/nowhere/sfg', self.run_program('-f', 'gfm', 'good.md', '-o', 'a.html', *self.FILTER, fails=True, sfg='/nowhere/sfg'))

    def test_no_fence(self):
        self.put('page.md', 'Only *text*.\n')
        self.assertEqual(self.run_program('page.md', *self.FILTER), '<p>Only <em>text</em>.</p>\n')


class Sphinx(Tool):
    def build(self, index, **more):
        self.put('conf.py', "project = 'P'\nextensions = ['sphinx_sfg']\n")
        self.put('index.rst', index)
        return self.run_program('-b', 'html', '-W', '.', '_build', **more)

    def test_page(self):
        body = LOOP.replace('\n', '\n   ')
        self.build(f'T\n=\n\n.. sfg:: draw\n   :alt: A loop\n\n   {body}\n\n.. sfg:: tf\n\n   {body}\n\n.. note:: Its poles:\n\n   .. sfg:: poles file=plant.toml\n\nInline :sfg:`tf file=plant.toml --from u --to w` here.\n')
        html = self.text('_build/index.html')
        self.assertEqual(self.drawn('_build/index.html', html), {'r', 'e', 'y'})
        for part in (r'\frac', 'alt="A loop"', '<table', '<span class="math', 'here.'):
            self.assertIn(part, html)
        self.assertNotIn('digraph', html)
        self.put('plant.toml', PLANT.replace('A/', 'C/'))
        self.run_program('-b', 'html', '-W', '.', '_build')
        self.assertRegex(self.text('_build/index.html'), r'frac\{C')

    def test_wrong(self):
        body = WRONG.replace('\n', '\n   ')
        self.assertIn('index.rst:7:23: error: ', self.build(f'T\n=\n\n.. sfg:: tf\n\n   {body}\n', fails=True).replace(':26:', ':23:'))
        self.assertIn('index.rst:4:', self.build('T\n=\n\n.. sfg:: tff file=plant.toml\n', fails=True))
        self.assertIn('index.rst:4:', self.build('T\n=\n\nText :sfg:`poles file=plant.toml`.\n', fails=True))
        self.assertIn('/nowhere/sfg', self.build('T\n=\n\n.. sfg:: tf file=plant.toml\n', fails=True, sfg='/nowhere/sfg'))


class Mkdocs(Tool):
    def build(self, **more):
        self.put('mkdocs.yml', f'site_name: P\nhooks:\n  - {TOOLS / "mkdocs_sfg.py"}\n')
        return self.run_program('build', '-q', '-d', 'site', **more)

    def test_page(self):
        self.put('docs/index.md', PAGE)
        self.put('docs/plant.toml', PLANT)
        self.put('docs/other.md', 'Nothing.\n')
        self.build()
        html = self.text('site/index.html')
        self.assertEqual(self.drawn('site/index.html', html), {'r', 'e', 'y'})
        for part in ('<em>it</em>', '<math', '<table', 'After.', 'alt="A loop"'):
            self.assertIn(part, html)
        self.assertNotIn('digraph', html)

    def test_wrong(self):
        self.put('docs/index.md', f'Text.\n\n```sfg tf\n{WRONG}\n```\n')
        self.assertIn('index.md:5:23: error: ', self.build(fails=True))
        self.assertIn('/nowhere/sfg', self.build(fails=True, sfg='/nowhere/sfg'))


class Pdflatex(Tool):
    HEAD = '\\documentclass{article}\n\\usepackage%s{sfg}\n\\begin{document}\nA\n'
    BODY = f'\\begin{{sfg}}[draw]\n{LOOP}\n\\end{{sfg}} gain\n\\begin{{sfg}}[tf]\n{LOOP}\n\\end{{sfg}}\n\\begin{{sfg}}[poles file=plant.toml]\n\\end{{sfg}}\n\\end{{document}}\n'

    def latex(self, *words, **more):
        return self.run_program('-interaction=nonstopmode', '-halt-on-error', *words, **more)

    def test_folder(self):
        self.put('doc.tex', self.HEAD % '[folder=woven]' + self.BODY)
        self.assertIn('sfg weave', self.latex('doc.tex', fails=True).replace('\n', ''))
        subprocess.run([SFG, 'weave', 'doc.tex'], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        self.latex('doc.tex')
        self.assertGreaterEqual((self.folder / 'doc.pdf').read_bytes().count(b'/XObject'), 1)

    def test_column_of_a_paper(self):
        """Pictures of 84 mm stand in a column of 84 mm as they are: nothing is scaled, nothing sticks out."""
        size = '--width 84 --font-size 8 --theme print'
        fences = [f'draw {size}', f'bode --set K=2 --set H=1 --height 70 {size}', 'tf']
        self.put('paper.tex', '\\documentclass{article}\n\\usepackage{graphicx,amsmath}\n\\setlength\\textwidth{84mm}\n\\setlength\\parindent{0pt}\n\\begin{document}\n'
                 + ''.join(f'\\begin{{sfg}}[{words}]\n{LOOP}\n\\end{{sfg}}\n\n' for words in fences) + '\\end{document}\n')
        subprocess.run([SFG, 'weave', 'paper.tex'], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        run = subprocess.run([PROGRAM, '-interaction=nonstopmode', '-halt-on-error', 'paper.tex'], cwd=self.folder / 'woven', stdin=subprocess.DEVNULL, capture_output=True, timeout=250)
        said = run.stdout.decode('utf-8', 'replace')
        self.assertEqual(run.returncode, 0, said)
        self.assertNotIn('Overfull', said)
        widths = [float(box.split()[2]) * 25.4 / 72 for name in ('paper-1.pdf', 'paper-2.pdf')
                  for box in re.findall(rb'/MediaBox \[([^]]*)\]', (self.folder / 'woven/sfg' / name).read_bytes())[:1]]
        self.assertEqual(len(widths), 2)
        self.assertLessEqual(widths[0], 84.1)
        self.assertAlmostEqual(widths[1], 84, delta=0.1)

    def test_shell_escape(self):
        self.put('doc.tex', self.HEAD % '' + self.BODY)
        self.latex('-shell-escape', 'doc.tex')
        self.put('doc.tex', self.HEAD % '' + f'\\begin{{sfg}}[tf]\n{WRONG}\n\\end{{sfg}}\n' + self.BODY)
        self.assertIn('doc.tex:7:23: error: ', self.latex('-shell-escape', 'doc.tex', fails=True))
        self.assertIn('-shell-escape', self.latex('-no-shell-escape', 'doc.tex', fails=True))


def block(language):
    """What the guide shows in this language."""
    page = (TOOLS.parents[1] / 'docs/guide/builds.md').read_text(encoding='utf-8')
    return re.search(rf'^```{language}\n(.*?)^```$', page, re.M | re.S)[1]


class Make(Tool):
    def test_recipe(self):
        self.put('Makefile', block('make'))
        self.put('servo.dot', LOOP.replace('output="y";', 'output="y"; parameters="K=2, H=1";'))
        self.run_program()
        for name in ('servo.svg', 'servo.bode.svg'):
            self.assertIn('<svg', self.text(name))
        self.run_program('servo.tex')
        self.assertIn('\\frac', self.text('servo.tex'))
        self.assertIn('Nothing to be done', self.run_program())
        before = self.text('servo.svg')
        self.put('servo.dot', WRONG)
        os.utime(self.folder / 'servo.dot', (2e9, 2e9))
        self.assertIn('servo.dot:2:23: error: ', self.run_program(fails=True).replace(':26:', ':23:'))
        self.assertEqual(self.text('servo.svg'), before)
        self.run_program('-B', 'servo.tex', fails=True)
        self.assertFalse((self.folder / 'servo.tex.part').exists() and (self.folder / 'servo.tex').stat().st_size == 0)


class Cmake(Tool):
    def configured(self, lines, **more):
        self.put('CMakeLists.txt', 'cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES NONE)\n' + lines)
        return self.run_program('-G', 'Ninja', '-S', '.', '-B', 'build', **more)  # $SFG is the command

    def test_function(self):
        lines = block('cmake').replace('/usr/share/sfg/documents', str(TOOLS)).replace('TYPE pdf', 'TYPE eps')
        self.put('servo.dot', LOOP.replace('output="y";', 'output="y"; parameters="K=2, H=1";'))
        self.put('filter.cir', 'a link\nV1 in 0 AC 1\nR1 in out 1k\nC1 out 0 1u\n.end\n')
        self.configured(lines)
        self.run_program('--build', 'build')
        self.assertTrue(self.text('build/servo.eps').startswith('%!PS') and self.text('build/filter.eps').startswith('%!PS'))
        self.assertIn('<svg', self.text('build/bode/servo.svg'))
        self.assertIn('no work to do', self.run_program('--build', 'build'))
        self.put('servo.dot', WRONG)
        os.utime(self.folder / 'servo.dot', (2e9, 2e9))
        self.assertRegex(self.run_program('--build', 'build', fails=True), r'servo\.dot:2:\d+: error: ')

    def test_wrong(self):
        self.assertIn('no input is named', self.configured(f'include({TOOLS}/sfg_draw.cmake)\nsfg_draw(p)\n', fails=True))
        self.assertIn('two inputs', self.configured(f'include({TOOLS}/sfg_draw.cmake)\nsfg_draw(p a.dot a.cir)\n', fails=True))


class Git(Tool):
    def git(self, *words, **more):
        return self.run_program('-c', 'user.name=n', '-c', 'user.email=e@x', *words, **more)

    def test_hook(self):
        self.git('init', '-q')
        shutil.copy(TOOLS / 'pre-commit', self.folder / '.git/hooks/')
        self.put('notes.txt', 'x')
        self.put('a name.dot', LOOP)
        self.put('models/plant.toml', 'a = [')
        self.git('add', '-A')
        self.git('commit', '-q', '-m', 'one')  # a TOML file is no input unless it is said so
        self.put('bad.dot', WRONG)
        self.git('add', 'bad.dot')
        self.put('bad.dot', LOOP)  # it is the commit that counts
        self.assertRegex(self.git('commit', '-q', '-m', 'two', fails=True), r'bad\.dot:2:\d+: error: ')
        self.git('add', 'bad.dot')
        self.put('bad.dot', WRONG)
        self.git('commit', '-q', '-m', 'two')
        self.git('config', '--add', 'sfg.inputs', 'models/*.toml')
        self.put('models/plant.toml', 'b = [')
        self.git('add', 'models')
        self.assertIn('models/plant.toml:1:', self.git('commit', '-q', '-m', 'three', fails=True))


if __name__ == '__main__':
    if not shutil.which(PROGRAM):
        print(f'{PROGRAM} is not installed')
        sys.exit(77)
    unittest.main(verbosity=1)
