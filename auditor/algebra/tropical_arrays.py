"""Carried arrays that are linear in themselves over max-plus, min-plus or the log semiring, with
reductions over their own axes: a step of Viterbi's or of the forward algorithm is a matrix product,
and so are two in turn."""

from __future__ import annotations

from auditor.algebra.affine import NotAffine, function_of_state
from auditor.algebra.states import Dependence
from auditor.notation import Apply, Read, Reduce, Term, Value, definition

MAX, MIN, LOG = "max-plus", "min-plus", "log-semiring"
_PLUS = {MAX: "max", MIN: "min", LOG: "logaddexp"}


def semiring_of(update: Term, state: Value, dependence: Dependence) -> str:
    """The semiring over which the update is linear in the state. Raises ``NotAffine``."""
    reasons: list[NotAffine] = []
    for name in _PLUS:
        try:
            _Linear(state, dependence, name).term(update)
        except NotAffine as reason:
            reasons.append(reason.alone())
        else:
            return name
    raise reasons[0].alone()


class _Linear:
    def __init__(self, state: Value, dependence: Dependence, semiring: str) -> None:
        self._states, self._dependence = (state,), dependence
        self._plus = _PLUS[semiring]

    def _free(self, term: Term) -> bool:
        return not self._dependence.mentions(term, self._states)

    def term(self, term: Term) -> None:
        if self._free(term):
            return
        if isinstance(term, Read) and term.value in self._states:
            self._place(term)
        elif isinstance(term, Read):
            # What is broadcast in a way that is not known is read as a whole.
            inner = definition(term)
            if inner is None:
                raise NotAffine(term, "a value made of the state", certain=False)
            self.term(inner)
        elif isinstance(term, Reduce):
            if term.op != self._plus:
                raise NotAffine(term, f"a {term.op} of the state")
            self.term(term.body)
        elif not isinstance(term, Apply):
            raise NotAffine(term, "a reduction of the state", certain=False)
        elif term.op == self._plus:
            for arg in term.args:
                self.term(arg)
        elif term.op in ("add", "sub"):
            self.term(self._moved(term))
        elif term.op == "where" and self._free(term.args[0]):
            self.term(term.args[1])
            self.term(term.args[2])
        elif term.op == "log" and self._plus == "logaddexp":
            self._exponentials(term.args[0])
        elif term.op.startswith(("cast:float", "cast:bfloat", "cast:double", "cast:half")):
            self.term(term.args[0])
        else:
            raise NotAffine(term, function_of_state(term.op))

    def _place(self, read: Read) -> None:
        if not all(self._free(sub) for sub in read.subs):
            raise NotAffine(read, "an element of the state in a place that it says")

    def _moved(self, term: Apply) -> Term:
        """The one summand with the state."""
        moving = [arg for arg in term.args if not self._free(arg)]
        if len(moving) != 1 or (term.op == "sub" and moving[0] is term.args[1]):
            raise NotAffine(term, "a sum of states under a maximum")
        return moving[0]

    def _exponentials(self, term: Term) -> None:
        """Sums of exponentials of the state."""
        if self._free(term):
            return
        if isinstance(term, Reduce) and term.op == "sum":
            self._exponentials(term.body)
            return
        if isinstance(term, Apply):
            if term.op == "exp":
                self.term(term.args[0])
                return
            if term.op == "add":
                for arg in term.args:
                    self._exponentials(arg)
                return
            if term.op == "mul":
                moving = [arg for arg in term.args if not self._free(arg)]
                if len(moving) == 1:
                    self._exponentials(moving[0])
                    return
        raise NotAffine(term, "log of the state")
