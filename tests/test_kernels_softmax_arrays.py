"""Softmax and logsumexp of NumPy's arrays, beside the passes that they replace."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np
import pytest

from auditor import kernels

arrays = importlib.import_module("auditor.kernels.softmax_arrays")

SHAPES = [
    ((1,), 0),
    ((7,), -1),
    ((70,), 0),
    ((5000,), 0),
    ((3, 40), 1),
    ((40, 3), 0),
    ((33, 50), 0),
    ((2, 65, 17), 1),
    ((2, 33, 5), -2),
    ((5, 4, 34), -1),
    ((5, 1, 3), 1),
    ((3, 4, 50), (1, 2)),
    ((3, 7, 11), (-3, -2)),
    ((6, 4, 30), (0, 2)),
    ((3, 40), (1, 0)),
    ((3, 5, 40), None),
]


@pytest.fixture(params=["native", "numpy"])
def path(request, monkeypatch):
    monkeypatch.setattr(arrays, "FEW_ENTRIES", 0)
    monkeypatch.setattr(arrays, "SHORT_ROW", 0)
    if request.param == "numpy":
        monkeypatch.setattr(arrays.native, "LIBRARY", None)
    elif arrays.native.LIBRARY is None:
        pytest.skip("no compiler built the library")


def softmax(x, axis):
    """As people write it."""
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def log_sum(x, axis, keepdims=False):
    m = np.max(x, axis=axis, keepdims=True)
    found = m + np.log(np.exp(x - m).sum(axis=axis, keepdims=True))
    return found if keepdims else np.squeeze(found, axis)[()]


def same(found: Any, expected: Any, error: float) -> None:
    assert type(found) is type(expected)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=error, atol=error)


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
    yield np.broadcast_to(x[:1], x.shape)
    yield np.frombuffer(b" " + x.tobytes(), x.dtype, offset=1).reshape(x.shape)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("shape", "dim"), SHAPES)
def test_it_is_the_passes(path, shape, dim, dtype):
    error = 1e-13 if dtype is np.float64 else 3e-6
    rng = np.random.default_rng(0)
    for x in layouts((9 * rng.standard_normal(shape)).astype(dtype)):
        before = x.copy()
        found = kernels.online_softmax(x, dim)
        expected = softmax(x, dim)
        same(found, expected, error)
        assert found.strides == expected.strides
        assert found.flags.writeable
        same(kernels.logsumexp(x, dim), log_sum(x, dim), error)
        same(kernels.logsumexp(x, dim, keepdim=True), log_sum(x, dim, True), error)
        np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("kind", ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "g", "c16"])
def test_types_are_those_of_the_passes(path, kind):
    x = np.arange(12).reshape(3, 4).astype(kind)
    for dim in (0, 1):
        same(kernels.online_softmax(x, dim), softmax(x, dim), 2e-3)
        if "c" not in kind:
            same(kernels.logsumexp(x, dim), log_sum(x, dim), 2e-3)


def test_long_sums_are_as_exact_as_in_pairs(path):
    x = np.random.default_rng(0).standard_normal(1 << 20).astype(np.float32)
    weights = softmax(x.astype(np.float64), 0)
    assert np.abs(kernels.online_softmax(x, 0) / weights - 1).max() < 1e-6
    assert abs(kernels.logsumexp(x, 0) - log_sum(x.astype(np.float64), 0)) < 2e-6


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_is_no_number(path, dtype):
    x = np.zeros((6, 40), dtype)
    x[0, 3] = np.nan
    x[1, 39] = np.inf
    x[2] = -np.inf
    x[3, 5:] = -np.inf
    x[4] = np.nan
    with np.errstate(all="ignore"):
        for rows, dim in ((x, 1), (np.ascontiguousarray(x.T), 0)):
            weights, sums = kernels.online_softmax(rows, dim), kernels.logsumexp(rows, dim)
            same(weights, softmax(rows, dim), 1e-6)
            np.testing.assert_allclose(
                sums, [np.nan, np.inf, -np.inf, np.log(5), np.nan, np.log(40)], rtol=1e-6
            )


def test_small_weights_are_told_of_no_more_than_by_the_passes(path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = np.linspace(-2000, 2000, 120).reshape(3, 40)
        kernels.online_softmax(x, 1)
        kernels.logsumexp(x, 1)


def test_others_than_arrays_have_their_own_arithmetic(path):
    same(kernels.online_softmax([[1.0, 2.0], [3.0, 5.0]], 1), softmax([[1.0, 2], [3, 5]], 1), 1e-15)
    same(kernels.logsumexp([1.0, 2.0], 0), log_sum([1.0, 2.0], 0), 1e-15)
    masked = np.ma.masked_less(np.arange(80.0).reshape(2, 40), 3)
    found = kernels.online_softmax(masked, 1)
    assert isinstance(found, np.ma.MaskedArray)
    assert found.mask.sum() == 3


def test_errors_are_those_of_the_passes(path):
    with pytest.raises(np.exceptions.AxisError):
        kernels.online_softmax(np.ones(40), 1)
    with pytest.raises(ValueError, match="zero-size"):
        kernels.online_softmax(np.ones((0, 40)), 0)
    assert kernels.online_softmax(np.ones((0, 40)), 1).shape == (0, 40)


@pytest.mark.parametrize("axis", [0, -1, None])
@pytest.mark.parametrize("x", [np.array(2.0), np.float32(3.0)])
def test_what_has_no_axes_stays_a_number(x, axis):
    same(kernels.online_softmax(x, axis), softmax(x, axis), 0)
    same(kernels.logsumexp(x, axis, keepdim=True), log_sum(x, axis, keepdims=True), 0)
