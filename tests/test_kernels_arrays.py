"""The linear recurrence over arrays of NumPy, beside the loop that it replaces."""

from __future__ import annotations

import importlib
import itertools
import warnings
from typing import Any

import numpy as np
import pytest
import torch

from auditor import kernels

arrays = importlib.import_module("auditor.kernels.linear_scan_arrays")


@pytest.fixture(autouse=True)
def fast_path_for_short_sequences(monkeypatch):
    monkeypatch.setattr(arrays, "SHORT_SEQUENCE", 0)


@pytest.fixture(params=["native", "torch"])
def path(request, monkeypatch):
    if request.param == "torch":
        monkeypatch.setattr(arrays.native, "LIBRARY", None)
    elif arrays.native.LIBRARY is None:
        pytest.skip("no compiler built the library")


def loop(a, b, h=0, *, dim=0, reverse=False):
    """As people write it."""
    steps = b.shape[dim]
    rows = []
    for t in reversed(range(steps)) if reverse else range(steps):
        gate = np.moveaxis(a, dim, 0)[t] if np.ndim(a) else a
        h = gate * h + np.moveaxis(b, dim, 0)[t]
        rows.append(h)
    return np.stack(rows[::-1] if reverse else rows, axis=dim), h


def same(found: Any, expected: Any, exact: bool = True) -> None:
    assert type(found) is type(expected)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    if exact:
        np.testing.assert_array_equal(found, expected)
    else:
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


def layouts(x):
    yield x
    yield np.ascontiguousarray(x[::-1])[::-1]
    wide = np.zeros((2 * len(x), *x.shape[1:]), x.dtype)
    wide[::2] = x
    yield wide[::2]
    closed = x.copy()
    closed.flags.writeable = False
    yield closed
    yield np.asfortranarray(x)
    yield x.astype(x.dtype.newbyteorder())


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("shape", "dim"),
    [
        ((1,), 0),
        ((7,), 0),
        ((70,), -1),
        ((40, 3), 0),
        ((3, 40), 1),
        ((2, 33, 5), 1),
        ((5, 4, 3), -1),
    ],
)
def test_it_is_the_loop(path, shape, dim, reverse, dtype):
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(shape).astype(dtype) / 2 for _ in range(2))
    rest = np.delete(np.asarray(shape), dim)
    initial = rng.standard_normal(rest).astype(dtype)[()]
    native = arrays.native.LIBRARY is not None
    for gates, drive in itertools.product((a, 0.9), layouts(b)):
        expected, last = loop(gates, drive.astype(dtype), initial, dim=dim, reverse=reverse)
        before = drive.copy()
        found, final = kernels.linear_scan(
            gates, drive, initial, dim=dim, reverse=reverse, output_final_state=True
        )
        same(found, expected, native)
        same(final, last, native)
        assert np.array_equal(drive, before)


def test_operands_broadcast(path):
    rng = np.random.default_rng(0)
    b, gate = rng.standard_normal((40, 3, 2)), rng.random((40, 1, 2))
    start = rng.standard_normal(2)
    expected, _ = loop(np.broadcast_to(gate, b.shape), b, start, dim=0)
    same(kernels.linear_scan(gate, b, start, dim=0), expected, arrays.native.LIBRARY is not None)


KINDS = ["f8", "f4", "f2", "i8", "i4", "u1", "?", "c16"]


@pytest.mark.parametrize("start", [None, 0.0, 2, np.float32(0.5), np.float64(0.5)], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_types_are_those_of_the_loop(kind, start):
    rng = np.random.default_rng(0)
    b = (3 * rng.random(20)).astype(kind)
    gates = [0.5, 2, np.float64(0.5), np.float32(0.5)]
    gates += [rng.random(20).astype(other) for other in KINDS]
    for gate in gates:
        with np.errstate(all="ignore"):
            expected, last = loop(gate, b, 0 if start is None else start)
            found, final = kernels.linear_scan(gate, b, start, dim=0, output_final_state=True)
        assert found.dtype == expected.dtype
        assert type(final) is type(last)
        np.testing.assert_allclose(found, expected, rtol=1e-2 if "f2" in kind else 1e-5)


def test_without_steps_the_state_is_as_given():
    start = np.ones(3)
    out, final = kernels.linear_scan(0.5, np.zeros((0, 3)), start, dim=0, output_final_state=True)
    assert final is start
    assert out.shape == (0, 3)
    assert kernels.linear_scan(0.5, np.zeros(0, np.float32), dim=0).dtype == np.float32


def test_the_last_state_is_no_view():
    out, final = kernels.linear_scan(0.5, np.ones((40, 3)), dim=0, output_final_state=True)
    out[:] = 0
    assert final.all()


def test_what_overflows_is_told_as_by_the_loop():
    b = np.ones(400)
    with pytest.warns(RuntimeWarning, match="overflow"):
        kernels.linear_scan(1e3, b, dim=0)
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        kernels.linear_scan(1e3, b, dim=0)
    b[3] = np.nan  # is no error, nor are infinite numbers that are there
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(kernels.linear_scan(0.5, b, dim=0)[3:]).all()
        b[3] = np.inf
        kernels.linear_scan(0.5, b, dim=0)


def test_masks_are_the_loops():
    b = np.ma.masked_less(np.arange(40.0), 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = kernels.linear_scan(0.5, b, dim=0)
    assert np.isnan(found).all()  # as where each state is put into an array


def test_errors_are_the_loops():
    with pytest.raises(ValueError, match="broadcast"):
        kernels.linear_scan(np.ones(3), np.ones(40), dim=0)
    with pytest.raises(IndexError):
        kernels.linear_scan(0.5, np.ones(40), dim=1)


def test_rows_of_arrays_stay_arrays():
    x, gate = np.zeros((9, 4, 3)), np.ones(9)
    one, other = kernels.per_step(x, gate)
    assert isinstance(other, np.ndarray)
    assert one.shape == x.shape
    assert other.shape == (9, 1, 1)
    (alone,) = kernels.per_step(gate, beside=(np.zeros(3), 0.5))
    assert alone.shape == (9, 1)
    assert np.shares_memory(alone, gate)
    with pytest.raises(IndexError):
        kernels.per_step(np.array(1.0))
    assert isinstance(kernels.per_step(gate, torch.zeros(9))[0], torch.Tensor)
