"""Loops that only keep numbers and entries of what they walk: what may be a fold over a stream.

A word count, sums side by side, a table of totals: plain Python that computes nothing with arrays.
Only what these loops are made of is asked here; whether there is a combine is derived
(``auditor.derive``), which takes longer, so that what is not certainly of this kind is left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.tree import descendants

_FUNCTIONS = frozenset("abs bool enumerate float int len max min reversed round str zip".split())
_METHODS = frozenset(
    "get split strip lower upper startswith endswith items keys values rstrip lstrip".split()
)
_KEEPING = frozenset(("append", "add"))
_SIMPLE = (ast.Assign, ast.AugAssign, ast.If, ast.For, ast.Expr, ast.Continue, ast.Pass)


def tallies(loop: ast.AST) -> bool:
    """Whether a loop over what is no range changes entries of a container, or several names, and
    calls only what looks at its elements."""
    if not isinstance(loop, ast.For) or loop.orelse or _called(loop.iter) == "range":
        return False
    body = list(_statements(loop.body))
    if not all(isinstance(statement, _SIMPLE) for statement in body):
        return False
    if not all(_known(node) for node in descendants(loop) if isinstance(node, ast.Call)):
        return False
    walked = {
        name.id for node in (loop, *body) if isinstance(node, ast.For)
        for name in descendants(node.target) if isinstance(name, ast.Name)
    }  # fmt: skip
    kept = {name for statement in body for name in _kept(statement)} - walked
    return len(kept) > 1 or any(map(_changes_an_entry, body))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.For)):
            yield from _statements([*statement.body, *statement.orelse])


def _called(node: ast.expr) -> str | None:
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else None


def _known(call: ast.Call) -> bool:
    if isinstance(call.func, ast.Name):
        return call.func.id in _FUNCTIONS
    return isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS | _KEEPING


def _kept(statement: ast.stmt) -> set[str]:
    """The names that a statement makes of what they held."""
    if isinstance(statement, ast.AugAssign):
        return {statement.target.id} if isinstance(statement.target, ast.Name) else set()
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        (target,) = statement.targets
        read = {n.id for n in descendants(statement.value) if isinstance(n, ast.Name)}
        return {target.id} & read if isinstance(target, ast.Name) else set()
    if isinstance(statement, ast.If):
        asked = {n.id for n in descendants(statement.test) if isinstance(n, ast.Name)}
        set_ = {
            target.id for inner in _statements(statement.body) if isinstance(inner, ast.Assign)
            for target in inner.targets if isinstance(target, ast.Name)
        }  # fmt: skip
        return asked & set_
    return set()


def _changes_an_entry(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.AugAssign):
        return _is_entry(statement.target)
    if isinstance(statement, ast.Assign):
        entries = [target for target in statement.targets if _is_entry(target)]
        return any(
            isinstance(node, ast.Call) and _called(node) == "get" for node in
            descendants(statement.value)
        ) and bool(entries)  # fmt: skip
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        func = statement.value.func
        return isinstance(func, ast.Attribute) and _is_entry(func.value)
    return False


def _is_entry(target: ast.expr) -> bool:
    return (
        isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Name)
        and not isinstance(target.slice, (ast.Slice, ast.Constant, ast.Tuple))
    )
