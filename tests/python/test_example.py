"""The study in examples/python runs from its first line to its last, and finds what it says."""
import os
import pathlib
import subprocess
import sys

import sfg

ROOT = pathlib.Path(__file__).parents[2]


def test_vehicle_study(tmp_path):
    run = subprocess.run([sys.executable, "-W", "error::UserWarning", str(ROOT / "examples/python/vehicle_study.py")], cwd=tmp_path,
                         capture_output=True, text=True, env={**os.environ, "MPLBACKEND": "Agg", "PYTHONPATH": str(pathlib.Path(sfg.__file__).parents[1])}, timeout=200)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "vehicle_report.html").read_text(encoding="utf-8").count("<section") > 3
    assert "equation of Z" in run.stdout and "samples" in run.stdout
