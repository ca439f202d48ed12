"""Recurrences over arrays of NumPy: which types its arrays may have for a fix to be right."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from auditor.audit import Options, audit_text
from auditor.lift.dtypes import NUMPY_NAMES, result_dtype
from auditor.notation import Value
from auditor.verdict import Fix


def fix(start: str, step: str, *, kept: str = "np.zeros(len(x))") -> Fix | None:
    """The fix of a loop that carries ``h`` over ``x`` and ``m``, arrays of one axis."""
    text = f"""\
import numpy as np


def f(x, m, c: float):
    out = {kept}
    h = {start}
    for t in range(len(x)):
        h = {step}
        out[t] = h
    return out
"""
    found = [f.fix for f in audit_text(text, "f.py", Options()).findings if f.code == "ASC101"]
    assert found, "the loop is no recurrence"
    return found[0]


def assumed(start: str, step: str, **options: str) -> str:
    made = fix(start, step, **options)
    assert made is not None
    assert made.applicability == "safe"
    return made.reason or ""


def test_what_is_only_added_may_be_of_any_type() -> None:
    reason = assumed("0.0", "c * h + x[t]")
    assert "floating" not in reason
    assert "one type" not in reason


def test_a_list_holds_numbers_of_python_and_an_array_of_them_doubles() -> None:
    text = """\
import numpy as np


def f(r, c{kind}):
    out = []
    h = {start}
    for v in r:
        h = c * h + v
        out.append(h)
    return {result}
"""

    def reason(kind: str, start: str, result: str) -> str:
        source = text.format(kind=kind, start=start, result=result)
        (found,) = audit_text(source, "f.py", Options()).findings
        assert found.fix is not None and found.fix.applicability == "safe"
        return found.fix.reason or ""

    every = "np.array(out)"
    assert "`r` is an array" not in reason(": float", "0.0", every)
    assert "`r` is an array" in reason("", "0.0", every)  # c may be in single precision
    assert "`r` is an array" in reason(": float", "np.float32(0)", every)


def test_truth_values_and_numbers_are_doubles_where_the_state_is_single() -> None:
    # single * number * truth is single, number * truth is double
    start = "np.float32(0)"
    assert "`m` holds floating-point numbers" in assumed(start, "h * c * m[t] + x[t]")
    assert "`m` holds" not in assumed(start, "(c * m[t]) * h + x[t]")
    # a number of Python becomes a double beside a truth value, from the first step on
    assert "`m` holds" not in assumed("0.0", "h * c * m[t] + x[t]")


def test_a_coefficient_rounds_where_a_state_in_double_precision_did_not() -> None:
    gathered = assumed("np.float64(0)", "h + c * (x[t] - h)")
    assert "`x`" in gathered.partition("holds floating-point")[0]
    assert "of one type" not in assumed("np.float64(0)", "(1 - c) * h + c * x[t]")


def test_unsigned_integers_are_not_turned_negative() -> None:
    assert "`x` holds floating-point numbers" in assumed("0.0", "c * h - x[t]")


def test_chosen_numbers_take_the_type_of_what_is_added() -> None:
    made = fix("0.0", "(0.0 if m[t] else c * h) + x[t]")
    assert made is not None
    assert any(".astype(np.result_type(x" in edit.content for edit in made.edits)


def test_what_numpy_chooses_among_numbers_is_in_double_precision() -> None:
    assert fix("0.0", "np.where(m[t], 0.0, c * h) + x[t]") is None


def test_a_state_that_is_rounded_stays_a_loop() -> None:
    assert fix("np.float32(0)", "np.float32(c * h) + np.float64(x[t])") is None


def test_infinite_states_are_taken_away_from_themselves() -> None:
    assert "`h` stays finite" in assumed("0.0", "h + c * (x[t] - h)")
    assert "finite" not in assumed("0.0", "c * h + x[t]")


KNOWN = sorted({"bool", "int8", "int16", "int32", "int64", "uint8", "float32", "float64",
                "complex64", "complex128"} & set(NUMPY_NAMES.values()))  # fmt: skip


@pytest.mark.parametrize(("a", "b"), [*itertools.combinations_with_replacement(KNOWN, 2)])
def test_types_are_promoted_as_numpy_does(a: str, b: str) -> None:
    found = result_dtype("mul", [Value("", (), dtype=one, library="numpy") for one in (a, b)])
    assert found is None or found == str(np.result_type(np.dtype(a), np.dtype(b)))


@pytest.mark.parametrize("kind", KNOWN)
@pytest.mark.parametrize("number", [1, 1.0])
def test_numbers_are_weak(kind: str, number: float) -> None:
    values = [
        Value("", (), dtype=kind, library="numpy"),
        Value("", (), dtype=type(number).__name__, library="python"),
    ]
    found = result_dtype("mul", values)
    assert found is None or found == str(np.result_type(np.dtype(kind), number))


WITHIN = """\
import numpy as np


def f(x: np.ndarray):
    h = {start}
    out = []
    for v in x:
        h = {step}
        out.append(h)
    return np.array(out)
"""


@pytest.mark.parametrize(
    ("start", "step", "sentence"),
    [
        ("0", "v + max(h, 0)", "`x` holds no truth values and no integers narrower than 64 bits"),
        ("x[0]", "h + 0.1 * (v - h)", "`x` holds no truth values and no integers narrower"),
        ("np.float64(0)", "v if v > h else h", "`h` and `x` are of one type"),
        ("x[0]", "v if v > h else h", None),
    ],
)
def test_types_that_bounds_and_choices_ask_for(start: str, step: str, sentence: str | None) -> None:
    (found,) = audit_text(WITHIN.format(start=start, step=step), "m.py", Options()).findings
    assert found.fix is not None and found.fix.applicability == "safe"
    reason = found.fix.reason or ""
    assert sentence in reason if sentence else "one type" not in reason


@pytest.mark.parametrize("start, step", [("0.0", "0.9 * h + v"), ("x[0]", "min(h, v)")])
def test_a_list_is_not_written_into_at_once(start: str, step: str) -> None:
    text = WITHIN.format(start=start, step=step).replace("np.ndarray", "list[float]")
    text = text.replace("out = []", "").replace("for v in x", "for t, v in enumerate(x)")
    text = text.replace("out.append(h)", "x[t] = h").replace("np.array(out)", "x")
    assert not [one for one in audit_text(text, "m.py", Options()).findings if one.fix]
