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


if __name__ == '__main__':
    if not shutil.which(PROGRAM):
        print(f'{PROGRAM} is not installed')
        sys.exit(77)
    unittest.main(verbosity=1)
