"""Inverses of matrices as a factor of a product."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.lift.tables.inverses import INVERSE
from auditor.notation import Apply, Const, Index, Read, Reduce, Term, Value, definition


@dataclass(frozen=True)
class InverseProduct:
    """``sum_k inverse[.., k] other[.., k]``. ``inverse`` reads the inverse itself, behind the
    values of ``passed``, which multiply it by ``scales``."""

    inner: Index
    inverse: Read
    other: Read
    passed: tuple[Value, ...]
    scales: tuple[Term, ...]

    @property
    def matrix(self) -> Value:
        assert self.inverse.value.made is not None
        return self.inverse.value.made[1]

    @property
    def turned(self) -> bool:
        """Whether the sum runs over the rows of the inverse."""
        return self.inverse.subs[-2] is self.inner

    @property
    def outer(self) -> Term:
        """The index of the inverse that the result has."""
        return self.inverse.subs[-1 if self.turned else -2]

    @property
    def batch(self) -> tuple[Term, ...]:
        return self.inverse.subs[:-2]


def inverse_product(value: Value) -> InverseProduct | None:
    total = value.body
    if not (isinstance(total, Reduce) and total.op == "sum" and isinstance(total.body, Apply)):
        return None
    if total.body.op != "mul" or len(total.body.args) != 2:
        return None
    for one, other in (total.body.args, total.body.args[::-1]):
        found = inverse_in(one)
        if found is None or not isinstance(other, Read):
            continue
        read, passed, scales = found
        row, column = read.subs[-2:]
        if row is column or total.index not in (row, column) or total.index in read.subs[:-2]:
            continue
        if other.subs.count(total.index) == 1:
            return InverseProduct(total.index, read, other, passed, scales)
    return None


def inverse_in(factor: Term) -> tuple[Read, tuple[Value, ...], tuple[Term, ...]] | None:
    """The read of the inverse that a factor is, up to views and factors that are numbers."""
    passed: list[Value] = []
    scales: list[Term] = []
    at: Term | None = factor
    while True:
        if isinstance(at, Apply) and at.op == "neg":
            scales.append(Const(-1))
            at = at.args[0]
        elif isinstance(at, Apply) and at.op == "mul" and len(at.args) == 2:
            numbers = [arg for arg in at.args if _is_number(arg)]
            if len(numbers) != 1:
                return None
            scales += numbers
            at = at.args[1 if numbers[0] is at.args[0] else 0]
        elif isinstance(at, Read):
            passed.append(at.value)
            if at.value.made is not None and at.value.made[0] == INVERSE:
                return (at, tuple(passed), tuple(scales)) if len(at.subs) >= 2 else None
            at = definition(at)
        else:
            return None


def _is_number(term: Term) -> bool:
    if isinstance(term, Const):
        return isinstance(term.value, (int, float))
    return isinstance(term, Read) and not term.value.axes
