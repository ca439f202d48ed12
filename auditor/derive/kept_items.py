"""Lists that a step puts carried values into only at times: what has come together until then."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from auditor.derive.scopes import inner_blocks
from auditor.tree import everything_in


def puts_at_times(loop: ast.For) -> bool:
    """Does a branch of a loop append to a list?"""
    return any(
        isinstance(node, ast.Expr) and _appends(node) is not None
        for branch in everything_in(loop) if isinstance(branch, ast.If)
        for node in everything_in(branch)
    )  # fmt: skip


def given_away(loop: ast.For, statement: ast.stmt, growing: Set[str]) -> str | None:
    """The name of a list that is put into another one and may still grow there: the next statement
    does not give the name to something else."""
    item = _appends(statement)
    inside = _direct(item) if item is not None else ()
    names = {one.id for one in inside if isinstance(one, ast.Name)} & growing
    for block in inner_blocks(loop):
        if statement in block and names:
            following = block[block.index(statement) + 1 :][:1]
            names -= {name for one in following for name in _renewed(one)}
    return min(names, default=None)


def _appends(statement: ast.stmt) -> ast.expr | None:
    """What a statement appends to something."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    return call.args[0] if call.func.attr == "append" and len(call.args) == 1 else None


def _direct(node: ast.expr) -> Iterator[ast.expr]:
    """What is put away as it is, alone or in a display."""
    if isinstance(node, (ast.Tuple, ast.List)):
        for part in node.elts:
            yield from _direct(part)
    elif isinstance(node, ast.Dict):
        for part in node.values:
            yield from _direct(part)
    elif isinstance(node, ast.IfExp):
        yield from _direct(node.body)
        yield from _direct(node.orelse)
    else:
        yield node


def _renewed(statement: ast.stmt) -> Iterator[str]:
    """The names that an assignment gives to something without them."""
    if isinstance(statement, ast.Assign):
        read = {n.id for n in everything_in(statement.value) if isinstance(n, ast.Name)}
        for target in statement.targets:
            pairs = [target]
            if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                pairs = target.elts
            yield from (t.id for t in pairs if isinstance(t, ast.Name) and t.id not in read)
