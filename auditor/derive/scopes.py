"""Names of a file: what statements bind, and what stands before a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.tree import everything_in

_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def top_level_names(statement: ast.stmt) -> set[str]:
    """What a statement of a module defines."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(a.asname or a.name).split(".")[0] for a in statement.names}
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return {n.id for t in targets for n in everything_in(t) if isinstance(n, ast.Name)}
    return set()


def local_names(function: ast.FunctionDef | ast.AsyncFunctionDef | None) -> set[str]:
    """What a function binds: its parameters, what it assigns, defines and imports."""
    if function is None:
        return set()
    args = function.args
    found = {a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    found |= {a.arg for a in (args.vararg, args.kwarg) if a is not None}
    for node in everything_in(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, _DEFINING) and node is not function:
            found |= top_level_names(node)
    return found


def target_names(target: ast.expr) -> tuple[str, ...] | None:
    """The names that a target binds, or None where it binds anything else."""
    if isinstance(target, ast.Name):
        return (target.id,)
    if isinstance(target, (ast.Tuple, ast.List)):
        found: list[str] = []
        for part in target.elts:
            inner = target_names(part.value if isinstance(part, ast.Starred) else part)
            if inner is None:
                return None
            found += inner
        return tuple(found)
    return None


def names_of(text: str) -> set[str]:
    """The names in the text of an expression."""
    return {n.id for n in everything_in(ast.parse(text)) if isinstance(n, ast.Name)}


def inner_blocks(loop: ast.For) -> Iterator[list[ast.stmt]]:
    """The blocks of the loops and conditionals in a loop, its own among them."""
    for node in everything_in(loop):
        if isinstance(node, (ast.For, ast.If)):
            yield node.body
            yield node.orelse


def stored_names(body: list[ast.stmt]) -> list[str]:
    """The names that the body assigns, as often as it does, and the containers it adds to."""
    found = []
    for statement in body:
        for node in everything_in(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.append(node.id)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in ("append", "extend", "add", "update"):
                    if isinstance(node.func.value, ast.Name):
                        found.append(node.func.value.id)
    return found


def leading(body: list[ast.stmt], loop: ast.For) -> Iterator[ast.stmt]:
    """The statements before the loop in the blocks that lead to it."""
    for statement in body:
        if statement is loop:
            return
        if any(node is loop for node in everything_in(statement)):
            for name in ("body", "orelse", "finalbody"):
                inner = getattr(statement, name, [])
                if any(node is loop for s in inner for node in everything_in(s)):
                    if isinstance(statement, (ast.For, ast.While)):
                        # the outer loop may have changed what was set above it
                        names = [ast.Name(n, ast.Store()) for n in stored_names(statement.body)]
                        target = ast.Tuple(list(names), ast.Store())
                        yield ast.For(target, ast.Tuple([], ast.Load()), [ast.Pass()], [])
                    yield from leading(inner, loop)
            return
        yield statement
