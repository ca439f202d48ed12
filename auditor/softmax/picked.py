"""Logarithms of elements that are picked out of an array, as in a cross-entropy over weights: they
are the same elements of the array's logarithm."""

from __future__ import annotations

import ast

from auditor.notation import Value
from auditor.rewrite import Site
from auditor.syntax import path_of

_METHODS = frozenset(
    "gather take_along_dim index_select squeeze unsqueeze flatten reshape view diagonal".split()
)
_FUNCTIONS = frozenset(f"torch.{name}" for name in _METHODS)


def logarithm_of_picked(site: Site) -> ast.expr | None:
    """The array p of ``log(p[i, t])``, ``p.gather(1, t).log()``, where ``site.node`` is that."""
    inside = argument(site)
    if inside is None:
        return None
    at, moved = inside, False
    while True:
        inner = _whole(site, at)
        if inner is None:
            break
        at, moved = inner, True
    value = site.lifted.lifter.values.get(at)
    return at if moved and isinstance(value, Value) and value.axes else None


def argument(site: Site) -> ast.expr | None:
    """a of ``torch.log(a)`` and ``a.log()``."""
    node = site.node
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    path = path_of(site.lifted.module, node.func)
    if path == "torch.log" and len(node.args) == 1:
        return node.args[0]
    if path is None and isinstance(node.func, ast.Attribute) and node.func.attr == "log":
        return node.func.value if not node.args else None
    return None


def _whole(site: Site, node: ast.expr) -> ast.expr | None:
    """What an expression only picks elements out of."""
    if isinstance(node, ast.Subscript):
        return node.value
    if not isinstance(node, ast.Call):
        return None
    path = path_of(site.lifted.module, node.func)
    if path in _FUNCTIONS:
        return node.args[0] if node.args else None
    if path == "torch.diag" and len(node.args) == 1:
        return _of_matrix(site, node.args[0])
    if path is None and isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
        return node.func.value
    if path is None and isinstance(node.func, ast.Attribute) and node.func.attr == "diag":
        return _of_matrix(site, node.func.value)
    return None


def _of_matrix(site: Site, node: ast.expr) -> ast.expr | None:
    """``node`` if it is a matrix, whose diagonal is picked; of a vector ``diag`` makes a matrix."""
    value = site.lifted.lifter.values.get(node)
    matrix = isinstance(value, Value) and len(value.axes) == 2
    known = isinstance(value, Value) and not any(axis.group for axis in value.axes)
    return node if matrix and known else None
