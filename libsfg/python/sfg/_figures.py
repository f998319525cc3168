"""Answers as figures of matplotlib, which is imported when one is asked for."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import wrong
from ._faces import to_be_drawn


def figure(answer: Any) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("figure() needs matplotlib, which is not installed: pip install matplotlib, or python3-matplotlib of the "
                          "distribution; plot() does without") from None
    answer = to_be_drawn(answer)
    for has, draw in ((_of_frequency, _bode), (_of_time, _signals), (_of_locus, _locus), (_of_samples, _samples), (_of_roots, _roots)):
        if has(answer):
            made = Figure(layout="constrained")
            draw(answer, made)
            return made
    raise wrong(f"there is nothing to draw in this answer ({type(answer).__name__})", "to_dict() and to_dataframe() give its numbers")


def _of_frequency(answer: Any) -> bool:
    return isinstance(answer.get("frequency"), np.ndarray)


def _of_time(answer: Any) -> bool:
    return isinstance(answer.get("time"), np.ndarray) and isinstance(answer.get("signals"), dict)


def _of_locus(answer: Any) -> bool:
    return isinstance(answer.get("branches"), np.ndarray)


def _of_samples(answer: Any) -> bool:
    return isinstance(answer.get("samples"), dict)


def _of_roots(answer: Any) -> bool:
    return isinstance(answer.get("poles"), np.ndarray)


def _bode(answer: Any, made: Any) -> None:
    w = answer["frequency"]
    curves = answer.get("transfers", [answer])
    panels = [(key, label) for key, label in (("magnitude_db", "magnitude in dB"), ("phase_deg", "phase in degrees"))
              if any(key in of for of in curves)]
    if not panels:  # singular values, densities: whatever runs along the frequencies
        rows = {key: value for key, value in answer.items() if isinstance(value, np.ndarray) and key != "frequency" and len(value) == len(w)}
        axes = made.subplots()
        for key, value in rows.items():
            axes.loglog(w, value, label=key)
        axes.set_xlabel("ω in rad/s")
        axes.legend()
        return
    for axes, (key, label) in zip(np.atleast_1d(made.subplots(len(panels), 1, sharex=True)), panels):
        for of in curves:
            axes.semilogx(w, of[key], label=f"{of.get('output', '')}/{of.get('input', '')}")
        axes.set_ylabel(label)
        axes.grid(True, which="both", alpha=0.3)
        if len(curves) > 1:
            axes.legend()
    axes.set_xlabel("ω in rad/s")


def _signals(answer: Any, made: Any) -> None:
    axes = made.subplots()
    for name, values in answer["signals"].items():
        axes.plot(answer["time"], values, label=name)
    axes.set_xlabel("t in s")
    axes.grid(True, alpha=0.3)
    axes.legend()


def _locus(answer: Any, made: Any) -> None:
    axes = made.subplots()
    for branch in answer["branches"]:
        axes.plot(branch.real, branch.imag)
    _complex_plane(axes)


def _roots(answer: Any, made: Any) -> None:
    axes = made.subplots()
    for key, mark in (("poles", "x"), ("zeros", "o")):
        if key in answer:
            axes.plot(answer[key].real, answer[key].imag, mark, fillstyle="none", label=key)
    _complex_plane(axes)
    axes.legend()


def _complex_plane(axes: Any) -> None:
    axes.axhline(0, color="gray", linewidth=0.6)
    axes.axvline(0, color="gray", linewidth=0.6)
    axes.set_xlabel("Re in rad/s")
    axes.set_ylabel("Im in rad/s")


def _samples(answer: Any, made: Any) -> None:
    measures = [entry["name"] for entry in answer.get("measures", []) if entry.get("name") in answer["samples"]]
    shown = measures or list(answer["samples"])
    for axes, name in zip(np.atleast_1d(made.subplots(1, len(shown))), shown):
        values = answer["samples"][name]
        axes.hist(values[np.isfinite(values)], bins=40)
        axes.set_xlabel(name)
