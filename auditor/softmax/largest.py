"""Whether what is taken off the scores is their own maximum, so that no exponential of them
overflows and one of them is 1."""

from __future__ import annotations

from auditor.algebra.normal import TooLarge, equal, expand
from auditor.algebra.softmax import independent, renamings
from auditor.notation import Apply, Index, Reduce, Term, substitute, transform, walk
from auditor.softmax.wrapping import differences


def less_their_largest(term: Term, axes: tuple[Index, ...]) -> bool:
    """Whether an exponent is, somewhere, scores less what is the largest of them along the
    axes."""
    try:
        return any(_is_largest(one, axes) for one in differences(term, axes))
    except TooLarge:
        return False


def of_weights(term: Term) -> bool:
    """Whether a logarithm is that of an exponential, by itself or divided by a sum: one that is too
    small for its type has none."""
    logs = (node for node in walk(expand(term)) if isinstance(node, Apply) and node.op == "log")
    return any(_exponential_in(log.args[0]) for log in logs)


def _exponential_in(term: Term) -> bool:
    """Whether a term has an exponential outside of its sums."""
    if isinstance(term, Reduce) or not isinstance(term, Apply):
        return False
    return term.op == "exp" or any(map(_exponential_in, term.args))


def _is_largest(difference: Term, axes: tuple[Index, ...]) -> bool:
    assert isinstance(difference, Apply)
    moving = [arg for arg in difference.args if not independent(arg, *axes)]
    still = [arg for arg in difference.args if arg not in moving]
    if len(moving) != 1 or len(still) != 1:
        return False
    (scores,), (shift,) = map(_attached, moving), map(_attached, still)
    if difference.op == "add":
        if not isinstance(shift, Apply) or shift.op != "neg":
            return False
        shift = shift.args[0]
    bound: list[Index] = []
    while isinstance(shift, Reduce) and shift.op == "max":
        bound.append(shift.index)
        shift = shift.body
    return len(bound) == len(axes) and any(
        equal(substitute(shift, renamed), scores) for renamed in renamings(tuple(bound), axes)
    )


def _attached(term: Term) -> Term:
    """A term by its definitions, wherever it is cut off from its gradients."""
    return transform(expand(term), _uncut)


def _uncut(node: Term) -> Term:
    return node.args[0] if isinstance(node, Apply) and node.op == "call:detach" else node
