"""What every step of a nest computes again, and the code for all steps once: also where there are
no steps, and it would raise.

    for i in range(n):
        w[i] = x[i] / math.sqrt(1 / n)      nothing is divided where `n` is 0
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from auditor.notation import Apply, Const, Read, Term, Value, free_indices, walk
from auditor.syntax import called_name, mentions
from auditor.tree import everything_in

_DIVIDING = frozenset(("div", "floordiv", "mod", "pow"))
_OPERATORS = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_TOTAL = frozenset("len abs min max float int bool size numel item dim".split())


def may_raise(term: Term, nodes: Mapping[Value, ast.expr]) -> bool:
    """Whether a part of a term that is the same at every step may raise; ``nodes`` are the texts
    that its values stand for."""
    return any(_divides(part) or _computed_so(part, nodes) for part in walk(term))


def _divides(part: Term) -> bool:
    """Whether a part divides one number of Python by another that may be 0."""
    if not isinstance(part, Apply) or part.op not in _DIVIDING or free_indices(part):
        return False
    if any(isinstance(n, Read) and n.value.library in ("numpy", "torch") for n in walk(part)):
        return False
    return not isinstance(part.args[1], Const) or not part.args[1].value


def _computed_so(part: Term, nodes: Mapping[Value, ast.expr]) -> bool:
    """Whether a part is a number of Python that the code computes in a way that may raise."""
    if not isinstance(part, Read) or part.value.axes or part.value.library in ("numpy", "torch"):
        return False
    node = nodes.get(part.value)
    if node is None and part.value.kind == "free":
        node = ast.parse(part.value.name.removesuffix(" here"), mode="eval").body
    return node is not None and any(map(_partial, everything_in(node)))


def still_may_raise(node: ast.expr, loop: ast.AST) -> bool:
    """Whether a part of an expression that a loop does not change may raise."""
    moving = {
        each.id for each in everything_in(loop)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }  # fmt: skip
    return any(
        _partial(part) and not any(mentions(part, name) for name in moving)
        for part in everything_in(node)
    )


def _partial(node: ast.AST) -> bool:
    """Whether an operation raises for some numbers."""
    if isinstance(node, ast.Call):
        return called_name(node) not in _TOTAL
    return isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS)
