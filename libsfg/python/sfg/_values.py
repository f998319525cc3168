"""Numbers and names of Python as texts of the toolkit's grammar, and answers in JSON as arrays."""
from __future__ import annotations

import decimal
import fractions
import math
import numbers
import os
import re
from typing import Any, Iterable, Optional

import numpy as np


#: An exact number as answers have it.
REAL = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?(/\d+)?")


def is_sympy(value: Any) -> bool:
    return any(kind.__module__.split(".")[0] == "sympy" for kind in type(value).__mro__)


def text_of(value: Any) -> str:
    """A value in the grammar of the toolkit, exactly: a float is its shortest decimal text, 0.1 is 1/10."""
    if isinstance(value, str):
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{value} is no number")
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no number that a model can have")
        return repr(value) if type(value) is float else str(value)
    if isinstance(value, fractions.Fraction):
        return str(value)
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is no number that a model can have")
        return str(value)
    if is_sympy(value):
        from ._expressions import text_of_sympy

        return text_of_sympy(value)
    if hasattr(type(value), "_sfg_"):  # Formula, Transfer
        return str(value._sfg_())
    raise TypeError(f"no number or expression: {value!r}")


def plain_numbers(name: str, value: Any) -> "Optional[np.ndarray]":
    """Numbers that a program takes as they are: a float, an int, an array of them; None for what is no double."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number, np.ndarray, list, tuple)):
        return None
    listed = np.asarray(value)
    if listed.dtype == object and all(isinstance(entry, (numbers.Real, decimal.Decimal)) and not isinstance(entry, bool)
                                      for entry in listed.flat):
        listed = listed.astype(float)  # Fractions, each rounded once
    if listed.dtype.kind not in "fiu":
        if listed.ndim:
            raise TypeError(f"{name}: an array of real numbers is meant, not of {listed.dtype}")
        return None
    if listed.ndim == 0:
        number = float(str(value)) if isinstance(value, np.floating) else float(value) if abs(value) < 2**53 else math.inf
        return np.array(number) if math.isfinite(number) else None
    return listed.astype(float)


def list_of(value: Any) -> "list[Any]":
    """One or several of something."""
    if value is None:
        return []
    if isinstance(value, (str, os.PathLike)) or not isinstance(value, (Iterable, np.ndarray)) or is_sympy(value):
        return [value]
    return list(value)


def points_of(name: str, value: Any, kind: type) -> np.ndarray:
    """Numbers at which something is asked for: None and texts are none, though NumPy makes numbers of them."""
    listed = np.asarray(value)
    if listed.dtype.kind in "USmM" or (listed.dtype == object and any(entry is None or isinstance(entry, str) for entry in listed.flat)):
        raise TypeError(f"{name}: a number or an array of numbers is meant, not {value!r}")
    return listed.astype(kind)


def bounds_text(value: Any) -> str:
    """Bounds for an option, (0.1, 10) or an array of two; anything else is an expression or a range as text."""
    if isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim):
        if len(value) != 2:
            raise ValueError(f"bounds are two numbers, (LOW, HIGH), not {value!r}")
        return ":".join(map(text_of, value))
    return text_of(value)


def frequencies_text(frequencies: Any) -> str:
    """Frequencies for an option: "LO:HI:N" stays, numbers are listed."""
    if isinstance(frequencies, str):
        return frequencies
    listed = np.asarray(frequencies, dtype=float).ravel()
    if not listed.size:
        raise ValueError("no frequencies are given")
    return ",".join(text_of(float(w)) for w in listed)


# Fields of answers whose pairs of numbers are complex: [re, im] (docs/schema).
_PAIRS = {"pole", "zero", "root", "dT", "S"}
_PAIRS_BY_NAME = {"shape", "derivatives", "puiseux"}
_LISTS_OF_PAIRS = {"poles", "zeros", "transmission_zeros", "hidden", "value", "values", "exact", "start", "end", "branches", "harmonics",
                   "multipliers", "matrix"}
_COMPLEX_WHEN_EMPTY = {"poles", "zeros", "transmission_zeros", "hidden", "value", "multipliers"}
_NUMBERS = {"frequency", "time", "magnitude_db", "phase_deg", "group_delay", "min", "max", "output_density", "input_density",
            "correlation", "covariance"}
_ENDS = {"ranges"}


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(part, float) for part in value)


def _complex(pair: Any) -> complex:
    return complex(math.inf, math.nan) if pair is None else complex(*pair)


def _array(values: "list[Any]") -> np.ndarray:
    if set(map(type, values)) == {int}:
        return np.array(values)
    return np.array([math.nan if value is None else value for value in values], dtype=float)


def with_arrays(value: Any, key: str = "", within: str = "") -> Any:
    """An answer with its lists of numbers as arrays: float64, of pairs [re, im] complex128; null is nan, of complex ones inf."""
    if isinstance(value, dict):
        return {name: with_arrays(entry, name, key) for name, entry in value.items()}
    if not isinstance(value, list):
        return value
    if _is_pair(value) and (key in _PAIRS or within in _PAIRS_BY_NAME):
        return complex(*value)
    pairs = key in _LISTS_OF_PAIRS or within in _LISTS_OF_PAIRS
    if value and pairs and any(map(_is_pair, value)) and all(entry is None or _is_pair(entry) for entry in value):
        return np.array([_complex(entry) for entry in value], dtype=complex)
    if not value:
        return np.array([], dtype=complex) if key in _COMPLEX_WHEN_EMPTY else np.array([]) if key in _NUMBERS else value
    kinds = set(map(type, value))
    if key not in _ENDS and kinds <= {int, float, type(None)}:
        if kinds & {int, float} or key in _NUMBERS or within in ("signals", "samples"):
            return _array(value)
        return value
    entries = [with_arrays(entry, key, within) for entry in value]
    if all(isinstance(entry, np.ndarray) and entry.dtype.kind in "fc" for entry in entries):
        if len({entry.shape for entry in entries}) == 1:
            return np.array(entries)
    return entries
