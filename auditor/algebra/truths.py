"""A carried value of which a step only asks whether it counts as true: ``s = s or x``. A step is
what it leaves of a true state and of a false one, each an input or the state itself; such functions
compose."""

from __future__ import annotations

from auditor.algebra.affine import NotAffine
from auditor.algebra.choices import decided
from auditor.algebra.states import Dependence
from auditor.notation import FALSE, TRUE, ZERO, Apply, Const, Read, Term, Value

_CONNECTIVES = ("and", "or", "not", "cast:bool", "call:bool")


def by_truth(update: Term, state: Value, dependence: Dependence) -> tuple[Term, Term]:
    """What is left of a true state and of a false one. Raises ``NotAffine``."""
    mine = Read(state, state.axes)

    def left(term: Term, true: bool) -> Term:
        if term is mine or not dependence.mentions(term, (state,)):
            return term
        if not isinstance(term, Apply) or term.op != "where":
            raise NotAffine(term, "more than the truth of the state")
        test = asked(term.args[0], true)
        if isinstance(test, Const):
            return left(term.args[1] if test.value else term.args[2], true)
        return Apply("where", (test, left(term.args[1], true), left(term.args[2], true)))

    def asked(term: Term, true: bool) -> Term:
        if not dependence.mentions(term, (state,)):
            return term
        answer = TRUE if true else FALSE
        if term is mine:
            return answer
        if isinstance(term, Apply) and term.op in _CONNECTIVES:
            return decided(Apply(term.op, tuple(asked(arg, true) for arg in term.args)))
        if term in (Apply("ne", (mine, ZERO)), Apply("ne", (ZERO, mine))):
            return answer
        raise NotAffine(term, "a branch that depends on the state")

    return left(update, True), left(update, False)
