"""A running `sfg serve` or `sfg report --watch`, and requests to it as any program could send them: the standard library alone."""
import http.client, json, os, pathlib, re, select, signal, subprocess, time


class Served:
    """Ends with Ctrl-C, at the latest at the end of a `with`."""

    def __init__(self, sfg, *words, cwd=None):
        self.process = subprocess.Popen([os.path.abspath(sfg), *words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        os.set_blocking(self.process.stderr.fileno(), False)
        self.said = ''
        found = self.until(lambda: re.search(r'http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/', self.hear()), 'no address was printed')
        self.url, self.port, self.token = found[0], int(found[1]), found[2]

    def hear(self):
        while select.select([self.process.stderr], [], [], 0)[0]:
            text = os.read(self.process.stderr.fileno(), 65536)
            if not text: break
            self.said += text.decode()
        return self.said

    def until(self, condition, message, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if result := condition(): return result
            time.sleep(.02)
        raise AssertionError(f'{message}; said: {self.said!r}')

    def request(self, method='GET', path='/', body=None, headers=None, token=True, host=None, timeout=30):
        """Status, headers, body. `path` follows the token."""
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=timeout)
        connection.putrequest(method, ('/' + self.token if token else '') + path, skip_host=True, skip_accept_encoding=True)
        connection.putheader('Host', host or f'127.0.0.1:{self.port}')
        if body is not None and 'Content-Length' not in (headers or {}): connection.putheader('Content-Length', str(len(body)))
        for name, value in (headers or {}).items(): connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        answer = response.status, dict(response.getheaders()), response.read()
        connection.close()
        return answer

    def ask(self, kind, text, headers=None, **fields):
        body = json.dumps({'kind': kind, 'text': text, **fields}).encode()
        status, got, answer = self.request('POST', '/ask', body, {'Content-Type': 'application/json', **(headers or {})})
        return status, got, json.loads(answer) if got.get('Content-Type') == 'application/json' and 'Content-Disposition' not in got else answer

    def children(self):
        return [int(pid) for pid in pathlib.Path(f'/proc/{self.process.pid}/task/').glob('*/children') for pid in pid.read_text().split()]

    def end(self, signal_=signal.SIGINT):
        """The exit status after the signal."""
        self.process.send_signal(signal_)
        self.process.wait(60)
        self.hear()
        return self.process.returncode

    def __enter__(self): return self

    def __exit__(self, *failure):
        if self.process.poll() is None: self.process.send_signal(signal.SIGINT)
        try: self.process.wait(3)
        except subprocess.TimeoutExpired: self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()
