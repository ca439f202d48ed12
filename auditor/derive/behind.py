"""What is read behind the names that a loop spells: by functions of the file that it calls, and by
generators that it walks, both of which see the names around them as they are by then."""

from __future__ import annotations

import ast

from auditor.lift.bound import free_names
from auditor.lift.reaching import WALKING
from auditor.tree import everything_in

_LATE = (ast.GeneratorExp, ast.Lambda)


def behind(scope: ast.AST, nodes: list[ast.AST]) -> dict[str, str]:
    """The names that are read behind those of ``nodes``, each with the one that reads it."""
    read = _readers(scope)
    found: dict[str, str] = {}
    waiting = [name for node in nodes for name in sorted(_names(node))]
    seen = set[str]()
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        for name in sorted(read.get(at, ())):
            found.setdefault(name, at)
            waiting.append(name)
    return found


def _readers(scope: ast.AST) -> dict[str, frozenset[str]]:
    """What functions, and names that generators are given, read late."""
    found: dict[str, frozenset[str]] = {}
    for node in everything_in(scope):
        if isinstance(node, ast.FunctionDef) and node is not scope:
            found[node.name] = found.get(node.name, frozenset()) | free_names(node)
        elif isinstance(node, ast.Assign) and _is_late(node.value):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    known = found.get(target.id, frozenset())
                    found[target.id] = known | _late_names(node.value)
    return found


def _is_late(value: ast.expr) -> bool:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in (*WALKING, "reversed")
    return isinstance(value, _LATE)


def _late_names(value: ast.expr) -> frozenset[str]:
    """The names that are read late, its own variables left out."""
    if isinstance(value, ast.Lambda):
        return free_names(value)
    own = {
        inner.id for each in everything_in(value) if isinstance(each, ast.comprehension)
        for inner in everything_in(each.target) if isinstance(inner, ast.Name)
    }  # fmt: skip
    return _names(value) - own


def _names(node: ast.AST) -> frozenset[str]:
    return frozenset(
        inner.id for inner in everything_in(node)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)
    )  # fmt: skip
