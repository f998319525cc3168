"""Measured data of a call, {heading: column} or a DataFrame, as the files that the verbs read."""
from __future__ import annotations

import contextlib
import csv
import os
import tempfile
from typing import Any, Iterator, Mapping

import numpy as np

from ._errors import TABLES, wrong


@contextlib.contextmanager
def tables_as_files(keywords: "Mapping[str, Any]") -> "Iterator[dict[str, Any]]":
    """The keywords with every table of data= in a file of its own, which is there as long as the context."""
    data = keywords.get("data")
    entries = list(data) if isinstance(data, (list, tuple)) else [data]
    if not any(map(_is_table, entries)):
        yield dict(keywords)
        return
    with tempfile.TemporaryDirectory(prefix=TABLES) as folder:
        files = [_written(entry, os.path.join(folder, f"{number}.csv")) if _is_table(entry) else entry
                 for number, entry in enumerate(entries, 1)]
        yield {**keywords, "data": files if isinstance(data, (list, tuple)) else files[0]}


def _is_table(entry: Any) -> bool:
    return isinstance(entry, Mapping) or (hasattr(entry, "columns") and hasattr(entry, "items"))


def _written(table: Any, path: str) -> str:
    columns: "dict[str, np.ndarray]" = {}
    index = getattr(table, "index", None)
    named = {index.name: index} if getattr(index, "name", None) is not None else {}
    for heading, values in [*named.items(), *table.items()]:
        columns.update(_columns(heading, values))
    lengths = {heading: len(column) for heading, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise wrong("data: the columns are not of one length: " + ", ".join(f"{name!r} has {n}" for name, n in lengths.items()))
    with open(path, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(columns)
        rows.writerows(["" if np.isnan(value) else repr(float(value)) for value in row] for row in zip(*columns.values()))
    return path


def _columns(heading: Any, values: Any) -> "dict[str, np.ndarray]":
    """A column of numbers, nan where there is no sample; a complex one as its two parts."""
    if not isinstance(heading, str):
        raise wrong(f"data: the heading {heading!r} is no text")
    column = np.ma.asarray(values)
    if column.dtype.kind in "mM":
        raise wrong(f"data: column {heading!r} has dates or durations", "give seconds: (t - t[0])/numpy.timedelta64(1, 's')")
    try:
        column = column.astype(complex if column.dtype.kind == "c" else float).filled(np.nan)
    except (TypeError, ValueError):
        raise wrong(f"data: column {heading!r} is no list of numbers") from None
    if column.ndim != 1:
        raise wrong(f"data: column {heading!r} has the shape {column.shape}; a list of numbers is meant")
    if np.isinf(column).any():
        raise wrong(f"data: column {heading!r} has an infinite number", "give nan where there is no sample")
    if column.dtype.kind == "f":
        return {heading: column}
    missing = np.isnan(column)  # in either part: then the other one is no sample either
    return {heading + part: np.where(missing, np.nan, values) for part, values in (("_re", column.real), ("_im", column.imag))}
