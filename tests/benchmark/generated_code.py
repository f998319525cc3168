#!/usr/bin/env python3
"""Time of a transfer value of the exported C against Horner's rule written by hand, in one process: generated_code.py SFG

By hand: `double complex`, the coefficients at the stated values as constants. The exported function calculates them from the
parameters at every call. Prints a line a model: nanoseconds of both on the frequency axis and beside it, and their ratios.
"""
import json, pathlib, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = {"servo": ROOT / "examples/servo.dot", "vehicle": ROOT / "examples/vehicle.toml", "two_masses": ROOT / "examples/two_masses.toml"}
MAIN = """
#include <complex.h>
#include <stdio.h>
#include <time.h>
extern const double m_values[];
void m_transfer_0(const double p[], double re, double im, double out[2]);
__attribute__((noinline)) static double complex by_hand(double complex s) {
  static const double N[] = {%s}, D[] = {%s};
  double complex n = N[0], d = D[0];
  for (unsigned k = 1; k < sizeof N / sizeof *N; ++k) n = n * s + N[k];
  for (unsigned k = 1; k < sizeof D / sizeof *D; ++k) d = d * s + D[k];
  return n / d;
}
static double now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return (double)t.tv_sec * 1e9 + (double)t.tv_nsec; }
int main(void) {
  enum { calls = 200000 };
  for (int beside = 0; beside < 2; ++beside) {
    double best[2] = {1e30, 1e30}, error = 0.0;
    volatile double kept = 0.0;
    for (int run = 0; run < 15; ++run) {
      double start = now();
      for (int k = 0; k < calls; ++k) { double out[2]; m_transfer_0(m_values, 0.1 * beside, 1e-3 * k, out); kept += out[0]; }
      double time = now() - start;
      if (time < best[0]) best[0] = time;
      start = now();
      for (int k = 0; k < calls; ++k) kept += creal(by_hand(0.1 * beside + 1e-3 * k * I));
      time = now() - start;
      if (time < best[1]) best[1] = time;
    }
    for (int k = 1; k < 100; ++k) {
      double out[2];
      const double complex want = by_hand(0.1 * beside + k * I);
      m_transfer_0(m_values, 0.1 * beside, k, out);
      if (cabs(out[0] + out[1] * I - want) > error * cabs(want)) error = cabs(out[0] + out[1] * I - want) / cabs(want);
    }
    printf("%%.1f %%.1f %%.1e\\n", best[0] / calls, best[1] / calls, error);
  }
}
"""


def numbers(coefficients):
    return ", ".join(repr(float(c)) for c in coefficients)


def run(*command, folder):
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, encoding="utf-8", check=True).stdout


def main(sfg):
    for name, model in MODELS.items():
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            run(sfg, "export", model, "--target", "c", "--name", "m", "-o", "m.c", folder=folder)
            transfer = json.loads(run(sfg, "tf", model, "--form", "numeric", "--json", folder=folder))["transfers"][0]
            (folder / "main.c").write_text(MAIN % (numbers(transfer["num"]), numbers(transfer["den"])))
            run("gcc", "-O2", "main.c", "m.c", "-lm", "-o", "m", folder=folder)
            for where, line in zip(("s = jw", "elsewhere"), run("./m", folder=folder).splitlines()):
                ours, hand, error = map(float, line.split())
                print(f"{name:12} {where:10} exported {ours:7.1f} ns   by hand {hand:7.1f} ns   ratio {ours / hand:5.2f}   apart {error:.0e}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
