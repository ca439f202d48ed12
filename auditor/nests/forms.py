"""Statements and expressions in the body of a nest, by their form alone."""

from __future__ import annotations

import ast

from auditor.lift.module import Module
from auditor.syntax import constant, is_name, path_of, same


def makes_list(made: ast.expr | None) -> bool:
    """Whether an expression makes a list of numbers or of such lists: ``[0.0] * n``, ``[[0] * m for
    _ in range(n)]``."""
    if isinstance(made, ast.ListComp):
        return makes_list(made.elt) or isinstance(made.elt, ast.Constant)
    if isinstance(made, ast.BinOp) and isinstance(made.op, ast.Mult):
        return makes_list(made.left) or makes_list(made.right)
    return isinstance(made, ast.List) and bool(made.elts) and all(
        isinstance(constant(item), (int, float)) or makes_list(item) for item in made.elts
    )  # fmt: skip


def copied_from(module: Module, made: ast.expr | None) -> ast.expr | None:
    """``u`` of ``u.copy()``, which may be an array, a list or a dictionary, and of ``u.clone()``,
    ``np.copy(u)`` and ``torch.clone(u)``."""
    if not isinstance(made, ast.Call) or made.keywords:
        return None
    if path_of(module, made.func) in ("numpy.copy", "torch.clone"):
        return made.args[0] if len(made.args) == 1 else None
    copies = isinstance(made.func, ast.Attribute) and made.func.attr in ("copy", "clone")
    return made.func.value if copies and not made.args else None  # type: ignore[attr-defined]


def flattened(node: ast.expr) -> ast.expr | None:
    """``x`` of ``x.ravel()``, ``x.flatten()``, ``x.view(-1)``: an array whose elements all stand in
    one row."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.keywords:
        return None
    sizes = [constant(size) for size in node.args]
    whole = {"ravel": [], "flatten": [], "view": [-1], "reshape": [-1]}.get(node.func.attr)
    return node.func.value if sizes == whole else None


def appends(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """The list and the item of ``rows.append(item)``, be it under a condition one of two items."""
    if isinstance(node, ast.If):
        return _appends_either_way(node)
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    held = call.func.value
    plain = call.func.attr == "append" and len(call.args) == 1 and not call.keywords
    return (held.id, call.args[0]) if plain and isinstance(held, ast.Name) else None


def _appends_either_way(node: ast.If) -> tuple[str, ast.expr] | None:
    """``if c: rows.append(a) else: rows.append(b)``."""
    if len(node.body) != 1 or len(node.orelse) != 1:
        return None
    one, other = appends(node.body[0]), appends(node.orelse[0])
    if one is None or other is None or one[0] != other[0]:
        return None
    return one[0], ast.copy_location(ast.IfExp(node.test, one[1], other[1]), node)


def skips(node: ast.If) -> bool:
    """``if ...: continue``."""
    return len(node.body) == 1 and isinstance(node.body[0], ast.Continue) and not node.orelse


def ends_step(node: ast.stmt) -> bool:
    """``if ...: ...; continue``."""
    whole = isinstance(node, ast.If) and not node.orelse
    return whole and isinstance(node.body[-1], ast.Continue)  # type: ignore[attr-defined]


def name_of(node: ast.expr) -> str:
    assert isinstance(node, ast.Name)
    return node.id


def added_either_way(node: ast.If) -> ast.AugAssign | None:
    """A conditional that adds to the same cell in both of its branches, as one statement."""
    if len(node.body) != 1 or len(node.orelse) != 1:
        return None
    one, other = node.body[0], node.orelse[0]
    if not isinstance(one, ast.AugAssign) or not isinstance(other, ast.AugAssign):
        return None
    if type(one.op) is not type(other.op) or not same(one.target, other.target):
        return None
    value = ast.copy_location(ast.IfExp(node.test, one.value, other.value), node)
    return ast.copy_location(ast.AugAssign(one.target, one.op, value), node)


def added_to_itself(node: ast.stmt) -> ast.AugAssign | None:
    """``y[t] = y[t] + e``, ``y[t] = e + y[t]`` as ``y[t] += e``."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return None
    (target,), value = node.targets, node.value
    if not isinstance(value, ast.BinOp) or not isinstance(target, (ast.Name, ast.Subscript)):
        return None
    commutes = isinstance(value.op, (ast.Add, ast.Mult)) and same(value.right, target)
    if same(value.left, target):
        added = value.right
    elif commutes:
        added = value.left
    else:
        return None
    return ast.copy_location(ast.AugAssign(target, value.op, added), node)


def is_length(node: ast.expr) -> bool:
    """``x.shape[0]``, ``x.size(0)``, ``len(x)``: how long an axis of something with a name is."""
    if isinstance(node, ast.Subscript):
        named = isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
        return named and type(constant(node.slice)) is int
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return False
    if is_name(node.func, "len"):
        return isinstance(node.args[0], ast.Name)
    sized = isinstance(node.func, ast.Attribute) and node.func.attr == "size"
    return sized and type(constant(node.args[0])) is int
