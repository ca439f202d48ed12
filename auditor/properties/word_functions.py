"""A step that mixes additions and products with operations on bits, refuted by counting functions.

What such a step makes of the lowest bits rests on the lowest bits alone, so that it permutes their
values, and the steps generate a group. If a summary held so many numbers, each more bit would bring
it a bounded factor; where the group's order has twice as many new digits with each bit, no number
of words holds what n steps do.

Source: Klimov and Shamir, "A new class of invertible mappings" (2002), on triangular functions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import reduce

import numpy as np

from auditor.algebra.as_fold import ScalarFold
from auditor.algebra.few_values import Interval
from auditor.algebra.limits import tick
from auditor.algebra.sampling import Array
from auditor.notation import Apply, Carry, Const, Read, Term, Value, walk

_FEWEST, _MOST = 2, 8
"""Bits that are asked about: a factor of 33 is one of 1 in the lowest five."""
_MANY_DIGITS = 3
_FACTOR = 3
"""What an input that no step changes is: odd, so that a product by it is a permutation."""
_ON_BITS = frozenset(("bitand", "bitor", "bitxor"))
_JOINED: dict[str, Callable[[Array, Array], Array]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "bitand": operator.and_,
    "bitor": operator.or_, "bitxor": operator.xor,
}  # fmt: skip
_SPELLED = {"and": "bitand", "or": "bitor", "xor": "bitxor", "left_shift": "shift"}


class _NotTriangular(Exception):
    """A bit rests on higher ones, or an operation is not of whole numbers."""


def mixes(fold: ScalarFold, carry: Carry, known: Mapping[Value, Interval]) -> str | None:
    """How many functions of the lowest bits the steps make, if these are more than any number of
    words tells apart; None otherwise."""
    moving = [v for v in _inputs(carry) if fold.varying(v)]
    if len(moving) != 1 or not any(map(_mixes, walk(carry.update))):
        return None
    constant = {v: _constant(known.get(v)) for v in _inputs(carry) if v not in moving}
    beside = "".join(f", {v.name.strip()} = {n}" for v, n in constant.items() if v not in known)
    digits: list[int] = []
    try:
        for bits in range(_FEWEST, _MOST + 1):
            given = [n for n in (0, *(1 << place for place in range(bits)))
                     if moving[0] not in known or known[moving[0]].holding(n) == n]  # fmt: skip
            order = _order(carry, bits, [{**constant, moving[0]: n} for n in given])
            digits.append(order.bit_length() - 1)
            if _doubles(digits):
                widths = f"{bits - 2}, {bits - 1} and {bits}"
                orders = ", ".join(f"2^{n}" for n in digits[-3:])
                return (
                    f"of the lowest {widths} bits of {carry.name} alone steps with "
                    f"{moving[0].name.strip()} = {', '.join(map(str, given))}{beside} make "
                    f"{orders} functions: no summary of so many words"
                )
    except _NotTriangular:
        pass
    return None


def _mixes(node: Term) -> bool:
    """Is it an operation on bits that does more than to leave out the high ones?"""
    if not isinstance(node, Apply) or _op(node) not in _ON_BITS:
        return False
    numbers = [arg.value for arg in node.args if isinstance(arg, Const)]
    masks = [n for n in numbers if isinstance(n, int) and n >= 0 and not n & (n + 1)]
    return _op(node) != "bitand" or not masks


def _doubles(digits: list[int]) -> bool:
    """Does each more bit bring twice as many new digits as the one before it?"""
    if len(digits) < 3:
        return False
    one, two = digits[-2] - digits[-3], digits[-1] - digits[-2]
    return one >= _MANY_DIGITS and two >= 2 * one - 1


def _inputs(carry: Carry) -> list[Value]:
    read = (node.value for node in walk(carry.update) if isinstance(node, Read))
    return [value for value in dict.fromkeys(read) if value is not carry.state]


def _constant(between: Interval | None) -> int:
    return _FACTOR if between is None or between.point is None else int(between.point)


def _order(carry: Carry, bits: int, givens: list[dict[Value, int]]) -> int:
    """How many permutations of the numbers of so many bits the steps generate."""
    from sympy.combinatorics import Permutation, PermutationGroup

    numbers = np.arange(1 << bits)
    made = []
    for given in givens:
        tick(numbers.size)
        left = _value(carry.update, {**given, carry.state: numbers}) % numbers.size
        if len(np.unique(left)) < numbers.size:
            raise _NotTriangular
        made.append(Permutation(left.tolist()))
    return int(PermutationGroup(made).order())


def _op(term: Apply) -> str:
    plain = term.op.removeprefix("call:").removeprefix("bitwise_")
    return _SPELLED.get(plain, plain)


def _value(term: Term, given: Mapping[Value, Array | int]) -> Array:
    """What a term is modulo the numbers that are asked about, or a multiple of these beside it."""
    if isinstance(term, Const) and isinstance(term.value, int):
        return np.asarray(term.value % (1 << _MOST))
    if isinstance(term, Read) and term.value in given:
        return np.asarray(given[term.value])
    if not isinstance(term, Apply):
        raise _NotTriangular
    op = _op(term)
    if op in ("shift", "mod"):
        number, by = _value(term.args[0], given), _whole(term.args[1], given)
        if op == "shift":
            return number * (1 << min(by, _MOST))
        if by & (by - 1) or by < 1 << _MOST:
            raise _NotTriangular
        return number
    parts = [_value(arg, given) for arg in term.args]
    if op == "neg":
        return -parts[0]
    if op not in _JOINED:
        raise _NotTriangular
    return reduce(_JOINED[op], parts) % (1 << _MOST)


def _whole(term: Term, given: Mapping[Value, Array | int]) -> int:
    """A number that the code says."""
    number = term.value if isinstance(term, Const) else None
    if isinstance(term, Read) and term.value in given:
        held = given[term.value]
        number = held if isinstance(held, int) else None
    if not isinstance(number, int) or number < 0:
        raise _NotTriangular
    return number
