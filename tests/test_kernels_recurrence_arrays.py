"""Recurrences of several values over arrays of NumPy, beside the loop that they replace."""

from __future__ import annotations

import importlib
import itertools
import warnings

import numpy as np
import pytest

from auditor import kernels

arrays = importlib.import_module("auditor.kernels.associative_scan_arrays")

LENGTHS = (0, 1, 2, 3, 40)
ROWS = ((), (1,), (3,), (2, 5))


@pytest.fixture(autouse=True, params=["C", "NumPy", "wide"])
def path(request, monkeypatch):
    """All that may run in C, nothing of it, and rows that NumPy takes."""
    monkeypatch.setattr(arrays, "SHORT_SEQUENCE", 0)
    if request.param == "NumPy":
        monkeypatch.setattr(arrays.native, "LIBRARY", None)
    elif arrays.native.LIBRARY is None:
        pytest.skip("no compiled library")
    if request.param == "wide":
        monkeypatch.setattr(arrays, "WIDE_ROW", 0)


def step(state, element):
    one, two = state
    a00, a01, a10, a11, b0, b1 = element
    return a00 * one + a01 * two + b0, a10 * one + a11 * two + b1


def combine(first, second):
    raise AssertionError("steps are taken one after the other")


def scan(elements, initial, **options):
    return kernels.associative_scan(
        combine, elements, step=step, initial_state=initial, output_final_state=True, **options
    )


def same(found, expected, tolerance=1e-12):
    for some, other in zip((*found[0], *found[1]), (*expected[0], *expected[1]), strict=True):
        assert type(some) is type(other)
        assert np.shape(some) == np.shape(other)
        assert np.asarray(some).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(some, other, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
@pytest.mark.parametrize("reverse", [False, True])
def test_the_scan_is_the_loop(dtype, reverse):
    numbers = np.random.default_rng(0)
    floats = "float32" if dtype == "float32" else "float64"
    tolerance = 1e-5 if dtype == "float32" else 1e-12
    for length, rows in itertools.product(LENGTHS, ROWS):
        for dim in range(1 + len(rows)):
            drive = np.moveaxis(
                (3 * numbers.standard_normal((length, *rows))).astype(dtype), 0, dim
            )
            gate = numbers.random((length, *(1,) * len(rows))).astype(floats)
            gate = np.moveaxis(gate, 0, dim)
            starts = [0.5, 0, np.float32(0.25)]
            starts += [numbers.standard_normal(rows).astype(floats)] if rows else []
            for start, elements in itertools.product(
                starts, [(0.5, -0.2, 1, 0, drive, 0), (gate, -0.2, 1, 0, drive, 0),
                         (0.5, 0.1, 0.2, gate, drive, drive)],
            ):  # fmt: skip
                options = {"dim": dim, "reverse": reverse}
                expected = arrays.reference(
                    step, elements, (start, start), output_final_state=True, **options
                )
                same(scan(elements, (start, start), **options), expected, tolerance)


def bounded(state, element):
    shift, low, high = element
    return np.minimum(np.maximum(state + shift, low), high)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_numbers_within_bounds_are_the_loop_to_the_last_bit(dtype):
    numbers = np.random.default_rng(1)
    for length, rows in itertools.product(LENGTHS, ROWS):
        drive = (3 * numbers.standard_normal((length, *rows))).astype(dtype)
        drive[length // 2 : length // 2 + 1] = np.inf if dtype != "int64" else 1000
        for elements in ((drive, 0.0, 2.0), (drive, 0, 1), (drive, -np.inf, drive)):
            options = {"dim": 0, "output_final_state": True}
            expected = arrays.reference(bounded, elements, 0.0, **options)
            found = kernels.associative_scan(
                combine, elements, step=bounded, initial_state=0.0, **options
            )
            for some, other in zip(found, expected, strict=True):
                assert type(some) is type(other)
                assert np.asarray(some).dtype == np.asarray(other).dtype
                np.testing.assert_array_equal(some, other)


def test_numbers_within_bounds_run_as_a_program():
    call, _ = arrays._read(bounded, (np.ones(40), 0, 1), 0.0, 0, False)
    assert arrays._recorded(call) is not None


def test_what_is_handed_on_stays_infinite():
    drive = np.zeros(9)
    drive[3] = np.inf
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        states, _ = scan((0.5, 0.25, 1, 0, drive, 0), (0.0, 0.0), dim=0)
    assert np.isposinf(states[0][3:]).all()
    assert np.isposinf(states[1][4:]).all()


def test_overflow_warns_as_the_loop_does():
    elements = (1e200, 1.0, 1, 0, np.ones(9), 0)
    with pytest.warns(RuntimeWarning, match="overflow"):
        scan(elements, (1.0, 1.0), dim=0)
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        scan(elements, (1.0, 1.0), dim=0)


def test_operands_are_left_as_they_are():
    drive = np.linspace(-1, 1, 24).reshape(12, 2)[::-2]
    drive.flags.writeable = False
    before, start = drive.copy(), np.ones(2)
    states, last = scan((0.5, 0.1, 1, 0, drive, 0), (start, start), dim=0)
    assert np.array_equal(drive, before)
    assert np.array_equal(start, np.ones(2))
    last[0][:] = 7
    assert not (states[0] == 7).any()


def test_functions_that_cannot_be_recorded_are_called():
    def bent(state, element):
        return np.tanh(state * 0.5 + element[0])

    drive = np.linspace(-1, 1, 12)
    expected, h = [], 0.0
    for x in drive:
        expected.append(h := np.tanh(h * 0.5 + x))
    found = kernels.associative_scan(combine, (drive,), dim=0, step=bent, initial_state=0.0)
    np.testing.assert_allclose(found, expected)


def test_no_such_axis():
    with pytest.raises(IndexError):
        scan((0.5, 0.1, 1, 0, np.ones(4), 0), (0.0, 0.0), dim=1)


@pytest.mark.parametrize("kind", ["uint8", "uint16", "uint64"])
@pytest.mark.parametrize("start", [None, 3, "first"])
def test_unsigned_integers_are_taken_off(kind, start):
    x = np.array([7, 200, 3, 9, 250], kind)
    h = x[0] if start == "first" else start or 0
    rows = [h := v - h for v in x]
    found = kernels.linear_scan(-1, x, x[0] if start == "first" else start, dim=0)
    assert found.dtype == x.dtype and found.tolist() == [int(row) for row in rows]
