"""What is kept of the last element that meets a condition: a step either leaves the carried value
or puts what it knows of the element in its place, and neither asks for the value that was there.

Of two pieces the later one that has such an element decides. Nothing is computed with what is kept:
it may be anything, an infinite number or a text.
"""

from __future__ import annotations

from auditor.algebra.choices import truth
from auditor.algebra.monoid import Part, field, start_of
from auditor.algebra.states import Dependence
from auditor.notation import FALSE, NONE, TRUE, Apply, Carry, Const, Read, Term


def last(carries: list[Carry], dependence: Dependence) -> Part | None:
    """A carried value that is replaced or left."""
    if len(carries) != 1:
        return None
    (carry,) = carries
    if isinstance(carry.init, Const) and truth(carry.init):
        return None
    condition, new = _taken(carry.update, Read(carry.state, ()))
    if condition in (TRUE, FALSE):
        return None
    if any(dependence.mentions(term, (carry.state,)) for term in (condition, new)):
        return None
    kept = field(carry.name, f"{carry.name} of the last one", NONE)
    algebra = "the last such element"
    proof = (
        f"{carry.name} is replaced or left, whatever it was: of two pieces the later one that has"
        " such an element decides"
    )
    if carry.init is NONE and condition is Apply("not", (_is_none(new),)):
        return Part(
            (carry.state,), (kept,), (Apply("where", (_is_none(new), kept.left, new)),),
            (Apply("where", (_is_none(kept.right), kept.left, kept.right)),), (kept.left,),
            algebra, proof, "exact",
        )  # fmt: skip
    said = field(f"{carry.name}_found", "was there such an element?", FALSE)
    start = start_of(carry)
    return Part(
        (carry.state,), (said, kept),
        (_where(condition, TRUE, said.left), _where(condition, new, kept.left)),
        (Apply("or", (said.left, said.right)), _where(said.right, kept.right, kept.left)),
        (_where(said.left, kept.left, start),),
        algebra, proof, "exact",
    )  # fmt: skip


def _taken(update: Term, mine: Term) -> tuple[Term, Term]:
    """When the value is replaced, and by what."""
    if update is mine:
        return FALSE, mine
    if not isinstance(update, Apply) or update.op != "where":
        return TRUE, update
    test, *branches = update.args
    (one, then), (two, other) = (_taken(branch, mine) for branch in branches)
    opposite = Apply("not", (test,))
    if one is two:
        return one, mine if one is FALSE else Apply("where", (test, then, other))
    if two is FALSE:
        return (test if one is TRUE else Apply("and", (test, one))), then
    if one is FALSE:
        return (opposite if two is TRUE else Apply("and", (opposite, two))), other
    return Apply("where", (test, one, two)), Apply("where", (test, then, other))


def _is_none(term: Term) -> Term:
    return Apply("is", (term, NONE))


def _where(condition: Term, then: Term, other: Term) -> Term:
    if isinstance(condition, Apply) and condition.op == "not":
        return Apply("where", (condition.args[0], other, then))
    return Apply("where", (condition, then, other))
