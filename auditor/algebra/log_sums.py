"""Logarithms of sums of exponentials: the semiring of ``logaddexp`` and ``+``, in which a hidden
Markov model's forward step is linear, with its maximum taken out or not."""

from __future__ import annotations

from typing import Any

from auditor.algebra.limits import CannotSpell
from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import Atom, Poly
from auditor.algebra.semirings import LOG_SUMS, NotLinear, Row, Semiring
from auditor.algebra.spell import spelled
from auditor.algebra.states import Dependence
from auditor.algebra.subterms import values_in
from auditor.notation import ONE, ZERO, Apply, Const, Read, Term, Value, walk

_LOGARITHMS = frozenset(("log", "logaddexp", "log1p", "softplus", "log2"))
_NOTHING = Const(float("-inf"))


def takes_logarithms(term: Term, states: frozenset[Value]) -> bool:
    """Is there a logarithm of the states in it?"""
    dependence = Dependence()
    return any(
        isinstance(node, Apply) and node.op in _LOGARITHMS and dependence.mentions(node, states)
        for node in walk(term)
    )


def exponentials(term: Term, states: frozenset[Value]) -> dict[Value | None, Poly] | None:
    """``exp(term)`` as a sum of multiples of the exponentials of states, and (None) of what reads
    no state; None where it is not."""
    normaliser = Normaliser()
    weights: dict[Any, Value] = {}
    for state in states:
        place = normaliser.normal(Read(state, state.axes)).atom
        weights[Atom("exp", frozenset(((place, 1),))), 1] = state
    grown = normaliser.normal(Apply("exp", (term,)))
    found: dict[Value | None, dict[Any, Any]] = {}
    for factors, coefficient in grown.terms.items():
        inside = [factor for factor in factors if factor in weights]
        rest = frozenset(factor for factor in factors if factor not in inside)
        if len(inside) > 1 or values_in(Poly({rest: 1})) & states:
            return None
        key = weights[inside[0]] if inside else None
        found.setdefault(key, {})[rest] = coefficient
    return {key: Poly(terms) for key, terms in found.items()}


def _row(term: Term, states: frozenset[Value]) -> Row:
    dependence = Dependence()
    if not dependence.mentions(term, states):
        return {} if term is _NOTHING else {None: term}
    if isinstance(term, Read):
        return {term.value: ZERO}
    if isinstance(term, Apply) and term.op == "where":
        condition, then, other = term.args
        if dependence.mentions(condition, states):
            raise NotLinear
        one, two = _row(then, states), _row(other, states)
        return {
            key: Apply("where", (condition, one.get(key, _NOTHING), two.get(key, _NOTHING)))
            for key in {**one, **two}
        }
    found = exponentials(term, states)
    if found is None:
        raise NotLinear
    try:
        return {key: logarithm(spelled(poly)) for key, poly in found.items()}
    except CannotSpell:
        raise NotLinear from None


def logarithm(term: Term) -> Term:
    """The logarithm of a term, of 0 minus infinity; of what is negative an error at run time."""
    if isinstance(term, Apply):
        if term.op == "exp":
            return term.args[0]
        if term.op == "mul":
            return Apply("add", tuple(map(logarithm, term.args)))
        if term.op == "where":
            return Apply("where", (term.args[0], *map(logarithm, term.args[1:])))
    if term is ONE:
        return ZERO
    if isinstance(term, Const) and isinstance(term.value, (int, float)) and term.value > 0:
        return Apply("log", (term,))
    return Apply("where", (Apply("eq", (term, ZERO)), _NOTHING, Apply("log", (term,))))


LOGS = Semiring(LOG_SUMS, "logaddexp", "add", _NOTHING, ZERO, _row)
