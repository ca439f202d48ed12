"""What a subscript is that reads one place of a sort: a whole number for certain, or perhaps; none
below zero; and the same already where the sort stands."""

from __future__ import annotations

import ast

from auditor.arrays.signs import never_negative
from auditor.notation import Value
from auditor.surroundings.purity import impurity
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, path_of
from auditor.topk.read_places import Sort
from auditor.tree import everything_in


def at_least_zero(region: Region, node: ast.expr) -> bool:
    value = region.values.get(node)
    if isinstance(value, Value) and not value.axes and value.body is not None:
        if value.dtype == "int" and never_negative(region, region.statement_of(node), value.body):
            return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
        by = constant(node.right)
        return isinstance(by, int) and by > 0 and _is_size(region, node.left)
    return False


def _is_size(region: Region, node: ast.expr) -> bool:
    """``len(x)``, ``x.numel()``, ``x.size(0)``, ``x.shape[0]``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("numel", "size")
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    return isinstance(node, ast.Call) and is_name(node.func, "len")


def is_index(region: Region, node: ast.expr) -> bool:
    """Whether a subscript is certainly one integer, evaluated without effects."""
    if constant(node) is not ...:
        return isinstance(constant(node), int) and not isinstance(constant(node), bool)
    if isinstance(node, ast.BinOp):
        arithmetic = isinstance(node.op, (ast.Add, ast.Sub, ast.FloorDiv, ast.Mult))
        return arithmetic and is_index(region, node.left) and is_index(region, node.right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return is_index(region, node.operand)
    if _is_size(region, node) or (isinstance(node, ast.Attribute) and node.attr == "size"):
        return True
    if isinstance(node, ast.Call):
        return _is_cut(region, node)
    if isinstance(node, ast.Name):
        held = region.binding_before(region.statement_of(node), node.id)
        if held is not None and held.value is not None and not isinstance(held.value, ast.Name):
            if is_index(region, held.value):
                return True
    value = region.values.get(node)
    return isinstance(value, Value) and not value.axes and value.dtype == "int"


def may_be_index(region: Region, node: ast.expr) -> bool:
    """Whether a subscript is a parameter of which nothing is said, its negative, or so many places
    from it: one that takes a place is a number, and what else it might be is said with the fix."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    while isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        if not isinstance(constant(node.right), int):
            return False
        node = node.left
    if not isinstance(node, ast.Name) or node.id in region.bound:
        return False
    return any(
        isinstance(arg, ast.arg) and arg.arg == node.id and arg.annotation is None
        for arg in region.nodes
    )


def is_early(region: Region, found: Sort, index: ast.expr) -> bool:
    """Whether an index is what it is where the sort stands already."""
    assert found.defined is not None
    before = region.scope(found.defined)
    here = region.scope(region.statement_of(index))
    names = {node.id for node in everything_in(index) if isinstance(node, ast.Name)}
    names -= {"len", "int", found.name, *region.module.names}
    return all(name in before and before[name] is here.get(name) for name in names)


def _is_cut(region: Region, node: ast.Call) -> bool:
    """``int(q * n)``, ``math.ceil(q * n)``: made whole by a call that does nothing else."""
    module = region.module
    whole = is_name(node.func, "int") and region.means_builtin("int")
    whole = whole or path_of(module, node.func) in _CUTS
    if not whole or len(node.args) != 1 or node.keywords:
        return False
    return impurity(module, node.args[0]) is None


_CUTS = ("math.floor", "math.ceil", "math.trunc")
