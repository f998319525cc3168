#!/usr/bin/env python3
"""A Monte Carlo study under mpirun: the bytes of the plain command for one, two and three ranks, its table too, and after a rank was
killed and the study resumed.

    mpi_ranks_test.py SFG_WITH_MPI SFG
Ends with 77, "skipped", where the command with MPI is not built or mpirun is missing."""
import os, pathlib, shutil, signal, subprocess, sys, tempfile, time

with_mpi, plain = (os.path.abspath(p) for p in sys.argv[1:])
if not os.path.exists(with_mpi) or not shutil.which('mpirun'):
    print('not built, or no mpirun')
    sys.exit(77)
MODEL = '[graph]\nbranches = [["u", "e", "1"], ["e", "y", "K/(s*(T*s + 1))"], ["y", "e", "-1"]]\n[parameters]\n' \
        'K = { value = 2, tolerance = "20%" }\nT = { value = 1, tolerance = 0.3, distribution = "normal" }\n'
STUDY = ['sens', 'model.toml', '--from', 'u', '--to', 'y', '--monte-carlo', '20000', '--measure', 'overshoot']
LONG = [*STUDY[:6], '--monte-carlo', '400000', '--measure', 'overshoot']
SPEC = ['--spec', 'peak < 1.5']  # of all samples: a table has no place for it


def run(ranks, *more, **options):
    start = [plain] if ranks == 0 else ['mpirun', '--allow-run-as-root', '--oversubscribe', '-n', str(ranks), with_mpi]
    spec = [] if '-o' in more else SPEC
    return subprocess.run([*start, *STUDY, *spec, *more], capture_output=True, timeout=120, **options)


def rank_of(process):
    """Its rank where it is one of mpirun's, else nothing."""
    try:
        environment = dict(entry.split(b'=', 1) for entry in pathlib.Path(f'/proc/{process}/environ').read_bytes().split(b'\0') if b'=' in entry)
        return int(environment.get(b'OMPI_COMM_WORLD_RANK', b'-1'))
    except (OSError, ValueError):
        return -1


def ranks_below(process):
    """Ranks among what a process has started: rank and number of the process."""
    found = {}
    try:
        children = pathlib.Path(f'/proc/{process}/task/{process}/children').read_text().split()
    except OSError:
        return found
    for child in children:
        found |= {rank_of(child): int(child)} if rank_of(child) >= 0 else ranks_below(child)
    return found


def killed(rank, *more):
    """A study over two ranks of which one is killed: how it ends, or nothing where it was done before."""
    study = subprocess.Popen(['mpirun', '--allow-run-as-root', '--oversubscribe', '-n', '2', with_mpi, *LONG, *more, '--json', '--checkpoint', 'killed'],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while study.poll() is None and rank not in ranks_below(study.pid):
        time.sleep(0.01)
    time.sleep(0.5)
    ranks = ranks_below(study.pid) if study.poll() is None else {}
    if rank in ranks:
        os.kill(ranks[rank], signal.SIGKILL)
    study.communicate(timeout=120)
    return study.returncode if rank in ranks else None


def interrupted():
    """A study of one process that Ctrl-C ends on its way: what it has done is in the checkpoint."""
    study = subprocess.Popen([plain, *LONG, '--checkpoint', 'killed'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while study.poll() is None and not pathlib.Path('killed').exists():
        time.sleep(0.01)
    time.sleep(0.2)
    study.send_signal(signal.SIGINT)
    study.communicate(timeout=120)
    return study.returncode


def check(what, right):
    if not right:
        sys.exit(f'wrong: {what}')


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pathlib.Path('model.toml').write_text(MODEL)
    alone = run(0, '--json')
    check('the study alone', alone.returncode == 0)
    run(0, '-o', 'alone.csv')
    for ranks in (1, 2, 3):
        shared = run(ranks, '--json')
        check(f'{ranks} ranks: {shared.stderr}', shared.returncode == 0 and shared.stdout == alone.stdout)
        run(ranks, '-o', 'shared.csv')
        check(f'table of {ranks} ranks', pathlib.Path('shared.csv').read_bytes() == pathlib.Path('alone.csv').read_bytes())
    run(2, '--json', '--checkpoint', 'kept')
    check('going on with another number of ranks', run(3, '--json', '--resume', 'kept').stdout == alone.stdout)
    # Then either rank is killed while the study goes on from there; what it is resumed to are the bytes of one process.
    check('an interrupted study leaves a checkpoint', interrupted() is not None and pathlib.Path('killed').exists())
    for rank in (1, 0):
        check(f'a study that lost rank {rank} ends well', killed(rank, '--resume', 'killed') != 0)
    whole = subprocess.run([plain, *LONG, '--json'], capture_output=True, timeout=300)
    resumed = subprocess.run(['mpirun', '--allow-run-as-root', '--oversubscribe', '-n', '2', with_mpi, *LONG, '--json', '--resume', 'killed'],
                             capture_output=True, timeout=300)
    check(f'resumed after ranks were killed: {resumed.stderr}', resumed.returncode == 0 and resumed.stdout == whole.stdout)
    refused = run(2, '--resume', 'kept', '--seed', '2')
    check('the checkpoint of another study', refused.returncode != 0 and b'the seed' in refused.stderr)
    refused = run(2, '--resume', 'missing')
    check('a checkpoint that is not there', refused.returncode != 0 and b'missing' in refused.stderr)
print('right')
