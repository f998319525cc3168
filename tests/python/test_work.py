"""Limits, threads, Ctrl-C, fork: work can be bounded and stopped, and what comes after it answers as before."""
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import sfg

COMPLETE = """
def complete(n):
    g = sfg.Graph(input="r", output=f"x{n}")
    g.branch("r", "x1")
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            if i != j:
                g.branch(f"x{i}", f"x{j}", f"a{i}_{j}/(s+{i + j})")
    return g
"""
exec(COMPLETE)


def test_limits():
    with pytest.raises(sfg.LimitReached, match="max_terms="):
        complete(8).mason(max_terms=10)  # noqa: F821
    with pytest.raises(sfg.LimitReached, match="time"):
        complete(11).transfer(time_limit=0.2)  # noqa: F821
    g = complete(3)  # noqa: F821
    assert str(g.transfer(time_limit=100)) == str(g.transfer())


def test_memory_is_bounded():
    with pytest.raises(sfg.LimitReached, match="memory"):
        complete(10).mason(memory_limit=100, time_limit=120)  # noqa: F821


def test_work_leaves_other_threads_alone():
    g, beats, done = complete(9), [], threading.Event()  # noqa: F821

    def work():
        try:
            g.mason(time_limit=1)
        except sfg.LimitReached:
            pass
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.005):
        beats.append(time.monotonic())
    thread.join()
    assert len(beats) > 3  # all that a busy machine may leave of 200


def test_many_threads_agree():
    g, answers = complete(3), set()  # noqa: F821

    def work():
        for _ in range(5):
            h = g.copy()
            answers.add(str(h.transfer()))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {str(g.transfer())}


def run(program, *, interrupt_after=None):
    text = "import sys, signal; signal.signal(signal.SIGINT, signal.default_int_handler)\nimport sfg\n" + COMPLETE + textwrap.dedent(program)
    process = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if interrupt_after is not None:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
        time.sleep(interrupt_after)
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


@pytest.mark.parametrize("call", ["complete(10).mason()", "complete(12).transfer()", "complete(9).tf(form='mason')"])
def test_interrupts(call):
    status, out, err = run(f"""
        g = complete(3)
        want = str(g.transfer())
        print("ready", flush=True)
        try:
            {call}
            print("finished")
        except KeyboardInterrupt:
            print("stopped", flush=True)
        sys.exit(3)
        """, interrupt_after=0.6)
    assert "stopped" in out and status == 3, (out, err)


def test_objects_answer_after_an_interrupt():
    status, out, err = run("""
        g = complete(3)
        want = str(g.transfer())
        print("ready", flush=True)
        try:
            complete(12).transfer()
        except KeyboardInterrupt:
            print(str(g.transfer()) == want)
        """, interrupt_after=0.6)
    assert (status, out) == (0, "True\n"), err


def _child(graph, queue):
    queue.put(str(graph.transfer()))


def test_children_have_a_thread_of_their_own():
    g = complete(2)  # noqa: F821
    want = str(g.transfer())
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_child, args=(g, queue))
    child.start()
    assert queue.get(timeout=30) == want
    child.join(30)
    assert child.exitcode == 0


def test_the_end_of_the_interpreter():
    status, out, err = run("g = complete(4); t = g.transfer(); sys.modules['kept'] = (g, t); print('end')")
    assert (status, out, err) == (0, "end\n", "")
    status, out, err = run("""
        import threading, time
        threading.Thread(target=complete(12).transfer, daemon=True).start()
        time.sleep(0.3)
        print("end")
        """)
    assert (status, out) == (0, "end\n"), err


def test_nothing_is_kept():
    def resident():
        return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def work():
        for _ in range(60):
            g = complete(3)  # noqa: F821
            g.transfer().at([1.0], **{name: 1 for name in g.parameters})
        gc.collect()

    work()
    before = resident()
    work()
    work()
    assert resident() - before < 8e6
