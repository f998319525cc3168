#!/usr/bin/env python3
"""Lets memory, disks and descriptors fail under the command, and looks at what it leaves behind.
usage: failures.py SFG INJECTED.so [--all] [--write PAGE]    exit status: 1 where a promise does not hold
The promises: a documented status, a message where it is not 0, no half file and none left over, the old file whole unless all
is well, and an answer that is given is the right one. SFG_TEST_MULTIPLIER=N tries N times as many; --all every call up to 2000."""
import argparse, collections, os, pathlib, random, resource, shutil, signal, struct, subprocess, sys, tempfile, time

root = pathlib.Path(__file__).resolve().parents[2]
kinds = ["allocation", "open", "read", "write", "fsync", "rename", "close", "mmap", "large allocation"]
models = ["examples/servo.dot", "examples/two_masses.toml", "examples/sallen_key.cir", "examples/vehicle.toml", "examples/vehicle.m",
          "graphs/mason/mason56-fig6a.dot", "graphs/control/dorf-multiloop.dot", "examples/heat_exchanger.dot", "examples/digital_servo.dot",
          "examples/quarter_car.toml", "examples/servo_blocks.tf", "examples/two_mass.graphml", "examples/duffing.dot",
          "examples/saturating_servo.dot", "examples/double_pendulum.toml", "examples/four_bar.toml", "examples/dc_motor.toml",
          "examples/coupled_masses.toml", "examples/servo_tolerances.toml", "examples/state_variable_filter.cir"]
verbs = [["tf", "--json"], ["poles", "--json"], ["check"], ["bode", "--freq", "0.1:10:20", "-o", "answer.json"], ["graph", "-o", "answer.dot"],
         ["step", "--points", "20", "-o", "answer.csv"], ["mason", "--json"], ["derive", "--json"], ["routh", "--json"],
         ["margins", "--json"], ["reduce", "--json"], ["report", "-o", "answer.html"], ["draw", "-o", "answer.svg"],
         ["export", "--target", "c", "-o", "answer.c"], ["sens", "--json"], ["sens", "--monte-carlo", "300", "--measure", "dc", "--tolerance", "5%", "-o", "answer.json"],
         ["certificate"], ["simulate", "--until", "0.2", "-o", "answer.csv"], ["compare", "MODEL", "--json"], ["nyquist", "-o", "answer.svg"]]
#: Of models of their own: measured data, block diagrams, mechanisms with dry friction and with inputs in constraints, subcircuits.
of_their_own = [
    ("examples/bench_motor.dot", ["fit", "--data", "examples/bench_motor.csv", "--vary", "K", "--vary", "T", "-o", "answer.dot"]),
    ("examples/bench_motor.dot", ["fit", "--data", "examples/bench_motor.csv", "--vary", "K=10:20", "--vary", "T", "--json"]),
    ("examples/servo.dot", ["bode", "--data", "examples/servo_sweep.csv", "--decimal-comma", "-o", "answer.svg"]),
    ("examples/servo.dot", ["identifiable", "--json"]),
    ("examples/tee.cir", ["ports", "--port", "1", "--port", "2", "--as", "s", "--data", "examples/tee.s2p", "--json"]),
    ("examples/ua741_blocks.cir", ["tf", "--form", "blocks", "--json"]),
    ("examples/gain_stage.cir", ["noise", "--to", "v(2)", "--freq", "10,1e5", "--budget", "--json"]),
    ("examples/servo.dot", ["tf", "--to", "theta", "--to", "err", "--form", "table", "--json"]),
    ("examples/masked_servo.mdl", ["tf", "--json"]),
    ("examples/tank_level.xcos", ["graph", "-o", "answer.toml"]),
    ("examples/typed_servo.sfg", ["draw", "--as", "blocks", "-o", "answer.svg"]),
    ("examples/servo.dot", ["simulate", "--input", "ref=t*exp(-t)", "--until", "2", "--points", "20", "-o", "answer.csv"]),
    ("examples/friction_block.dot", ["simulate", "--input", "F=t", "--until", "3", "-o", "answer.csv"]),
    ("examples/rssr.toml", ["simulate", "--points", "5", "-o", "answer.json"]),
    ("tests/cli/weave/page.md", ["weave", "--check", "--threads", "1"]),
]
documented = {0, 1, 2, 3, 4}
old = b"what was there before\n"
found = []


def complain(case, message):
    found.append(f"{case}: {message}")
    print("FAILED", found[-1], flush=True)


class Server:
    """A program whose main() waits for orders: (kind, number) -> status, whether so many calls were made."""

    def __init__(self, sfg, library, words, folder):
        orders, self.orders = os.pipe()
        self.reports, reports = os.pipe()
        environment = os.environ | {"LD_PRELOAD": str(library), "SFG_INJECT_ORDERS": str(orders), "SFG_INJECT_REPORTS": str(reports)}
        self.process = subprocess.Popen([sfg, *words], cwd=folder, env=environment, pass_fds=(orders, reports), stdin=subprocess.DEVNULL)
        os.close(orders)
        os.close(reports)

    def run(self, kind, number):
        os.write(self.orders, struct.pack("iiq", kind, 0, number))
        status, reached = struct.unpack("ii", os.read(self.reports, 8))
        return os.waitstatus_to_exitcode(status), reached != 0

    def end(self):
        os.close(self.orders)
        self.process.wait()
        os.close(self.reports)


def output_of(words):
    return words[words.index("-o") + 1] if "-o" in words else None


class Case:
    def __init__(self, sfg, library, model, verb, folder):
        self.folder, self.name = folder, f"sfg {verb[0]} {model} {' '.join(verb[1:])}"
        path = str(root / model)
        self.output = output_of(verb)
        named = {"MODEL": path} | {word: str(root / word) for word in verb if word.startswith("examples/")}
        words = [verb[0], path, *(named.get(word, word) for word in verb[1:]), "--time-limit", "10"]
        self.server = Server(sfg, library, words, folder)
        self.right = self.status = None
        self.status, _, self.right = self.once(0, 0)

    def once(self, kind, number):
        if self.output:
            (self.folder / self.output).write_bytes(old)
        status, reached = self.server.run(kind, number)
        return status, reached, (self.folder / (self.output or "stdout")).read_bytes()

    def examine(self, kind, number):
        """@returns whether so many calls were made"""
        status, reached, answer = self.once(kinds.index(kind) + 1, number)
        if status == 0 and answer != self.right:  # on a busy machine the clock may have left something out
            status, reached, answer = self.once(kinds.index(kind) + 1, number)
        case = f"{self.name}, {kind} {number}"
        if not reached:
            return False
        said = (self.folder / "stderr").read_bytes()
        if status not in documented:
            complain(case, f"status {status}: {said[-300:].decode(errors='replace')}")
        elif status != 0 and self.status == 0 and not said.strip() and kind != "write":
            complain(case, f"status {status} without a message")
        if self.output and answer != (self.right if status == 0 else old):
            complain(case, f"status {status}, and {self.output} is neither whole nor the old one")
        if not self.output and status == 0 and answer != self.right:
            complain(case, "another answer than without the failure")
        known = {"stdout", "stderr", self.output}
        for left in set(os.listdir(self.folder)) - known:
            complain(case, f"{left} is left over")
            os.unlink(self.folder / left)
        return True


def inject(sfg, library, asked, multiplier, tried):
    generator = random.Random(int(os.environ.get("SFG_TEST_SEED", "1")))
    pairs = [(model, verb) for model in models for verb in verbs]
    if not asked.all:
        pairs = generator.sample(pairs, min(len(pairs), 8 * multiplier)) + generator.sample(of_their_own, min(len(of_their_own), 4 * multiplier))
    else:
        pairs += of_their_own
    for model, verb in pairs:
        with tempfile.TemporaryDirectory() as name:
            case = Case(sfg, library, model, verb, pathlib.Path(name))
            if case.status == 4:
                pass  # too large for these seconds: another run would end elsewhere
            elif case.status in documented:
                for kind in kinds:
                    for number in numbers(case, kind, asked.all, multiplier, generator):
                        if not case.examine(kind, number):
                            break
                        tried[kind] += 1
            else:
                complain(case.name, f"status {case.status} without any failure")
            case.server.end()


def numbers(case, kind, everything, multiplier, generator):
    """From 1 on, and then random ones beyond, ascending: the first that is not reached ends."""
    if kind != "allocation":
        return range(1, 200 if everything else 6 * multiplier)
    if everything:
        return list(range(1, 2001)) + sorted(int(2000 * 1.5 ** generator.uniform(0, 15)) for _ in range(100))
    return sorted({int(3 ** generator.uniform(0, 11)) for _ in range(10 * multiplier)})


def ends_whole(path, right):
    return path.read_bytes() in (old, right)


def kill_and_race(sfg, multiplier, tried):
    """kill -9 at random times, two writers of one file."""
    generator = random.Random(7)
    with tempfile.TemporaryDirectory() as name:
        folder, output = pathlib.Path(name), pathlib.Path(name) / "answer.html"
        words = [sfg, "report", str(root / "examples/servo.dot"), "-o", str(output)]
        start = time.time()
        subprocess.run(words, check=True, stderr=subprocess.DEVNULL)
        usual, right = time.time() - start, output.read_bytes()
        for _ in range(20 * multiplier):
            output.write_bytes(old)
            process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
            time.sleep(generator.uniform(0, 1.2 * usual))
            process.kill()
            process.wait()
            tried["kill -9"] += 1
            if not ends_whole(output, right):
                complain("kill -9", "a half file")
            for left in set(os.listdir(folder)) - {output.name}:
                if not left.startswith(".sfg."):
                    complain("kill -9", f"{left} is left over")
                os.unlink(folder / left)
        other = [sfg, "report", str(root / "examples/two_masses.toml"), "-o", str(output)]
        subprocess.run(other, check=True, stderr=subprocess.DEVNULL)
        rights = {right, output.read_bytes()}
        for _ in range(4 * multiplier):
            writers = [subprocess.Popen(w, stderr=subprocess.DEVNULL) for w in (words, other, words)]
            for writer in writers:
                if writer.wait() != 0:
                    complain("two writers", f"status {writer.returncode}")
            tried["writers of one file"] += 1
            if output.read_bytes() not in rights or os.listdir(folder) != [output.name]:
                complain("two writers", "a mixed file, or one left over")


def full_disk_and_closed_streams(sfg, tried):
    model = str(root / "examples/servo.dot")
    with tempfile.TemporaryDirectory() as name:
        output = pathlib.Path(name) / "answer.html"
        for limit in (0, 1, 100, 4096):
            output.write_bytes(old)

            def small():
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            run = subprocess.run([sfg, "report", model, "-o", str(output)], preexec_fn=small, capture_output=True)
            tried["full disk"] += 1
            if run.returncode != 3 or b"error" not in run.stderr or output.read_bytes() != old or os.listdir(name) != [output.name]:
                complain(f"files of {limit} bytes", f"status {run.returncode}: {run.stderr.decode(errors='replace')[-200:]}")
        for verb in ("tf", "check", "poles"):
            with open("/dev/full", "wb") as full:
                run = subprocess.run([sfg, verb, model], stdout=full, stderr=subprocess.PIPE)
            tried["full disk"] += 1
            if run.returncode != 3 or b"error" not in run.stderr:
                complain(f"sfg {verb} > /dev/full", f"status {run.returncode}: {run.stderr}")
        output = pathlib.Path(name) / "answer.dot"
        for closed in ([0], [1], [2], [0, 1], [1, 2], [0, 1, 2]):
            output.write_bytes(old)
            shell = f"exec {' '.join(f'{n}>&-' if n else '0<&-' for n in closed)}; exec '{sfg}' graph '{model}' -o '{output}'"
            run = subprocess.run(["bash", "-c", shell])
            tried["closed streams"] += 1
            if run.returncode != 0 or output.read_bytes() == old:
                complain(f"descriptors {closed} closed", f"status {run.returncode}")


def write(page, tried):
    text = pathlib.Path(page).read_text()
    head, rest = text.split("<!-- failures -->\n", 1)
    tail = rest.split("<!-- end of failures -->\n", 1)[1]
    lines = ["| what failed | runs | promises broken |", "| --- | --: | --: |"]
    lines += [f"| {kind} | {count} | {sum(f', {kind} ' in f or f.startswith(kind) for f in found)} |" for kind, count in tried.items()]
    pathlib.Path(page).write_text(head + "<!-- failures -->\n" + "\n".join(lines) + "\n<!-- end of failures -->\n" + tail)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("sfg")
    parser.add_argument("library")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--write", metavar="PAGE")
    asked = parser.parse_args()
    sfg, library = os.path.realpath(asked.sfg), os.path.realpath(asked.library)
    multiplier = max(1, int(os.environ.get("SFG_TEST_MULTIPLIER", "1")))
    tried = collections.Counter()
    inject(sfg, library, asked, multiplier, tried)
    full_disk_and_closed_streams(sfg, tried)
    kill_and_race(sfg, multiplier, tried)
    for kind, count in tried.items():
        print(f"{kind}: {count} runs")
    if asked.write:
        write(asked.write, tried)
    sys.exit(1 if found else 0)


main()
