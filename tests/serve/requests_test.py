"""The server of the workbench as programs see it that mean no good: requests_test.py SFG"""
import ctypes, json, os, pathlib, signal, socket, subprocess, sys, tempfile, threading, unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from served import Served

SFG = sys.argv.pop(1)
LOOP = 'digraph { input="R"; output="C"; R -> e; e -> C [gain="G"]; C -> e [gain="-H"]; }'
WRONG = 'digraph {\n  input="R"; output="C";\n  R -> C [gain="2*(K"];\n}'
LANDLOCK = ctypes.CDLL(None).syscall(444, None, 0, 1) >= 1
JSON = {'Content-Type': 'application/json'}
# Complete: its closed form takes far longer than a test may last.
ENDLESS = 'digraph { u -> x0; x1 -> y; ' + ' '.join(f'x{i} -> x{j} [gain="a{i}_{j}"];' for i in range(11) for j in range(11) if i != j) + ' }'


# A folder of its own, so that servers of other tests at the same time leave nothing in it.
OWN = tempfile.TemporaryDirectory()
os.environ['TMPDIR'] = tempfile.tempdir = OWN.name


def folders():
    return {path.name for path in pathlib.Path(tempfile.gettempdir()).glob('sfg.*')}


class Questions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.before = folders()
        cls.served = Served(SFG, 'serve', '--time-limit', '5')

    @classmethod
    def tearDownClass(cls):
        status = cls.served.end()
        with cls.served: pass
        assert status == 130, status
        assert folders() <= cls.before, folders()

    def test_the_page_and_its_parts(self):
        for path, part in ('/', b'<textarea'), ('/workbench.js', b'use strict'), ('/workbench.css', b'#editor'), ('/beginning', b'vehicle.toml'):
            status, headers, body = self.served.request(path=path)
            self.assertEqual(status, 200)
            self.assertIn(part, body)
            self.assertEqual(headers['Cache-Control'], 'no-store')
            self.assertEqual(headers['X-Content-Type-Options'], 'nosniff')
            self.assertEqual(headers['Referrer-Policy'], 'no-referrer')
            self.assertIn("default-src 'none'", headers['Content-Security-Policy'])
            self.assertNotIn('Access-Control-Allow-Origin', headers)

    def test_a_transfer_function(self):
        status, _, answer = self.served.ask('answer', LOOP)
        self.assertEqual((status, answer['status'], answer['problems']), (200, 0, []))
        self.assertEqual(json.loads(answer['output'])['transfers'][0]['expression'], 'G/(1 + G*H)')

    def test_parameters_are_set(self):
        _, _, answer = self.served.ask('answer', LOOP, set=['H=1', 'G=4'])
        self.assertEqual(json.loads(answer['output'])['transfers'][0]['expression'], '4/5')

    def test_laws_become_slopes(self):
        law = 'digraph { input="R"; output="C"; R -> e; e -> C [gain="1/s"]; C -> e [nonlinear="-u-u^3"]; }'
        self.assertNotEqual(self.served.ask('answer', law)[2]['status'], 0)
        answer = self.served.ask('answer', law, linearize=True)[2]
        self.assertEqual(json.loads(answer['output'])['transfers'][0]['expression'], '1/(s + 1)')

    def test_an_error_has_its_place(self):
        _, _, answer = self.served.ask('check', WRONG, name='plant')
        self.assertEqual(answer['status'], 3)
        problem = answer['problems'][0]
        self.assertEqual((problem['severity'], problem['file'], problem['line']), ('error', 'plant.dot', 3))
        self.assertGreater(problem['column'], 10)

    def test_an_unknown_node_is_said(self):
        _, _, answer = self.served.ask('answer', LOOP, **{'from': ['X']})
        self.assertEqual(answer['status'], 2)
        self.assertIn("--from X: the graph has no node of that name", answer['problems'][0]['message'])

    def test_a_report_stands_at_an_address_of_its_own(self):
        _, _, answer = self.served.ask('report', LOOP, name='loop')
        self.assertEqual(answer['status'], 0)
        self.assertNotIn(self.served.token, answer['page'])
        status, headers, page = self.served.request(path=answer['page'], token=False)
        self.assertEqual(status, 200)
        self.assertIn(b'<section id="mason"', page)
        policy = headers['Content-Security-Policy']
        self.assertIn('sandbox allow-scripts;', policy)
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn('connect-src', policy)
        self.assertEqual(self.served.request(path=answer['page'][:-1] + 'x', token=False)[0], 404)

    def test_downloads(self):
        for kind, start in ('report.html', b'<!DOCTYPE html>'), ('graph.dot', b'digraph'), ('graph.json', b'{'), ('graph.toml', b''), \
                ('diagram.svg', b'<svg'), ('diagram.tex', b'% Signal-flow graph'), ('transfer.json', b'{'), ('mason.tex', b''), ('bode.csv', b''), ('step.svg', b'<svg'):
            with self.subTest(kind):
                status, headers, body = self.served.ask(kind, LOOP, name='loop', set=['G=1/(1+s)', 'H=2'])
                self.assertEqual(status, 200, body)
                self.assertEqual(headers['Content-Disposition'], f'attachment; filename="loop_{kind}"')
                body = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.assertTrue(body.strip().startswith(start), body[:80])
                self.assertGreater(len(body), 20)

    def test_measured_data_stand_beside_the_model(self):
        lag = 'digraph { input="R"; output="C"; R -> C [gain="1/(s+1)"]; }'
        swept, logged = 'w;C_db;C_deg\n1;-3,1;-44\n2;-7;-64\n', 't,C\n0,0\n1,0.6\n2,\n'
        for kind, data, group in ('bode.svg', swept, b'data-transfer="C/R"'), ('step.svg', logged, b'data-signal="C"'), ('bode.json', swept, b'"misfit"'):
            status, _, body = self.served.ask(kind, lag, data=data, decimal_comma=data == swept)
            self.assertEqual(status, 200, body)
            self.assertIn(group, body)
        answer = self.served.ask('report', lag, data=logged)[2]
        self.assertIn(b'class="data ', self.served.request(path=answer['page'], token=False)[2])
        problem = self.served.ask('report', lag, data=swept)[2]['problems'][0]
        self.assertEqual((problem['severity'], problem['file'], problem['line'], problem['column']), ('error', 'measured.csv', 2, 3))
        self.assertEqual(self.served.ask('answer', lag, data='no table')[2]['status'], 0)  # it has no place for them
        self.assertEqual(self.served.ask('bode.svg', lag, data=5)[0], 400)

    def test_a_download_that_is_none_says_why(self):
        status, headers, answer = self.served.ask('bode.csv', LOOP)
        self.assertEqual(status, 422)
        self.assertTrue(answer['problems'][0]['message'])

    def test_formats_are_told_by_the_text(self):
        models = {'toml': '[graph]\nbranches = [["R", "C", "K"]]\n', 'json': self.served.ask('graph.json', LOOP)[2], 'dot': LOOP,
                  'spice': 'divider\nV1 in 0 AC 1\nR1 in out 1k\nR2 out 0 1k\n.end\n'}
        if isinstance(models['json'], (bytes, dict)):
            models['json'] = models['json'].decode() if isinstance(models['json'], bytes) else json.dumps(models['json'])
        for format, text in models.items():
            with self.subTest(format):
                self.assertEqual(self.served.ask('check', text)[2]['format'], format)

    def test_every_example_has_no_errors(self):
        examples = json.loads(self.served.request(path='/beginning')[2])['examples']
        self.assertGreater(len(examples), 12)
        self.assertEqual({self.served.ask('check', e['text'])[2]['format'] for e in examples}, {'dot', 'sfg', 'toml', 'm', 'spice'})
        for example in examples:
            with self.subTest(example['file']):
                answer = self.served.ask('check', example['text'])[2]
                self.assertEqual(answer['status'], 0, answer['problems'])

    @unittest.skipUnless(LANDLOCK, 'the kernel has no Landlock')
    def test_files_of_the_user_are_out_of_reach(self):
        """Samples of an input may stand anywhere for the command; here what the file holds would come back in the message."""
        with tempfile.NamedTemporaryFile('w', suffix='.csv') as secret:
            secret.write('0,1\n1,word_of_honour\n')
            secret.flush()
            model = f'[graph]\nbranches = [["R", "C", "1/(1+s)"]]\n[simulation]\nuntil = 1\ninputs = {{ R = "@{secret.name}" }}\n'
            status, _, answer = self.served.ask('simulation.csv', model)
            self.assertEqual((status, answer['status']), (422, 3))
            self.assertNotIn('honour', str(answer))
            self.assertIn('is not in the folder of this file', str(answer))

    def test_only_what_the_table_lists_is_asked(self):
        for fields in ({'kind': 'tune'}, {'kind': 'answer', 'words': ['-o', '/tmp/x']}, {'kind': 'answer', 'output': '/tmp/x'}, {'kind': 'answer', 'from': 'R'},
                       {'kind': 'answer', 'set': [['K=1']]}, {'kind': 'answer', 'format': 'exe'}, {'kind': 'answer', 'title': 'a\nb'}, {'kind': 'answer', 'title': 'x' * 501}, {}):
            with self.subTest(fields):
                body = json.dumps({'text': LOOP, **fields}).encode()
                self.assertEqual(self.served.request('POST', '/ask', body, JSON)[0], 400)
        for body in b'', b'[]', b'nothing', b'{"kind": "answer", "text": 5}', b'[' * 100000:
            with self.subTest(body[:30]):
                self.assertEqual(self.served.request('POST', '/ask', body, JSON)[0], 400)

    def test_a_value_is_no_option(self):
        """Each stands in one word with its own option: nothing is written, whatever it says."""
        with tempfile.TemporaryDirectory() as folder:
            target = folder + '/written'
            for field, value in ('from', ['-o' + target]), ('to', ['--output=' + target]), ('set', ['--output=' + target]), ('ratio', '-o=' + target), ('sections', '--output=' + target):
                status, _, answer = self.served.ask('report', LOOP, **{field: value})
                self.assertEqual(status, 200)
                self.assertNotEqual(answer['status'], 0)
            self.served.ask('report', LOOP, title='--output=' + target)
            self.served.ask('answer', LOOP, name='../../' + target)
            self.assertEqual(os.listdir(folder), [])

    def test_others_are_refused(self):
        ours = f'127.0.0.1:{self.served.port}'
        for host in 'evil.example', f'evil.example:{self.served.port}', '127.0.0.1', '127.0.0.1:1', f'127.0.0.1.evil.example:{self.served.port}', f'{ours}@evil.example':
            self.assertEqual(self.served.request(host=host)[0], 403, host)
        self.assertEqual(self.served.request(host=f'localhost:{self.served.port}')[0], 200)
        for origin in 'null', 'http://evil.example', 'http://127.0.0.1', 'https://' + ours, f'http://{ours}.evil.example', 'http://localhost:1':
            self.assertEqual(self.served.request(headers={'Origin': origin})[0], 403, origin)
            self.assertEqual(self.served.ask('answer', LOOP, headers={'Origin': origin})[0], 403, origin)
        self.assertEqual(self.served.ask('answer', LOOP, headers={'Origin': 'http://' + ours})[0], 200)
        for site, status in ('cross-site', 403), ('same-site', 403), ('none', 200), ('same-origin', 200):
            self.assertEqual(self.served.request(headers={'Sec-Fetch-Site': site})[0], status, site)

    def test_without_the_token_there_is_nothing(self):
        token = self.served.token
        other = ('0' if token[0] != '0' else '1') + token[1:]
        for path in '/', '/ask', '/beginning', '/' + token[:-1] + '/', '/' + other + '/', '/' + token, '/' + token.upper() + '/x', '/favicon.ico', '/pages/':
            self.assertEqual(self.served.request(path=path, token=False)[0], 404, path)

    def test_path_tricks(self):
        for path in '/../', '/../../etc/passwd', '/%2e%2e/', '/..%2f..%2fetc/passwd', '/workbench.js%00', '//etc/passwd', '/./', '/\\..\\', '/workbench.js?x', '/' + 'a' * 5000, '/workbench.js/..':
            self.assertEqual(self.served.request(path=path)[0], 404, path)
        self.assertIn(self.served.request(path='/' + 'a' * 20000)[0], (404, 414))

    def test_methods(self):
        for method in 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE':
            status, headers, _ = self.served.request(method, headers={'Content-Length': '0'})
            self.assertIn(status, (400, 405), method)
            self.assertNotIn('Access-Control-Allow-Origin', headers)
        self.assertIn(self.served.request('PUT', '/ask', b'{}', JSON)[0], (400, 405))
        self.assertEqual(self.served.request('HEAD')[0], 200)
        self.assertEqual(self.served.request('POST', '/workbench.js', b'{}', JSON)[0], 404)
        self.assertEqual(self.served.request('GET', '/ask')[0], 404)

    def test_types_and_sizes(self):
        body = json.dumps({'kind': 'answer', 'text': LOOP}).encode()
        for type_ in 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '':
            self.assertEqual(self.served.request('POST', '/ask', body, {'Content-Type': type_})[0], 415, type_)
        self.assertEqual(self.served.request('POST', '/ask', body, {**JSON, 'Content-Encoding': 'gzip'})[0], 415)
        self.assertEqual(self.served.request('POST', '/ask', body, {**JSON, 'Transfer-Encoding': 'chunked', 'Content-Length': '0'})[0], 411)
        self.assertEqual(self.served.request('POST', '/ask', b' ' * ((1 << 20) + 1), JSON)[0], 413)
        self.assertEqual(self.served.request('POST', '/ask', b'', {**JSON, 'Content-Length': str(1 << 40)})[0], 413)
        self.assertEqual(self.served.request(headers={'Range': 'bytes=0-1'})[0], 416)

    def test_a_later_question_ends_the_one_before(self):
        results = []
        first = threading.Thread(target=lambda: results.append(self.served.ask('answer', ENDLESS, page='a')[2]))
        first.start()
        self.served.until(self.served.children, 'no child is seen')
        _, _, answer = self.served.ask('answer', LOOP, page='a')
        first.join(60)
        self.assertEqual(answer['status'], 0)
        self.assertTrue(results[0]['stopped'])

    def test_two_pages_ask_at_once(self):
        answers = {}
        def ask(page): answers[page] = self.served.ask('answer', LOOP, page=page)[2]['status']
        threads = [threading.Thread(target=ask, args=[str(i)]) for i in range(6)]
        for thread in threads: thread.start()
        for thread in threads: thread.join(120)
        self.assertEqual(answers, {str(i): 0 for i in range(6)})


class Limits(unittest.TestCase):
    def test_what_takes_for_ever_is_ended(self):
        before = folders()
        with Served(SFG, 'serve', '--time-limit', '1', '--memory-limit', '300') as served:
            _, _, answer = served.ask('answer', ENDLESS)
            self.assertEqual(answer['status'], 4, answer)
            self.assertTrue(any('limit' in problem['message'] for problem in answer['problems']), answer)
            self.assertEqual(served.children(), [])
            self.assertEqual(served.ask('answer', LOOP)[2]['status'], 0)
            self.assertEqual(served.end(signal.SIGTERM), 143)
        self.assertLessEqual(folders(), before)

    def test_the_end_takes_the_children_along(self):
        before = folders()
        with Served(SFG, 'serve') as served:
            thread = threading.Thread(target=lambda: self.ask_and_lose(served))
            thread.start()
            pids = served.until(served.children, 'no child is seen')
            slow = socket.create_connection(('127.0.0.1', served.port))
            slow.sendall(b'GET / HT')
            status = served.end()
            slow.close()
            thread.join(60)
            self.assertEqual(status, 130)
            for pid in pids: self.assertFalse(pathlib.Path(f'/proc/{pid}').exists())
        self.assertLessEqual(folders(), before)

    @staticmethod
    def ask_and_lose(served):
        try: served.ask('answer', ENDLESS)
        except OSError: pass
        except Exception as error:
            if type(error).__module__ != 'http.client': raise

    def test_slow_clients_do_not_hold_the_others(self):
        with Served(SFG, 'serve') as served:
            slow = [socket.create_connection(('127.0.0.1', served.port)) for _ in range(20)]
            for connection in slow: connection.sendall(b'POST /x HTTP/1.1\r\nHo')
            self.assertEqual(served.request()[0], 200)
            for connection in slow: connection.close()

    def test_a_request_is_whole_after_a_while_or_is_closed(self):
        """Sixty that send a line now and then keep nobody from a page, and lose their connection."""
        with Served(SFG, 'serve') as served:
            slow = [socket.create_connection(('127.0.0.1', served.port)) for _ in range(60)]
            for connection in slow: connection.sendall(f'GET /{served.token}/ HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n'.encode())
            self.assertEqual(served.request()[0], 200)
            self.assertEqual(served.ask('answer', LOOP)[2]['status'], 0)
            ended = 0
            for connection in slow:
                connection.settimeout(60)
                with connection:
                    while part := connection.recv(4096): ended += b' 408 ' in part
            self.assertEqual(ended, 60)

    def test_more_than_can_be_waited_for_are_told_so(self):
        with Served(SFG, 'serve') as served:
            held = []
            for _ in range(128):
                held.append(socket.create_connection(('127.0.0.1', served.port)))
                held[-1].sendall(b'GET / HTTP/1.1\r\n')
            with socket.create_connection(('127.0.0.1', served.port), timeout=60) as one: self.assertIn(b' 503 ', one.recv(4096))
            for connection in held: connection.close()
            served.until(lambda: served.request()[0] == 200, 'no page when all have gone')

    def test_heads_are_bounded(self):
        with Served(SFG, 'serve') as served:
            many = {f'X-{k}': 'a' for k in range(63)}
            self.assertEqual(served.request(headers=many)[0], 200)
            self.assertEqual(served.request(headers={**many, 'X-63': 'a'})[0], 431)
            self.assertEqual(served.request(headers={'X-0': 'a' * 15000})[0], 200)
            self.assertEqual(served.request(headers={'X-0': 'a' * 17000})[0], 431)
            self.assertEqual(served.request(headers={'Range': 'bytes=' + '1-1,' * 3000})[0], 416)
            for head in b'\x16\x03\x01', b'GET', b'GET /', b'GET / HTTP/2.0', b'GET  / HTTP/1.1', b'GET / HTTP/1.1\r\n: a', b'GET / HTTP/1.1\r\nA', b'GET / HTTP/1.1\r\nA : b', b'GET / HTTP/1.1\r\n a: b', b'\r\n':
                with self.subTest(head), socket.create_connection(('127.0.0.1', served.port), timeout=60) as one:
                    one.sendall(head + b'\r\n\r\n')
                    self.assertIn(b' 400 ', one.recv(4096))
            before = int(pathlib.Path(f'/proc/{served.process.pid}/statm').read_text().split()[1])
            with socket.create_connection(('127.0.0.1', served.port), timeout=60) as one:
                try:
                    one.sendall(b'GET / HTTP/1.1\r\n')
                    for k in range(10000): one.sendall(b'X-%08d: %s\r\n' % (k, b'a' * 4000))
                except OSError: pass
            self.assertLess(int(pathlib.Path(f'/proc/{served.process.pid}/statm').read_text().split()[1]) - before, 4000)  # pages

    def test_the_format_of_any_text_is_told(self):
        """Nothing is descended once a character: the server lives, whatever the text begins with."""
        with Served(SFG, 'serve', '--time-limit', '5') as served:
            for start, piece in ('', 'a'), ('', ' '), ('[', 'a'), ('', '1'), ('R', 'a'), ('digraph', ' '), ('', 'a='), ('R1 ', 'a '), ('', 'syms'), ('.', 'e'), ('', '\n'), ('', 'K = '), ('strict ', '\t'), ('', '[['), ('{', '['):
                with self.subTest(start + piece): self.assertEqual(served.ask('check', start + piece * (65536 // len(piece)))[0], 200)
            self.assertEqual(served.ask('check', '1' * 1000000)[0], 200)

    def test_a_port_that_is_taken(self):
        with socket.socket() as taken:
            taken.bind(('127.0.0.1', 0))
            taken.listen()
            port = taken.getsockname()[1]
            run = subprocess.run([SFG, 'serve', '--tcp-port', str(port)], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 3)
        self.assertIn(f'port {port} of 127.0.0.1 cannot be used', run.stderr)
        self.assertIn('choose another --tcp-port', run.stderr)

    def test_nobody_else_is_listened_to(self):
        with Served(SFG, 'serve') as served:
            local = [line.split()[1] for line in pathlib.Path('/proc/net/tcp').read_text().splitlines()[1:] if line.split()[3] == '0A']
            self.assertIn(f'0100007F:{served.port:04X}', local)
            self.assertNotIn(f'00000000:{served.port:04X}', local)


if __name__ == '__main__': unittest.main(verbosity=1)
