"""The straight-line paths of a loop's body: every maximum and every branch that depends on the
carried values resolved one way, consistently across all updates.

Two conditions that compare the same things are the same decision, whether they are spelled as a
branch or as a maximum; a path is an update without cases, which algebra can work on.
"""

from __future__ import annotations

from auditor.algebra.normal import Normaliser
from auditor.algebra.polynomial import Poly, leads_positive, scale, subtract
from auditor.algebra.states import Dependence
from auditor.notation import ZERO, Apply, Term, Value, children, rebuild

MOST_PATHS = 16


class Unresolved(Exception):
    """A condition that is not a comparison, or too many of them."""


class _Undecided(Exception):
    def __init__(self, key: Poly) -> None:
        super().__init__()
        self.key = key


def paths(terms: list[Term], states: frozenset[Value], dependence: Dependence) -> list[list[Term]]:
    """``terms`` along every path; raises ``Unresolved``."""
    normaliser = Normaliser()
    found: list[list[Term]] = []
    pending: list[dict[Poly, bool]] = [{}]
    while pending:
        decisions = pending.pop()
        walker = _Walker(normaliser, states, dependence, decisions)
        try:
            found.append([walker.resolve(term) for term in terms])
        except _Undecided as undecided:
            pending += [{**decisions, undecided.key: way} for way in (True, False)]
        if len(found) + len(pending) > MOST_PATHS:
            raise Unresolved("too many paths")
    return found


class _Walker:
    def __init__(
        self,
        normaliser: Normaliser,
        states: frozenset[Value],
        dependence: Dependence,
        decisions: dict[Poly, bool],
    ) -> None:
        self._normaliser = normaliser
        self._states = states
        self._dependence = dependence
        self._decisions = decisions
        self._done: dict[Term, Term] = {}

    def resolve(self, term: Term) -> Term:
        if not self._dependence.mentions(term, self._states):
            return term
        if term not in self._done:
            self._done[term] = self._resolved(term)
        return self._done[term]

    def _resolved(self, term: Term) -> Term:
        if isinstance(term, Apply):
            op, args = term.op, term.args
            if op == "relu":
                op, args = "max", (args[0], ZERO)
            if op in ("max", "min") and len(args) == 2:
                first = self._less(args[0], args[1]) == (op == "min")
                return self.resolve(args[0] if first else args[1])
            if op == "where" and self._dependence.mentions(args[0], self._states):
                return self.resolve(args[1] if self._holds(args[0]) else args[2])
        return rebuild(term, tuple(self.resolve(part) for part in children(term)))

    def _holds(self, condition: Term) -> bool:
        if not isinstance(condition, Apply):
            raise Unresolved("a branch on a state")
        op, args = condition.op, condition.args
        if op == "not":
            return not self._holds(args[0])
        if op == "and":
            return all(self._holds(arg) for arg in args)
        if op == "or":
            return any(self._holds(arg) for arg in args)
        if op in ("lt", "le"):
            return self._less(args[0], args[1], op == "le")
        if op in ("gt", "ge"):
            return self._less(args[1], args[0], op == "ge")
        raise Unresolved(f"a branch on {op}")

    def _less(self, a: Term, b: Term, same: bool = False) -> bool:
        """The decision on a < b; on a tie either path may be taken, so both are proven. What is
        always equal is decided: ``same``."""
        p = subtract(self._normaliser.normal(a), self._normaliser.normal(b))
        if not p.terms:
            return same
        positive = leads_positive(p)
        key = p if positive else scale(p, -1)
        if key not in self._decisions:
            raise _Undecided(key)
        return self._decisions[key] == positive
