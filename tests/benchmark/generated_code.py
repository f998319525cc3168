#!/usr/bin/env python3
"""Time of a transfer value of the exported C against Horner's rule written by hand, in one process: generated_code.py SFG [--json]

By hand: in real arithmetic and in `double complex`, whichever is faster, the coefficients at the stated values as constants. The exported
function calculates them from the parameters at every call; exported in two steps they are calculated once. A line a model: nanoseconds
of all three on the frequency axis and beside it, and the ratios to the one by hand. --json: [[model, where, ns, once, by hand], …]
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
void m_coefficients_0(const double p[], double c[]);
void m_value_0(const double c[], double re, double im, double out[2]);
__attribute__((noinline)) static double complex by_hand(double complex s) {
  static const double N[] = {%s}, D[] = {%s};
  double complex n = N[0], d = D[0];
  for (unsigned k = 1; k < sizeof N / sizeof *N; ++k) n = n * s + N[k];
  for (unsigned k = 1; k < sizeof D / sizeof *D; ++k) d = d * s + D[k];
  return n / d;
}
__attribute__((noinline)) static void by_hand_real(double re, double im, double out[2]) {
  static const double N[] = {%s}, D[] = {%s};
  double nr = N[0], ni = 0.0, dr = D[0], di = 0.0, t;
  for (unsigned k = 1; k < sizeof N / sizeof *N; ++k) { t = nr * re - ni * im + N[k]; ni = nr * im + ni * re; nr = t; }
  for (unsigned k = 1; k < sizeof D / sizeof *D; ++k) { t = dr * re - di * im + D[k]; di = dr * im + di * re; dr = t; }
  t = 1.0 / (dr * dr + di * di);
  out[0] = (nr * dr + ni * di) * t;
  out[1] = (ni * dr - nr * di) * t;
}
static double now(void) { struct timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return (double)t.tv_sec * 1e9 + (double)t.tv_nsec; }
int main(void) {
  enum { calls = 200000 };
  for (int beside = 0; beside < 2; ++beside) {
    double best[4] = {1e30, 1e30, 1e30, 1e30}, error = 0.0, c[64];
    volatile double kept = 0.0;
    m_coefficients_0(m_values, c);
    for (int run = 0; run < 15; ++run) {
      double start = now();
      for (int k = 0; k < calls; ++k) { double out[2]; m_transfer_0(m_values, 0.1 * beside, 1e-3 * k, out); kept += out[0]; }
      double time = now() - start;
      if (time < best[0]) best[0] = time;
      start = now();
      for (int k = 0; k < calls; ++k) kept += creal(by_hand(0.1 * beside + 1e-3 * k * I));
      time = now() - start;
      if (time < best[1]) best[1] = time;
      start = now();
      for (int k = 0; k < calls; ++k) { double out[2]; by_hand_real(0.1 * beside, 1e-3 * k, out); kept += out[0]; }
      time = now() - start;
      if (time < best[2]) best[2] = time;
      start = now();
      for (int k = 0; k < calls; ++k) { double out[2]; m_value_0(c, 0.1 * beside, 1e-3 * k, out); kept += out[0]; }
      time = now() - start;
      if (time < best[3]) best[3] = time;
    }
    for (int k = 1; k < 100; ++k) {
      double out[2];
      const double complex want = by_hand(0.1 * beside + k * I);
      m_transfer_0(m_values, 0.1 * beside, k, out);
      if (cabs(out[0] + out[1] * I - want) > error * cabs(want)) error = cabs(out[0] + out[1] * I - want) / cabs(want);
      m_value_0(c, 0.1 * beside, k, out);
      if (cabs(out[0] + out[1] * I - want) > error * cabs(want)) error = cabs(out[0] + out[1] * I - want) / cabs(want);
    }
    printf("%%.1f %%.1f %%.1f %%.1e\\n", best[0] / calls, best[3] / calls, (best[1] < best[2] ? best[1] : best[2]) / calls, error);
  }
}
"""


def numbers(coefficients):
    return ", ".join(repr(float(c)) for c in coefficients)


def run(*command, folder):
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, encoding="utf-8", check=True).stdout


def main(sfg, as_json):
    rows = []
    for name, model in MODELS.items():
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            run(sfg, "export", model, "--target", "c", "--name", "m", "-o", "m.c", folder=folder)
            transfer = json.loads(run(sfg, "tf", model, "--form", "numeric", "--json", folder=folder))["transfers"][0]
            (folder / "main.c").write_text(MAIN % (2 * (numbers(transfer["num"]), numbers(transfer["den"]))))
            run("gcc", "-O2", "main.c", "m.c", "-lm", "-o", "m", folder=folder)
            for where, line in zip(("s = jw", "elsewhere"), run("./m", folder=folder).splitlines()):
                ours, once, hand, error = map(float, line.split())
                assert error < 1e-12, (name, error)
                rows.append([name, where, ours, once, hand])
                if not as_json:
                    print(f"{name:12} {where:10} exported {ours:7.1f} ns ({ours / hand:4.2f})   coefficients once {once:7.1f} ns ({once / hand:4.2f})"
                          f"   by hand {hand:7.1f} ns   apart {error:.0e}")
    if as_json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), "--json" in sys.argv)
