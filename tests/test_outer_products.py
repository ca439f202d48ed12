"""Whether a matrix of weights is an outer product, exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from auditor.matrices.outer import minor, outer_product
from auditor.notation import Apply, Const, Index, Read, Value

U, V = Index("u", Const(3)), Index("v", Const(3))


def matrix(rows):
    return [tuple(Fraction(entry) for entry in row) for row in rows]


@pytest.mark.parametrize("seed", range(40))
def test_a_minor_is_found_where_the_rank_is_more_than_one(seed):
    rng = np.random.default_rng(seed)
    entries = np.outer(rng.integers(-3, 4, 4), rng.integers(-3, 4, 5))
    if seed % 2:
        entries[tuple(rng.integers(0, 4, 2))] += 1
    found = minor(matrix(entries.tolist()))
    assert (found is None) == (np.linalg.matrix_rank(entries) <= 1)
    if found is not None:
        p, r, q, s = found
        assert entries[p, q] * entries[r, s] != entries[r, q] * entries[p, s]


def stated(rows):
    """A matrix as the lifter reads it: choices by the places."""

    def chosen(parts, index):
        *first, last = parts
        for place, part in reversed(list(enumerate(first))):
            last = Apply("where", (Apply("eq", (index, Const(place))), part, last))
        return last

    return chosen([chosen([Const(entry) for entry in row], V) for row in rows], U)


def factors(rows):
    return outer_product(stated(rows), U, V, (Const(3), Const(3)))


def test_decimals_are_taken_as_they_are_written():
    found = factors([[0.01, 0.02, 0.03], [0.02, 0.04, 0.06], [0.07, 0.14, 0.21]])
    assert found is not None
    assert found.column == tuple(Fraction(n, 100) for n in (1, 2, 7))
    assert found.row == (1, 2, 3)
    assert factors([[0.01, 0.02, 0.03], [0.02, 0.04, 0.06], [0.07, 0.14, 0.2100001]]) is None


def test_derivatives_and_zeros():
    sobel = factors([[1.0, 0.0, -1.0], [2.0, 0.0, -2.0], [1.0, 0.0, -1.0]])
    assert sobel is not None and (sobel.column, sobel.row) == ((1, 2, 1), (1, 0, -1))
    late = factors([[0, 0, 0], [0, 0, 3], [0, 0, 6]])
    assert late is not None and (late.column, late.row) == ((0, 3, 6), (0, 0, 1))
    assert factors([[0, 0, 0]] * 3) is None
    assert factors([[0, 1, 0], [1, -4, 1], [0, 1, 0]]) is None


def test_factors_move_with_one_axis_each():
    n = Index("n", Const(3))
    one, two = (Value(name, (n,)) for name in "ab")
    sizes = (U.extent, V.extent)
    product = Apply("mul", (Read(one, (U,)), Read(two, (V,))))
    found = outer_product(product, U, V, sizes)
    assert found is not None and (found.column, found.row) == (one, two)
    for other in (
        Apply("add", (Read(one, (U,)), Read(two, (V,)))),
        Apply("mul", (Read(one, (U,)), Read(two, (U,)))),
        Apply("mul", (product, Read(one, (U,)))),
        Apply("div", (Read(one, (U,)), Read(two, (V,)))),
        Apply("exp", (product,)),
    ):
        assert outer_product(other, U, V, sizes) is None
