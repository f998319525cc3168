#!/usr/bin/env python3
"""A Monte Carlo study under mpirun: the bytes of the plain command for one, two and three ranks, its table too, and after a rank was
killed and the study resumed.

    mpi_ranks_test.py SFG_WITH_MPI SFG
Ends with 77, "skipped", where the command with MPI is not built or mpirun is missing."""
import os, pathlib, shutil, subprocess, sys, tempfile

with_mpi, plain = (os.path.abspath(p) for p in sys.argv[1:])
if not os.path.exists(with_mpi) or not shutil.which('mpirun'):
    print('not built, or no mpirun')
    sys.exit(77)
MODEL = '[graph]\nbranches = [["u", "e", "1"], ["e", "y", "K/(s*(T*s + 1))"], ["y", "e", "-1"]]\n[parameters]\n' \
        'K = { value = 2, tolerance = "20%" }\nT = { value = 1, tolerance = 0.3, distribution = "normal" }\n'
STUDY = ['sens', 'model.toml', '--from', 'u', '--to', 'y', '--monte-carlo', '20000', '--measure', 'overshoot']
SPEC = ['--spec', 'peak < 1.5']  # of all samples: a table has no place for it


def run(ranks, *more, **options):
    start = [plain] if ranks == 0 else ['mpirun', '--allow-run-as-root', '--oversubscribe', '-n', str(ranks), with_mpi]
    spec = [] if '-o' in more else SPEC
    return subprocess.run([*start, *STUDY, *spec, *more], capture_output=True, timeout=120, **options)


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
    refused = run(2, '--resume', 'kept', '--seed', '2')
    check('the checkpoint of another study', refused.returncode != 0 and b'the seed' in refused.stderr)
    refused = run(2, '--resume', 'missing')
    check('a checkpoint that is not there', refused.returncode != 0 and b'missing' in refused.stderr)
print('right')
