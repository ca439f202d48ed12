"""What is chosen and clipped, in the operations that the rest of the audit knows."""

from __future__ import annotations

from auditor.nests.clipping import NO_BOUND
from auditor.nests.counting import NUMBERS
from auditor.nests.parts import PLACED
from auditor.notation import Apply, Term, transform


def meaning(term: Term) -> Term:
    """A term with choices as such, what is clipped as the larger and smaller of two, and loop
    variables as the integers that they are."""
    return transform(term, _plain)


def _plain(node: Term) -> Term:
    if not isinstance(node, Apply) or node.op not in ("choose", "clamp", PLACED, *NUMBERS):
        return node
    if node.op == PLACED or node.op in NUMBERS:
        return node.args[0]
    if node.op == "choose":
        return Apply("where", node.args)
    inner, low, high = node.args
    if low is not NO_BOUND["min"]:
        inner = Apply("max", (inner, low))
    return inner if high is NO_BOUND["max"] else Apply("min", (inner, high))
