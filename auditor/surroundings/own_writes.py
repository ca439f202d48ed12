"""Writes into arrays that a function makes for itself and that nothing else can see: they may go
with what reads the array."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from auditor.lift.module import Module
from auditor.syntax import is_name, path_of
from auditor.tree import everything_in

_MAKERS = frozenset("zeros ones eye identity empty full".split())
_LIKE = frozenset(f"{name}_like" for name in ("zeros", "ones", "empty", "full"))
FILLS = frozenset(("numpy.fill_diagonal",))
"""Functions that write into their first argument and give nothing back."""


def own_writes(
    module: Module, nodes: Iterable[ast.AST], replaced: Iterable[ast.expr]
) -> dict[ast.stmt, str]:
    """The statements that write cells of an array which is made in the function and read nowhere
    but in ``replaced``, each with the name of the array."""
    every = list(nodes)
    writes = {node: name for node in every
              if isinstance(node, ast.stmt) and (name := _written(module, node))}  # fmt: skip
    if not writes:
        return {}
    seen = {inner for one in replaced for inner in everything_in(one)}
    for write, name in writes.items():
        seen.update(_own_reads(module, write, name))
    own: dict[str, bool] = {}
    for node in every:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if len(node.targets) == 1 and _makes(module, node.value):
                own[node.targets[0].id] = True
                seen.add(node.targets[0])
    for node in every:
        if isinstance(node, ast.Name) and node not in seen:
            own[node.id] = False
        elif isinstance(node, ast.arg):
            own[node.arg] = False
    return {write: name for write, name in writes.items() if own.get(name)}


def _own_reads(module: Module, write: ast.stmt, name: str) -> Iterator[ast.AST]:
    """Where a write names its array without handing it on."""
    for node in everything_in(write):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            yield node.value
        elif isinstance(node, ast.Call):
            path = path_of(module, node.func) or ""
            if path in FILLS or path == "numpy.diag_indices_from" or is_name(node.func, "len"):
                yield from (arg for arg in node.args[:1] if is_name(arg, name))


def _written(module: Module, node: ast.AST) -> str | None:
    """The name of the array that a statement writes cells of, where it does nothing else."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            return target.value.id
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.value.args:
        first = node.value.args[0]
        if path_of(module, node.value.func) in FILLS and isinstance(first, ast.Name):
            return first.id
    return None


def _makes(module: Module, node: ast.expr | None) -> bool:
    """Whether an expression makes a new array of numbers."""
    if not isinstance(node, ast.Call):
        return False
    library, _, name = (path_of(module, node.func) or "").rpartition(".")
    return library in ("numpy", "torch") and name in (_MAKERS | _LIKE)
