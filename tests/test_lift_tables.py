"""Every entry of the op tables means what running it computes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from lift_execution import Assumed, NoMeaning, check, lift_function, names_in

from auditor.algebra.evaluate import CannotEvaluate
from auditor.lift import tables
from auditor.lift.calls import Meaning
from auditor.lift.objects import Instance, Method, Named, Obj
from auditor.lift.tables import builtin, methods, modules
from auditor.lift.tables import numpy as numpy_table
from auditor.lift.tables import torch as torch_table

_random = np.random.default_rng(7)
ARRAYS: dict[str, Any] = {
    "x": _random.normal(size=(3, 4)),
    "y": _random.normal(size=(3, 4)),
    "w": _random.normal(size=(4, 5)),
    "v": _random.normal(size=4),
    "u": _random.normal(size=3),
    "v2": _random.normal(size=4),
    "b": _random.normal(size=(2, 3, 4)),
    "b2": _random.normal(size=(2, 4, 5)),
    "q": _random.normal(size=(2, 3, 4, 5)),
    "k4": _random.normal(size=(2, 3, 6, 5)),
    "p": _random.uniform(0.5, 2.0, size=(3, 4)),
    "unit": _random.uniform(0.05, 0.95, size=(3, 4)),
    "i": _random.integers(-7, 8, size=(3, 4)),
    "i2": _random.choice([-3, -2, 2, 3], size=(3, 4)),
    "pos": _random.integers(0, 3, size=(3, 4)),
    "idx": _random.integers(0, 3, size=5),
    "mask": _random.random(size=(3, 4)) > 0.5,
    "mask2": _random.random(size=(3, 4)) > 0.5,
    "row": _random.normal(size=(1, 4)),
    "col": _random.normal(size=(3, 1)),
    "sq": _random.normal(size=(4, 4)),
    "one": _random.normal(size=(3, 1, 4)),
    "bad": np.array([[1.0, np.nan, np.inf], [-np.inf, 0.0, 2.0]]),
    "bias": _random.normal(size=5),
    "weight": _random.normal(size=(5, 4)),
}
SCALARS: dict[str, Any] = {"s": 0.7, "z": -2.3, "n": 3, "m": -5, "flag": True}
_ANNOTATIONS = {"s": "float", "z": "float", "n": "int", "m": "int", "flag": "bool"}
_HEADER = """
import cmath
import math
import statistics
import functools
import collections
import operator
import numpy as np
import torch
import scipy.linalg
import scipy.special
import einops
from einops import rearrange, repeat, reduce, einsum
from torch import nn
import torch.nn.functional as F
"""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines() if line.strip()]


HERE = Path(__file__).parent
_HERE = Path(__file__).parent
TORCH = _lines((HERE / "lift_torch.txt").read_text())
NUMPY = _lines((HERE / "lift_numpy.txt").read_text())
PYTHON = _lines((HERE / "lift_python.txt").read_text())


def _as_method(expression: str, root: str, owner: type) -> str | None:
    """``torch.f(x, ...)`` as ``x.f(...)``, where there is such a method."""
    call = ast.parse(expression, mode="eval").body
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return None
    name = call.func.attr
    if ast.unparse(call.func.value) != root or not call.args or not hasattr(owner, name):
        return None
    first, *rest = call.args
    if not isinstance(first, ast.Name) or first.id in _ANNOTATIONS:
        return None
    if name in ("einsum", "stack", "where", "sort", "reshape") or not callable(
        getattr(owner, name)
    ):
        return None
    if owner is np.ndarray and {k.arg for k in call.keywords} & {"a_min", "axes"}:
        return None
    made = ast.Call(ast.Attribute(first, name, ast.Load()), rest, call.keywords)
    return ast.unparse(ast.fix_missing_locations(made))


def _expressions() -> Iterator[tuple[str, str]]:
    seen: set[tuple[str, str]] = set()
    for library, lines, root, owner in (
        ("torch", TORCH, "torch", torch.Tensor),
        ("numpy", NUMPY, "np", np.ndarray),
    ):
        for line in lines:
            plain, mark, expected = line.partition("  # ")
            method = _as_method(plain, root, owner)
            for expression in (line, f"{method}{mark}{expected}" if method else None):
                if expression and (library, expression) not in seen:
                    seen.add((library, expression))
                    yield library, expression
    for line in PYTHON:
        yield "torch", line
        yield "numpy", line


def program(library: str, expression: str) -> tuple[str, dict[str, Any]]:
    inputs: dict[str, Any] = {}
    arguments: list[str] = []
    for name in names_in(expression):
        if name in ARRAYS:
            array = ARRAYS[name]
            inputs[name] = torch.tensor(array) if library == "torch" else array
            arguments.append(name)
        elif name in SCALARS:
            inputs[name] = SCALARS[name]
            arguments.append(f"{name}: {_ANNOTATIONS[name]}")
    needed = [line for line in _HEADER.strip().splitlines() if _needs(line, expression)]
    other = f"import {library}\n" if library not in "".join(needed) else ""
    header = "\n".join(needed) + "\n" + other
    return f"{header}\ndef f({', '.join(arguments)}):\n    return {expression}\n", inputs


def _needs(line: str, expression: str) -> bool:
    bound = line.split(" import ")[-1] if " import " in line else line.removeprefix("import ")
    names = [part.split(" as ")[-1].split(".")[0].strip() for part in bound.split(",")]
    return any(name in set(names_in(expression)) for name in names)


CASES = list(dict.fromkeys(_expressions()))
_BATCH = 40
BATCHES = [CASES[start : start + _BATCH] for start in range(0, len(CASES), _BATCH)]


@pytest.mark.parametrize("batch", BATCHES, ids=lambda cases: cases[0][1][:40])
def test_meaning_is_execution(batch: list[tuple[str, str]]) -> None:
    """``# none``: there is no meaning. ``# assumes``: the meaning rests on a recorded assumption
    that these inputs do not meet."""
    failures = []
    for library, line in batch:
        expression, _, expected = line.partition("  # ")
        source, inputs = program(library, expression)
        outcome, why = "", ""
        try:
            check(source, inputs)
        except (NoMeaning, CannotEvaluate) as problem:
            outcome, why = "none", str(problem)
        except Assumed as problem:
            outcome, why = "assumes", str(problem)
        except Exception as problem:
            outcome, why = type(problem).__name__, str(problem)
        if outcome != expected:
            failures.append(f"{library}: {expression}: {outcome or 'right'} {why}")
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("batch", BATCHES, ids=lambda cases: cases[0][1][:40])
def test_meaning_without_ranks(batch: list[tuple[str, str]]) -> None:
    """The same with ranks left to the lifter: no meaning is fine, another meaning is not."""
    failures = []
    for library, line in batch:
        expression = line.partition("  # ")[0]
        source, inputs = program(library, expression)
        try:
            check(source, inputs, ranks=False)
        except (NoMeaning, Assumed, CannotEvaluate):
            pass
        except Exception as problem:
            failures.append(f"{library}: {expression}: {type(problem).__name__} {problem}")
    assert not failures, "\n".join(failures)


def _key(function: Obj, found: Meaning) -> str | None:
    if isinstance(function, Named):
        if function.path in builtin.FUNCTIONS or not function.path.startswith("torch.Tensor."):
            return function.path
        return "Tensor." + function.path.removeprefix("torch.Tensor.")
    if isinstance(function, Method):
        for name, table in (("Tensor", methods.TENSOR), ("ndarray", methods.ARRAY)):
            if table.get(function.name) is found:
                return f"{name}.{function.name}"
    return function.path + "()" if isinstance(function, Instance) else None


def test_every_entry_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    called: set[str] = set()
    original = tables.meaning

    def recording(lifter: Any, function: Obj) -> Meaning | None:
        found = original(lifter, function)
        if found is not None:
            for name, table in (("Tensor", methods.TENSOR), ("ndarray", methods.ARRAY)):
                if isinstance(function, Method) and table.get(function.name) is found:
                    called.add(f"{name}.{function.name}")
            key = _key(function, found)
            if key:
                called.add(key)
        return found

    monkeypatch.setattr(tables, "meaning", recording)
    for library, line in CASES:
        source, inputs = program(library, line.partition("  # ")[0])
        lift_function(source, "f", inputs, ranks=True)
    missing = [key for key in _entries() if key not in called and key not in _NOT_RUN]
    assert not missing, f"{len(missing)} entries without a case: {' '.join(missing)}"


_NOT_RUN = {"Tensor.cuda", "Tensor.pin_memory", "tqdm.tqdm", "tqdm.trange", "tqdm.auto.tqdm"}
_NOT_RUN |= {"numba.prange"}
_NOT_RUN |= {"torch.nn.functional.unfold"}  # of what stands where nothing is said


def _entries() -> Iterator[str]:
    yield from (f"torch.{name}" for name in torch_table.FUNCTIONS)
    yield from (f"numpy.{name}" for name in numpy_table.FUNCTIONS)
    yield from (f"Tensor.{name}" for name in methods.TENSOR)
    yield from (f"ndarray.{name}" for name in methods.ARRAY)
    yield from builtin.FUNCTIONS
    yield from (f"{name}()" for name in modules.CALLS)


def _resolve(path: str) -> Any:
    import importlib

    parts = path.split(".")
    found: Any = importlib.import_module(parts[0])
    for position, part in enumerate(parts[1:], 1):
        if not hasattr(found, part):
            importlib.import_module(".".join(parts[: position + 1]))
        found = getattr(found, part)
    return found


def test_every_entry_exists_in_its_library() -> None:
    missing = []
    for key in _entries():
        path = key.removesuffix("()")
        for short, full in (("Tensor.", "torch.Tensor."), ("ndarray.", "numpy.ndarray.")):
            if path.startswith(short):
                path = full + path.removeprefix(short)
        if "." not in path:
            path = f"builtins.{path}"
        if path.split(".")[0] in ("tqdm", "scipy", "numba"):
            continue
        try:
            _resolve(path)
        except (AttributeError, ImportError):
            missing.append(key)
    assert not missing, " ".join(missing)
