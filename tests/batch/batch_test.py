"""Many questions in one call: batch_test.py SFG"""
import json, os, pathlib, random, signal, subprocess, sys, tempfile, time, unittest

SFG = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
# Complete: its closed form takes far longer than a test may last.
ENDLESS = 'digraph { u -> x0; x1 -> y; ' + ' '.join(f'x{i} -> x{j} [gain="a{i}_{j}"];' for i in range(11) for j in range(11) if i != j) + ' }'
OWN = ('file', 'id', 'status', 'messages')


def run(*words, given='', folder=None, **more):
    return subprocess.run([SFG, *words], input=given, capture_output=True, encoding='utf-8', cwd=folder, timeout=250, **more)


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def random_graph(seed):
    """A forward path with branches over and back, gains of numbers and names."""
    dice = random.Random(seed)
    n = dice.randint(3, 8)
    gains = ['3', '-2', '1/s', 'K', 'a/(s+b)', '0.1', 'K*s', '-1/T']
    branches = [(i, i + 1) for i in range(n)] + [tuple(dice.sample(range(1, n), 2)) for _ in range(dice.randint(0, n - 1)) if n > 2]
    return 'digraph { input="x0"; output="x%d"; %s }' % (n, ' '.join(f'x{i} -> x{j} [gain="{dice.choice(gains)}"];' for i, j in branches))


def wrong_graph(seed):
    return ['digraph { a -> b [gain="2*(K"]; }', 'digraph { a -> ', 'digraph { input="a"; output="b"; a -> b; b -> b [gain="1"]; }',
            'no graph', '', 'digraph { a -> b [gian="2"]; }'][seed % 6]


class Batch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.home.name)
        cls.files, cls.wrong = [], set()
        for i in range(1200):
            name = f'g{i}.dot'
            if i % 17 == 5:
                cls.wrong.add(name)
            (cls.folder / name).write_text(wrong_graph(i) if name in cls.wrong else random_graph(i))
            cls.files.append(name)
        cls.files[600:600] = ['is not there.dot', '.', '*.dot']
        cls.wrong |= {'is not there.dot', '.', '*.dot'}
        cls.of_two = run('batch', '--threads', '2', *cls.files, folder=cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    def test_every_question_has_its_line_in_its_order(self):
        answers = lines(self.of_two.stdout)
        self.assertEqual([answer['file'] for answer in answers], self.files)
        for answer in answers:
            self.assertEqual('error' in answer, answer['file'] in self.wrong, answer)
            self.assertEqual(answer['status'] != 0, answer['file'] in self.wrong, answer)
        self.assertEqual(self.of_two.returncode, 3)
        self.assertIn(f'{len(self.wrong)} of {len(self.files)} questions have a status other than 0', self.of_two.stderr)

    def test_the_number_of_processes_changes_no_byte(self):
        for threads in '1', '4':
            self.assertEqual(run('batch', '--threads', threads, *self.files, folder=self.folder).stdout, self.of_two.stdout)

    def test_a_pipe_is_asked_as_the_command_line_is(self):
        given = '\n'.join(self.files) + '\n'
        self.assertEqual(run('batch', '-', given=given, folder=self.folder).stdout, self.of_two.stdout)
        self.assertEqual(run('batch', given=given[:-1].replace('\n', '\r\n\n'), folder=self.folder).stdout, self.of_two.stdout)

    def test_a_line_is_what_the_verb_alone_answers(self):
        for verb, options in (('tf', []), ('mason', []), ('poles', ['--set', 'K=2', '--set', 'a=1', '--set', 'b=3', '--set', 'T=1/2']),
                              ('step', ['--set', 'K=2', '--set', 'a=1', '--set', 'b=3', '--set', 'T=7', '--until', '1', '--points', '3'])):
            files = self.files[1:20]
            for file, line in zip(files, lines(run('batch', '--verb', verb, *options, *files, folder=self.folder).stdout)):
                alone = run(verb, file, *options, '--json', folder=self.folder)
                self.assertEqual(line['status'], alone.returncode)
                self.assertEqual({name: line[name] for name in line if name not in OWN}, json.loads(alone.stdout))
                self.assertEqual('messages' in line, 'warning:' in alone.stderr, alone.stderr)

    def test_a_line_may_bring_its_text_and_its_verb(self):
        given = [{'text': 'digraph { a -> b [gain="K/(s+1)"]; }', 'format': 'dot', 'id': 7},
                 {'verb': 'poles', 'file': 'g0.dot', 'args': ['--set', 'K=1', '--set', 'a=1', '--set', 'b=1', '--set', 'T=1'], 'id': 'β'},
                 {'verb': 'mason', 'text': 'digraph { a -> ', 'format': 'dot', 'id': 'half'}]
        answers = lines(run('batch', '--set', 'K=5', given='\n'.join(json.dumps(question) for question in given), folder=self.folder).stdout)
        self.assertEqual((answers[0]['id'], answers[0]['transfers'][0]['expression']), (7, '5/(s + 1)'))
        self.assertEqual((answers[1]['id'], answers[1]['file'], answers[1]['schema']), ('β', 'g0.dot', 'sfg/poles/1'))
        self.assertEqual((answers[2]['id'], answers[2]['status'], answers[2]['error']['file']), ('half', 3, 'half'))

    def test_wrong_lines_are_told_by_their_place(self):
        given = ['{"file": "g0.dot"', '{"fiel": "g0.dot"}', '{}', '[1]', '{"file": "g0.dot", "text": ""}', '{"file": "-"}', '{"file": 1}',
                 '{"file": "g0.dot", "args": "--to"}', '{"file": "g0.dot", "verb": "tg"}', '{"file": "g0.dot", "verb": "serve"}',
                 '{"file": "g0.dot", "verb": "batch"}', '{"text": "digraph {a -> b}"}', '{"file": "g0.dot", "args": ["--wrong"]}', '{"file": "g0.dot", "id": []}',
                 '{"text": "digraph {a -> b}", "format": "dots"}', '{"file": "g0.dot", "args": ["g1.dot"]}']
        answers = lines(run('batch', given='\n'.join(given), folder=self.folder).stdout)
        self.assertEqual(len(answers), len(given))
        for asked, answer in zip(given, answers):
            self.assertIn(answer['status'], (2, 3), f'{asked} {answer}')
            self.assertTrue(answer['error']['message'] and answer['error']['hint'], answer)
        self.assertEqual((answers[0]['error']['file'], answers[0]['error']['line']), ('-', 1))

    def test_a_question_that_takes_too_long_ends_alone(self):
        given = '\n'.join(json.dumps({'text': text, 'format': 'dot', 'id': i})
                          for i, text in enumerate(['digraph { a -> b }', ENDLESS, 'digraph { a -> b }'] * 2))
        result = run('batch', '--threads', '2', '--time-limit', '1', '--max-terms', '100000000', given=given)
        self.assertEqual([answer['status'] for answer in lines(result.stdout)], [0, 4, 0] * 2)
        self.assertEqual(result.returncode, 4)
        self.assertEqual(lines(result.stdout)[1]['error']['kind'], 'limit')

    def test_memory_is_limited_question_by_question(self):
        given = '\n'.join(json.dumps({'text': text, 'format': 'dot', 'id': i}) for i, text in enumerate([ENDLESS, 'digraph { a -> b }']))
        result = run('batch', '--threads', '1', '--memory-limit', '40', '--time-limit', '60', '--max-terms', '1000000000', given=given)
        self.assertEqual([answer['status'] for answer in lines(result.stdout)], [4, 0], result.stdout)

    def test_a_worker_that_is_killed_costs_its_question_alone(self):
        with subprocess.Popen([SFG, 'batch', '--threads', '1', '--time-limit', '60', '--max-terms', '1000000000'], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding='utf-8') as process:
            process.stdin.write(json.dumps({'text': ENDLESS, 'format': 'dot'}) + '\n{"text": "digraph { a -> b }", "format": "dot"}\n')
            process.stdin.close()
            worker = wait_for(lambda: children(process.pid))[0]
            time.sleep(0.2)
            os.kill(worker, signal.SIGSEGV)
            answers = lines(process.stdout.read())
        self.assertEqual([answer['status'] for answer in answers], [70, 0])

    def test_an_answer_comes_before_the_next_question(self):
        with subprocess.Popen([SFG, 'batch'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding='utf-8') as process:
            for i in range(3):
                process.stdin.write(json.dumps({'text': 'digraph { a -> b }', 'format': 'dot', 'id': i}) + '\n')
                process.stdin.flush()
                self.assertEqual(json.loads(process.stdout.readline())['id'], i)
            process.stdin.close()
            self.assertEqual(process.wait(), 0)

    def test_an_interrupt_ends_all(self):
        with subprocess.Popen([SFG, 'batch', '--threads', '2', '--max-terms', '1000000000'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding='utf-8') as process:
            process.stdin.write((json.dumps({'text': ENDLESS, 'format': 'dot'}) + '\n') * 4)
            process.stdin.flush()
            workers = wait_for(lambda: children(process.pid) if len(children(process.pid)) == 2 else [])
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(60), 130)
            self.assertFalse(any(is_running(worker) for worker in workers))

    def test_a_reader_that_goes_away_ends_it_silently(self):
        process = subprocess.run(['bash', '-c', f'"{SFG}" batch --threads 2 g*.dot | head -1; echo ${{PIPESTATUS[0]}}'], cwd=self.folder, capture_output=True,
                                 encoding='utf-8', timeout=60)
        self.assertEqual((process.stdout.splitlines()[-1], process.stderr), ('141', ''))

    def test_a_file_appears_as_a_whole(self):
        result = run('batch', '-o', 'answers.jsonl', '--quiet', *self.files, folder=self.folder)
        self.assertEqual((result.stdout, (self.folder / 'answers.jsonl').read_text()), ('', self.of_two.stdout))
        self.assertEqual([], [path.name for path in self.folder.iterdir() if path.name.startswith('answers.jsonl.')])

    def test_verbs_without_json_answer_by_text_or_file(self):
        answer, = lines(run('batch', '--verb', 'draw', 'g0.dot', folder=self.folder).stdout)
        self.assertEqual((answer['schema'], answer['verb'], answer['status']), ('sfg/batch/1', 'draw', 0))
        self.assertEqual(answer['text'], run('draw', 'g0.dot', folder=self.folder).stdout)
        answer, = lines(run('batch', given='{"verb": "draw", "file": "g0.dot", "args": ["-o", "g0.svg"]}', folder=self.folder).stdout)
        self.assertEqual(answer['written'], 'g0.svg')
        self.assertIn('</svg>', (self.folder / 'g0.svg').read_text())

    def test_wrong_options_are_wrong_once(self):
        for words in (['--verb', 'tff', 'g0.dot'], ['--verb', 'serve', 'g0.dot'], ['--frm', 'mason', 'g0.dot'], ['--form', 'wrong', 'g0.dot'],
                      ['-', 'g0.dot'], ['--notation', 'latex', 'g0.dot'], ['--points', '7', 'g0.dot']):
            result = run('batch', *words, folder=self.folder)
            self.assertEqual((result.returncode, result.stdout), (2, ''), words)

    def test_a_thousand_graphs_of_the_corpus_take_less_than_two_seconds(self):
        corpus = sorted(str(path) for path in (ROOT / 'graphs').rglob('*.dot'))
        thousand = (corpus * (1000 // len(corpus) + 1))[:1000]
        usage = os.times()
        self.assertEqual(len(run('batch', '--threads', '2', *thousand).stdout.splitlines()), 1000)
        spent = os.times()
        self.assertLess(spent.children_user + spent.children_system - usage.children_user - usage.children_system, 4, 'of two processors')


def children(process):
    return [int(pid) for pid in pathlib.Path(f'/proc/{process}/task/{process}/children').read_text().split()]


def is_running(process):
    try:
        return pathlib.Path(f'/proc/{process}/stat').read_text().split(')')[1].split()[0] != 'Z'
    except FileNotFoundError:
        return False


def wait_for(found):
    for _ in range(200):
        if result := found():
            return result
        time.sleep(0.02)
    raise TimeoutError


unittest.main()
