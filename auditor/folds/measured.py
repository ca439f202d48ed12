"""What has a length: the code asks for it wherever it runs the loop, so that it is no iterator."""

from __future__ import annotations

import ast

from auditor.surroundings.region import Region
from auditor.syntax import is_name
from auditor.tree import children, everything_in

_LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)
_LATER = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp,
          ast.GeneratorExp, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)  # fmt: skip


def walked_names(node: ast.expr) -> list[str] | None:
    """The names that a loop over ``node`` walks, none for a range; None where it walks something
    else."""
    if isinstance(node, ast.Name):
        return [node.id]
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
        return None
    if node.func.id == "range":
        return []
    if node.func.id not in ("enumerate", "reversed", "zip"):
        return None
    parts = [walked_names(arg) for arg in node.args]
    return None if None in parts else [name for part in parts for name in part or ()]


def measured(region: Region, loop: ast.stmt, name: str) -> bool:
    """Whether ``len(name)`` is computed whenever the loop runs to its end, of the same object."""
    given = sum(isinstance(node, ast.arg) and node.arg == name for node in region.nodes)
    if given != 1 or name in region.bound:
        return False
    at: ast.stmt = loop
    while True:
        block = region.siblings(at)
        place = block.index(at)
        if any(_asks(statement, name) for statement in block[:place]):
            return True
        for statement in block[place + 1 :]:
            if _asks(statement, name):
                return True
            if any(isinstance(inner, _LEAVES) for inner in everything_in(statement)):
                return False
        above = region.parents.get(at)
        if not isinstance(above, (ast.If, ast.With)):
            return False
        at = above


def _asks(statement: ast.stmt, name: str) -> bool:
    """Whether a statement certainly computes the length."""
    if isinstance(statement, (ast.If, ast.While)):
        stack: list[ast.AST] = [statement.test]
    elif isinstance(statement, ast.For):
        stack = [statement.iter]
    elif isinstance(statement, (ast.With, ast.Try, ast.Match, ast.FunctionDef, ast.ClassDef)):
        return False
    else:
        stack = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call) and is_name(node.func, "len"):
            if len(node.args) == 1 and is_name(node.args[0], name):
                return True
        if not isinstance(node, _LATER):
            stack.extend(children(node))
    return False
