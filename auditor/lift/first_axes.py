"""First axes of extent 1 that a choice in a loop brings in or leaves out.

``nextvalues = next_value if t == n - 1 else values[t + 1]`` has one axis more at one step where
``next_value`` was made with ``reshape(1, -1)``. Where all that comes of it is arithmetic and writes
into arrays, which broadcast it away, it is a row like the others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from auditor.tree import children, descendants


def broadcast_away(root: ast.AST, loop: ast.AST, chosen: Iterable[str | ast.expr]) -> bool:
    """Whether nothing in ``root`` tells how many first axes of extent 1 what is chosen in ``loop``
    has, which is an expression or what a name is bound to there."""
    if not isinstance(loop, (ast.For, ast.While)):
        return False
    inside = descendants(loop)
    parents = {child: node for node in inside for child in children(node)}
    names = {one for one in chosen if isinstance(one, str)}
    nodes = {one for one in chosen if isinstance(one, ast.expr)}
    seen: set[ast.AST] = set()
    while found := [node for node in inside if node not in seen and _reads(node, names, nodes)]:
        seen.update(found)
        for node in found:
            bound = _bound_to(node, parents)
            if bound is None:
                return False
            names |= bound
    within = set(inside)
    return not any(_reads(node, names, nodes) for node in descendants(root) if node not in within)


def _reads(node: ast.AST, names: set[str], nodes: set[ast.expr]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in names and isinstance(node.ctx, ast.Load)
    return node in nodes


def _bound_to(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> set[str] | None:
    """The names that get what is computed of ``node`` by arithmetic alone; None where anything else
    is done with it."""
    above = parents[node]
    while _is_arithmetic(above, node):
        node, above = above, parents[above]
    if isinstance(above, ast.Assign):
        targets = above.targets
    elif isinstance(above, (ast.AugAssign, ast.AnnAssign)) and node is above.value:
        targets = [above.target]
    else:
        return None
    if not all(isinstance(target, (ast.Name, ast.Subscript)) for target in targets):
        return None
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _is_arithmetic(above: ast.AST, node: ast.AST) -> bool:
    if isinstance(above, ast.BinOp):
        return not isinstance(above.op, ast.MatMult)
    if isinstance(above, ast.IfExp):
        return node is not above.test
    return isinstance(above, ast.UnaryOp) and not isinstance(above.op, ast.Not)
