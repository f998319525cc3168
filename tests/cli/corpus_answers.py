#!/usr/bin/env python3
"""Questions drawn at random about the published graphs and the examples: whatever the answer is, a result or an error, it
is one document in JSON that follows its schema, and the schema describes all of it.

    corpus_answers.py SFG [SEED]
"""
import collections, random, subprocess, sys

import schemas

QUESTIONS = ["tf", "tf --form mason", "tf --form factored", "tf --form sequence", "tf --form zpk", "tf --form numeric",
             "tf --form approximate", "mason --limit 20", "derive", "derive --as state-space", "graph", "reduce", "reduce --transpose", "sens",
             "sens --freq 1,2", "poles", "poles --digits 20", "bode --freq 1,2", "nyquist --freq 1,2", "nichols --freq 1,2",
             "step --points 3", "step --symbolic", "impulse --points 3", "margins", "routh", "discretize --sample-time 0.1", "check"]
INPUTS = {".dot", ".toml", ".cir", ".m"}
GRAPHS, QUESTIONS_EACH = 30, 4


def documents_of(sfg, verb, file, options):
    run = subprocess.run([sfg, verb, str(file), *options, "--json", "--quiet", "--time-limit", "20"], capture_output=True, encoding="utf-8", timeout=60)
    return run, list(schemas.documents(run.stdout))


def main():
    sfg, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    draw = random.Random(seed)
    files = [file for folder in ("graphs", "examples") for file in sorted((schemas.ROOT / folder).rglob("*")) if file.suffix in INPUTS]
    wrong, kinds = 0, collections.Counter()
    for file in draw.sample(files, GRAPHS):
        for question in draw.sample(QUESTIONS, QUESTIONS_EACH):
            verb, *options = question.split()
            run, found = documents_of(sfg, verb, file, options)
            problems = [problem for _, document in found for problem in schemas.problems_of(document)[0]]
            if len(found) != 1:
                problems.append(f"{len(found)} documents, not one; status {run.returncode}")
            elif (found[0][1] or {}).get("schema") == "sfg/error/1" and run.returncode in (0, 70):
                problems.append(f"an error with status {run.returncode}")
            kinds.update((document or {}).get("schema") for _, document in found)
            wrong += len(problems)
            for problem in problems:
                print(f"sfg {verb} {file.relative_to(schemas.ROOT)} {' '.join(options)}: {problem}")
    print(f"seed {seed}:", ", ".join(f"{number} of {name}" for name, number in sorted(kinds.items(), key=str)))
    return wrong > 0 or len(kinds) < 10


sys.exit(main())
