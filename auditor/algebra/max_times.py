"""Carried values that are linear in each other over (max, *): the largest of products with what is
never negative, as Viterbi's algorithm on probabilities. A negative factor turns the order round, so
that a running smallest product beside the largest one is linear too, with its sign turned.

Source: Butkovic, "Max-linear Systems" (2010), on the semiring of maxima of products.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from auditor.algebra.affine import NotAffine, function_of_state
from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import Poly, nonnegative, scale, subtract
from auditor.algebra.states import Dependence
from auditor.algebra.summary import LONGEST, Summary, fixed_width, letters
from auditor.notation import Apply, Carry, Index, Read, Reduce, Term, Value, definition, walk

_MOST = 4
"""Carried values whose signs are tried."""
_COMPARED = {"lt": (0, 1), "le": (0, 1), "gt": (1, 0), "ge": (1, 0)}
_POSITIVE = frozenset("exp sigmoid softplus sqrt abs relu square".split())
_OF_POSITIVE = frozenset("add mul div max min where pow".split())
Known = tuple[Poly, ...]


@dataclass(frozen=True)
class MaxTimes:
    """``negated`` are the states whose opposites are the maxima; ``asked`` the factors that are not
    known to be never negative, and have to be."""

    negated: frozenset[Value]
    asked: tuple[Term, ...]


def max_times(
    carries: Sequence[Carry], updates: Sequence[Term], dependence: Dependence
) -> MaxTimes:
    """The carries as linear over (max, *), with as few factors asked for as can be. Raises
    ``NotAffine``."""
    states = [carry.state for carry in carries]
    if len(states) > _MOST or any(state.dtype == "bool" for state in states):
        raise NotAffine(updates[0], "too many states under a maximum")
    found: list[MaxTimes] = []
    first: NotAffine | None = None
    for signs in product((1, -1), repeat=len(states)):
        reader = _Linear(dict(zip(states, signs, strict=True)), dependence)
        try:
            for sign, update in zip(signs, updates, strict=True):
                reader.term(update, sign, ())
        except NotAffine as reason:
            first = first or reason.alone()
            continue
        turned = frozenset(s for s, sign in zip(states, signs, strict=True) if sign < 0)
        if any(scale(form, -1) in reader.asked for form in reader.asked):
            first = first or NotAffine(updates[0], "a factor of either sign")
            continue
        found.append(MaxTimes(turned, tuple(reader.asked.values())))
    if not found:
        assert first is not None
        raise first.alone()
    return min(found, key=lambda one: (len(one.asked), len(one.negated)))


def greatest_products(
    slots: tuple[int, ...],
    carries: Sequence[Carry],
    updates: Sequence[Term],
    dependence: Dependence,
    step: Index,
) -> Summary | None:
    """The summary of a stage whose factors are known to be never negative; None where there is
    no maximum, or a factor has to be asked for. Raises ``NotAffine``."""
    extremes = (n for u in updates for n in walk(u) if isinstance(n, (Apply, Reduce)))
    if any(map(fixed_width, carries)) or not any(n.op in ("max", "min") for n in extremes):
        return None
    found = max_times(carries, updates, dependence)
    if found.asked:
        return None
    naming = letters(carries, updates, step)
    shown = "; ".join(
        f"{carry.name}' = {naming.show(update, LONGEST)}"
        for carry, update in zip(carries, updates, strict=True)
    )
    turned = [carry.name for carry in carries if carry.state in found.negated]
    said = f", with {' and '.join(turned)} negated" if turned else ""
    names = ", ".join(carry.name for carry in carries)
    return Summary(
        "max-times", slots, "the product of the matrices over (max, *)", "a step that copies",
        f"linear in {names} over (max, *){said}: {shown}", "conditioned",
    )  # fmt: skip


@dataclass
class _Linear:
    """Reads terms as maxima of products of states, each with the sign that ``signs`` gives it."""

    signs: dict[Value, int]
    dependence: Dependence
    asked: dict[Poly, Term] = field(default_factory=dict)
    normaliser: Normaliser = field(default_factory=Normaliser)

    def _free(self, term: Term) -> bool:
        return not self.dependence.mentions(term, tuple(self.signs))

    def term(self, term: Term, sign: int, known: Known) -> None:
        """``sign`` is 1 for a largest product, -1 for the opposite of one; ``known`` is what is not
        negative where the term is computed."""
        if self._free(term):
            return
        if isinstance(term, Read):
            self._read(term, sign, known)
        elif isinstance(term, Reduce):
            if term.op != ("max" if sign > 0 else "min"):
                raise NotAffine(term, f"a {term.op} of the state")
            self.term(term.body, sign, known)
        elif not isinstance(term, Apply):
            raise NotAffine(term, "a reduction of the state", certain=False)
        elif term.op in ("mul", "div"):
            self._scaled(term, sign, known)
        else:
            for part, turn, more in self._parts(term, sign):
                self.term(part, sign * turn, (*known, *more))

    def _read(self, read: Read, sign: int, known: Known) -> None:
        if read.value not in self.signs:
            inner = definition(read)
            if inner is None:
                raise NotAffine(read, "a value made of the state", certain=False)
            self.term(inner, sign, known)
        elif self.signs[read.value] != sign or not all(map(self._free, read.subs)):
            raise NotAffine(read, "the order of the states is turned round")

    def _parts(self, term: Apply, sign: int) -> Iterator[tuple[Term, int, Known]]:
        """What a term is made of, each with how it turns the order and with what is known there."""
        op, args = term.op, term.args
        if op in ("max", "min", "relu"):
            if (op == "min") == (sign > 0):
                raise NotAffine(term, f"a {op} of the state")
            yield from ((arg, 1, ()) for arg in args)
        elif op == "neg":
            yield args[0], -1, ()
        elif op == "where" and self._free(args[0]):
            yield args[1], 1, self._said(args[0], True)
            yield args[2], 1, self._said(args[0], False)
        elif op.startswith(("cast:float", "cast:bfloat", "cast:double", "cast:half")):
            yield args[0], 1, ()
        else:
            raise NotAffine(term, function_of_state(op))

    def _said(self, condition: Term, holds: bool) -> Known:
        """What a comparison says is not negative."""
        if not isinstance(condition, Apply) or condition.op not in _COMPARED:
            return ()
        small, large = (condition.args[n] for n in _COMPARED[condition.op])
        form = self.normaliser.normal
        difference = subtract(form(large), form(small))
        return (difference if holds else scale(difference, -1),)

    def _scaled(self, term: Apply, sign: int, known: Known) -> None:
        """A product of one term with the states and of factors without."""
        moving = [arg for arg in term.args if not self._free(arg)]
        if len(moving) != 1 or (term.op == "div" and moving[0] is term.args[1]):
            raise NotAffine(term, "a product of states")
        rest = tuple(arg for arg in term.args if arg is not moving[0])
        by = rest[0] if len(rest) == 1 else Apply("mul", rest)
        inner = moving[0]
        if isinstance(inner, Apply) and inner.op == "where" and self._free(inner.args[0]):
            for part, _, more in self._parts(inner, sign):
                self._turned(part, by, sign, (*known, *more))
        else:
            self._turned(inner, by, sign, known)

    def _turned(self, term: Term, by: Term, sign: int, known: Known) -> None:
        """``term`` times ``by``."""
        form = self.normaliser.normal(by)
        opposite = scale(form, -1)
        if nonnegative(opposite) or opposite in known:
            self.term(term, -sign, known)
            return
        if not (form in known or self._never_negative(by)):
            self.asked[form] = by
        self.term(term, sign, known)

    def _never_negative(self, term: Term) -> bool:
        """Is it so of every element, whatever the places are?"""
        if nonnegative(self.normaliser.normal(term)):
            return True
        if isinstance(term, Read):
            body = term.value.body
            return body is not None and self._never_negative(body)
        if isinstance(term, Reduce):
            return term.op in ("sum", "prod", "max", "min") and self._never_negative(term.body)
        if not isinstance(term, Apply):
            return False
        parts = term.args[1:] if term.op == "where" else term.args
        return term.op in _POSITIVE or (
            term.op in _OF_POSITIVE and all(map(self._never_negative, parts))
        )
