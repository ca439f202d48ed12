"""Best by key: values that are remembered from where another carried value was largest or least.

The key is a running extreme: it keeps what it had (moved by what the step adds) or takes a
candidate. What follows it is interpreted three times, where the candidate is better, where it is
as good, and where it is worse; in between nothing else may be asked of the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor.algebra.affine import NotAffine, Place, interpret, is_number, plus
from auditor.algebra.choices import decided
from auditor.algebra.normal import Normaliser, equal
from auditor.algebra.piecewise import NEGATIVE_INF, clamped
from auditor.algebra.polynomial import Poly, scale, subtract
from auditor.algebra.states import Dependence
from auditor.notation import (
    FALSE,
    INF,
    TRUE,
    ZERO,
    Apply,
    Carry,
    Index,
    Read,
    Reduce,
    Term,
    Value,
    substitute,
    transform,
    walk,
)


@dataclass(frozen=True)
class Remembered:
    """``tie``: on a tie the ``earlier`` or the ``later`` place stays, or ``both`` count."""

    extreme: str
    tie: str
    key: Term
    elements: dict[str, Term] = field(default_factory=dict)


def remembered(
    carry: Carry, update: Term, key: Carry, key_update: Term, core: Sequence[Carry],
    dependence: Dependence,
) -> Remembered | None:  # fmt: skip
    """How ``carry`` follows the running extreme ``key``; None if it does not."""
    try:
        found = clamped(key_update, key.state, dependence)
    except NotAffine:
        return None
    if not is_number(found.a, 1):
        return None
    if (found.low is NEGATIVE_INF) == (found.high is INF):
        return None
    largest = found.high is INF
    candidate = found.low if largest else found.high
    others = {other.state for other in core if other is not key}
    if len(dependence.states(candidate) & others) > 1 or dependence.mentions(found.b, others):
        return None
    if dependence.mentions(candidate, others) and not _one_source(candidate, others, dependence):
        return None
    old = plus(Read(key.state, key.state.axes), found.b)
    normaliser = Normaliser()
    ahead = subtract(normaliser.normal(candidate), normaliser.normal(old))
    if not largest:
        ahead = scale(ahead, -1)
    cases = [Resolver(normaliser, ahead, sign).resolved(update) for sign in (1, 0, -1)]
    better, same, worse = cases
    mine = Read(carry.state, carry.state.axes)
    everyone = {carry.state, *(other.state for other in core)}
    if worse is not mine or dependence.mentions(better, everyone):
        return None
    extreme = "max" if largest else "min"
    if same is mine:
        return Remembered(extreme, "earlier", candidate, {"new": better})
    if same is better or equal(same, better):
        return Remembered(extreme, "later", candidate, {"new": better})
    if dependence.mentions(same, everyone - {carry.state}):
        return None
    try:
        step = interpret(same, frozenset((carry.state,)), dependence)
    except NotAffine:
        return None
    if not step.diagonal(carry.state.axes):
        return None
    a = step.coefficients.get(Place(carry.state, carry.state.axes), ZERO)
    return Remembered(extreme, "both", candidate, {"new": better, "a": a, "b": step.constant})


def _one_source(candidate: Term, others: set[Value], dependence: Dependence) -> bool:
    """Is it one other state, moved? Of several sources the earlier one would have to be known."""
    try:
        found = interpret(candidate, frozenset(others), dependence)
    except NotAffine:
        return False
    return all(is_number(factor, 1) for factor in found.coefficients.values())


@dataclass
class Resolver:
    """Terms where the sign of one difference is known."""

    normaliser: Normaliser
    difference: Poly
    sign: int

    def resolved(self, term: Term) -> Term:
        return transform(term, self._change)

    def _change(self, node: Term) -> Term:
        if not isinstance(node, Apply):
            return node
        if node.op in ("lt", "le", "gt", "ge", "eq", "ne"):
            sign = self._sign(*node.args)
            if sign is None:
                return node
            truth = {"lt": sign < 0, "le": sign <= 0, "gt": sign > 0, "ge": sign >= 0,
                     "eq": sign == 0, "ne": sign != 0}[node.op]  # fmt: skip
            return TRUE if truth else FALSE
        if node.op in ("max", "min") and len(node.args) == 2:
            sign = self._sign(*node.args)
            if sign is None:
                return node
            return node.args[0] if (sign >= 0) == (node.op == "max") else node.args[1]
        return decided(node)

    def _sign(self, a: Term, b: Term) -> int | None:
        p = subtract(self.normaliser.normal(a), self.normaliser.normal(b))
        if not p.terms or set(p.terms) != set(self.difference.terms):
            return None
        if p == self.difference:
            return self.sign
        return -self.sign if scale(p, -1) == self.difference else None


def single_truths(term: Term, axes: tuple[Index, ...]) -> Term:
    """``term`` with Python's truths of arrays, which have one element, asked at ``axes``."""
    groups = [axis for axis in axes if axis.group]

    def change(node: Term) -> Term:
        if isinstance(node, Apply) and node.op == "call:bool" and len(groups) == len(axes) == 1:
            (inner,) = node.args
            if isinstance(inner, Reduce) and inner.op == "any" and inner.index.group:
                return substitute(inner.body, {inner.index: groups[0]})
        return node

    return transform(term, change)


def place_of_best(
    update: Term, state: Value, dependence: Dependence
) -> tuple[Term, Term, str] | None:
    """``where(key(new) better than key(state), new, state)``: the new place, its key, and which
    place stays on a tie."""
    if not isinstance(update, Apply) or update.op != "where":
        return None
    condition, then, otherwise = update.args
    mine = Read(state, state.axes)
    if not isinstance(condition, Apply) or condition.op not in ("lt", "le", "gt", "ge"):
        return None
    swapped = then is mine
    new = otherwise if swapped else then
    if (then is mine) == (otherwise is mine) or dependence.mentions(new, (state,)):
        return None
    sides = [dependence.mentions(side, (state,)) for side in condition.args]
    if sides[0] == sides[1]:
        return None
    of_state, of_new = condition.args if sides[0] else reversed(condition.args)
    # the same function of the place on both sides
    if any(isinstance(node, Read) and node is mine for node in [of_state]):
        return None
    if any(isinstance(n, Apply) and n.op.startswith("call:value ") for n in walk(of_state)):
        return None
    moved = transform(of_state, lambda node: new if node is mine else node)
    if dependence.mentions(moved, (state,)) or not equal(moved, of_new):
        return None
    inclusive = condition.op in ("le", "ge")
    return new, of_new, "earlier" if inclusive == swapped else "later"
