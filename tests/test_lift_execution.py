"""Functions and loops in the guises people write them in: their notation is what running them
computes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from lift_execution import Assumed, NoMeaning, check

from auditor.algebra.evaluate import CannotEvaluate

_random = np.random.default_rng(11)
B, T, D, N, H = 2, 5, 4, 3, 2
ARRAYS: dict[str, Any] = {
    "x": _random.normal(size=(B, T, D)),
    "y": _random.normal(size=(B, T, D)),
    "a": _random.uniform(0.2, 0.9, size=(B, T, D)),
    "delta": _random.uniform(0.1, 0.9, size=(B, T, D)),
    "A": -_random.uniform(0.1, 0.9, size=(D, N)),
    "Bm": _random.normal(size=(B, T, N)),
    "C": _random.normal(size=(B, T, N)),
    "h0": _random.normal(size=(B, D)),
    "q": _random.normal(size=(B, H, T, D)),
    "k": _random.normal(size=(B, H, T, D)),
    "v": _random.normal(size=(B, H, T, D)),
    "u": _random.normal(size=T),
    "w": _random.normal(size=T),
    "g": _random.uniform(0.2, 0.9, size=T),
    "m": _random.normal(size=(T, T)),
    "W": _random.normal(size=(D, D)),
    "bias": _random.normal(size=D),
    "idx": _random.integers(0, T, size=(B, T)),
    "mask": _random.random(size=(B, T, D)) > 0.4,
    "scores": _random.normal(size=(B, T, T)),
}
_SCALARS: dict[str, Any] = {"alpha": 0.3, "n": T, "eps": 1e-5, "gamma": 0.9, "lam": 0.8}
_PROGRAMS = Path(__file__).with_name("lift_programs.py").read_text()


def programs() -> dict[str, tuple[str, str]]:
    """Each program of lift_programs.py by name, with what is expected of it."""
    header, *parts = re.split(r"^# -- ", _PROGRAMS, flags=re.MULTILINE)
    header = header.split('"""')[2]
    found: dict[str, tuple[str, str]] = {}
    for part in parts:
        title, _, body = part.partition("\n")
        name, _, expected = title.partition(": ")
        imports = [
            line for line in header.strip().splitlines()
            if line.strip() and re.search(rf"\b{line.split()[-1]}\b", body)
        ]  # fmt: skip
        if not name.startswith("numpy") and "import torch" not in imports:
            imports.insert(0, "import torch")
        found[name] = ("\n".join(imports) + "\n" + body, expected)
    return found


def arguments(source: str, numpy: bool = False) -> dict[str, Any]:
    """The inputs of the last function (or ``forward``) by its parameters' names."""
    import ast

    node = ast.parse(source).body[-1]
    if isinstance(node, ast.ClassDef):
        node = next(s for s in node.body if isinstance(s, ast.FunctionDef) and s.name == "forward")
    assert isinstance(node, ast.FunctionDef)
    inputs: dict[str, Any] = {}
    for arg in node.args.args:
        if arg.arg in ARRAYS:
            array = ARRAYS[arg.arg]
            inputs[arg.arg] = array.copy() if numpy else torch.tensor(array)
        elif arg.arg in _SCALARS:
            inputs[arg.arg] = _SCALARS[arg.arg]
    return inputs


PROGRAMS = programs()


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_is_execution(name: str) -> None:
    source, expected = PROGRAMS[name]
    outcome, why = "", ""
    try:
        check(source, arguments(source, name.startswith("numpy")))
    except (NoMeaning, CannotEvaluate) as problem:
        outcome, why = "none", str(problem)
    except Assumed as problem:
        outcome, why = "assumes", str(problem)
    assert outcome == expected, f"{outcome or 'right'} {why}"


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_without_ranks(name: str) -> None:
    source, _ = PROGRAMS[name]
    try:
        check(source, arguments(source, name.startswith("numpy")), ranks=False)
    except (NoMeaning, Assumed, CannotEvaluate) as problem:
        pytest.skip(str(problem))
