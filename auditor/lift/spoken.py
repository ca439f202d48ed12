"""Which array library a function is about, in a file that imports several."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Literal

from auditor.lift.module import ClassScope, Module, path_of
from auditor.syntax import constant, is_name
from auditor.tree import descendants

_CONVERSIONS = ("torch.from_numpy", "torch.tensor", "torch.as_tensor", "torch.Tensor")
_TENSORS_HAVE = frozenset(
    "softmax log_softmax masked_fill masked_fill_ unsqueeze bmm matmul permute contiguous".split()
)
_NUMBERS = frozenset("numpy.inf numpy.NINF numpy.pi numpy.e numpy.nan numpy.newaxis".split())
_OF_NUMBERS = frozenset(
    "numpy.sqrt numpy.power numpy.log numpy.log2 numpy.log10 numpy.exp numpy.ceil numpy.floor"
    " numpy.abs numpy.square numpy.prod".split()
)


def spoken_library(
    module: Module, node: ast.AST, klass: ClassScope | None
) -> Literal["torch", "numpy"] | None:
    """The library whose arrays a function of a file that imports several is about. Tensors: it
    calls torch (not to convert something) or methods that only tensors have, and NumPy for numbers
    alone. Arrays: it calls NumPy for more, and nothing of it speaks of tensors."""
    bases = [] if klass is None else klass.node.bases
    tensors = any((path_of(module, base) or "").startswith("torch.nn.") for base in bases)
    of_torch = False
    of_numpy: list[ast.Name] = []
    for inner in descendants(node):
        if isinstance(inner, ast.Name):
            path = module.names.get(inner.id) or ""
            of_torch |= path.startswith("torch")
            if path.startswith("numpy"):
                of_numpy.append(inner)
        elif isinstance(inner, ast.Call):
            path = path_of(module, inner.func) or ""
            if path in _CONVERSIONS:
                return None
            tensors |= path.startswith("torch.")
            if isinstance(inner.func, ast.Attribute):
                tensors |= inner.func.attr in _TENSORS_HAVE or _counts_dimensions(inner)
                tensors |= asks_for_sizes(inner)
    if not of_numpy or _for_numbers(module, node, of_numpy):
        return "torch" if tensors else None
    return None if bases or tensors or of_torch else "numpy"


def _for_numbers(module: Module, function: ast.AST, names: Iterable[ast.Name]) -> bool:
    """Whether each of these names of NumPy stands for a number (``np.inf``) or for a function of
    numbers, ``np.sqrt(x.size(-1))``."""
    above = module.parents(function)
    for name in names:
        whole: ast.AST = name
        while isinstance(around := above.get(whole), ast.Attribute):
            whole = around
        assert isinstance(whole, ast.expr)
        path = path_of(module, whole)
        if path in _NUMBERS:
            continue
        if not (isinstance(around, ast.Call) and around.func is whole and path in _OF_NUMBERS):
            return False
        if around.keywords or not all(_is_number(function, arg, 0) for arg in around.args):
            return False
    return True


_STATED = ("int", "float")
_DEEPEST = 4
"""Through how many names in a row a number is followed."""


def _is_number(function: ast.AST, node: ast.expr, depth: int) -> bool:
    """Whether an expression is made of sizes and stated numbers, or of what a module has set."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float))
    if isinstance(node, ast.UnaryOp):
        return _is_number(function, node.operand, depth)
    if isinstance(node, ast.BinOp):
        return all(_is_number(function, side, depth) for side in (node.left, node.right))
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Name) and called.id in ("len", *_STATED):
            return True
        return isinstance(called, ast.Attribute) and called.attr in ("size", "dim", "numel")
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id == "self"
    if isinstance(node, ast.Name) and depth < _DEEPEST:
        return _names_number(function, node.id, depth)
    return False


def _names_number(function: ast.AST, name: str, depth: int) -> bool:
    """Whether all that a function binds a name to are numbers; a parameter that says so is one."""
    bound, numbers = 0, 0
    for node in descendants(function):
        if isinstance(node, ast.arg) and node.arg == name:
            bound += 1
            numbers += isinstance(node.annotation, ast.Name) and node.annotation.id in _STATED
        elif isinstance(node, ast.Name) and node.id == name:
            bound += not isinstance(node.ctx, ast.Load)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if is_name(target, name):
                    numbers += _is_number(function, node.value, depth + 1)
                elif isinstance(target, (ast.Tuple, ast.List)) and _is_shape(node.value):
                    numbers += sum(is_name(each, name) for each in target.elts)
    return bound > 0 and bound == numbers


def _is_shape(node: ast.expr) -> bool:
    """``x.shape``, ``x.size()``, or a part of it."""
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Call):
        node = node.func
        return isinstance(node, ast.Attribute) and node.attr == "size"
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def _counts_dimensions(call: ast.Call) -> bool:
    """Whether a method is told a dimension in the words of torch alone. (xarray has ``dim`` as
    well, and gives dimensions names.)"""
    told = {keyword.arg: keyword.value for keyword in call.keywords}
    dim = told.get("dim")
    number = dim.operand if isinstance(dim, ast.UnaryOp) else dim
    numbered = isinstance(number, ast.Constant) and type(number.value) is int
    return numbered or "keepdim" in told


def asks_for_sizes(call: ast.Call) -> bool:
    """``x.size()``, which on an array is a number, and ``x.view(n, -1)``, which on an array takes a
    type. What a call gave is left out: groups of a table have ``size()``."""
    called = call.func
    if not isinstance(called, ast.Attribute) or call.keywords or isinstance(called.value, ast.Call):
        return False
    if called.attr == "size":
        return len(call.args) < 2
    return called.attr == "view" and (
        len(call.args) > 2 or any(constant(arg) == -1 for arg in call.args)
    )
