"""Products with weights that are kept in 8 bits and turned into numbers at each call.

w = self.q.to(x.dtype) * self.scale[:, None]
y = F.linear(x, w, bias)                         linear_int8(x, self.q, self.scale, bias)
y = F.linear(x, self.q.to(x.dtype)) * self.scale
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.lift.module import ClassScope, Module
from auditor.syntax import constant, is_name, path_of
from auditor.tree import descendants

_CONVERTS = frozenset("to type_as float half bfloat16".split())
_PRODUCTS = ("torch.matmul", "torch.nn.functional.linear")
_SPREAD = (":, None", "..., None")


@dataclass(frozen=True)
class Dequantised:
    """``node`` is the product of ``operand`` with ``weights``, one ``scale`` for each output, and
    ``bias``; ``made`` is the statement before it that makes the weights numbers, if one does."""

    node: ast.expr
    operand: ast.expr
    weights: ast.expr
    scale: ast.expr
    bias: ast.expr | None
    made: ast.Assign | None


def dequantised(module: Module, klass: ClassScope, function: ast.FunctionDef) -> Dequantised | None:
    """The first such product of a method."""
    integers = _of_8_bits(module, klass)
    if not integers:
        return None
    bodies = [b for n in [function, *descendants(function)] if isinstance(b := _body(n), list)]
    for body in bodies:
        for before, statement in zip([None, *body], body, strict=False):
            made = before if isinstance(before, ast.Assign) else None
            found = _Reader(module, integers, function, made).found(statement)
            if found is not None:
                return found
    return None


def _body(node: ast.AST) -> object:
    return getattr(node, "body", None)


def _of_8_bits(module: Module, klass: ClassScope) -> frozenset[str]:
    """The buffers of a class that its constructor makes of ``torch.int8``."""
    constructor = klass.methods.get("__init__")
    found = set()
    for node in descendants(constructor) if constructor is not None else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "register_buffer" and len(node.args) > 1:
                name = constant(node.args[0])
                typed = any(path_of(module, n) == "torch.int8" for n in descendants(node.args[1])
                            if isinstance(n, (ast.Attribute, ast.Name)))  # fmt: skip
                found |= {name} if typed and isinstance(name, str) else set()
    return frozenset(found)


@dataclass(frozen=True)
class _Reader:
    """Reads one statement, with that before it."""

    module: Module
    integers: frozenset[str]
    function: ast.FunctionDef
    made: ast.Assign | None

    def found(self, statement: ast.stmt) -> Dequantised | None:
        if isinstance(_body(statement), list):
            return None
        for node in descendants(statement):
            if not isinstance(node, ast.expr):
                continue
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
                for product, scale in ((node.left, node.right), (node.right, node.left)):
                    whole = self._product(product)
                    if whole is not None and whole[2] is None and self._own(scale):
                        weights, made = self._numbers(whole[1])
                        if weights is not None:
                            return Dequantised(node, whole[0], weights, scale, None, made)
            whole = self._product(node)
            if whole is not None:
                operand, matrix, bias = whole
                scaled, made = self._said(matrix)
                if isinstance(scaled, ast.BinOp) and isinstance(scaled.op, ast.Mult):
                    for one, other in ((scaled.left, scaled.right), (scaled.right, scaled.left)):
                        weights, column = self._converted(one), _column(other)
                        if weights is not None and column is not None and self._own(column):
                            return Dequantised(node, operand, weights, column, bias, made)
        return None

    def _product(self, node: ast.expr) -> tuple[ast.expr, ast.expr, ast.expr | None] | None:
        """What is multiplied, with the transpose of which matrix, and what is added."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            given, path = [node.left, node.right], "torch.matmul"
        elif isinstance(node, ast.Call) and not node.keywords:
            given, path = node.args, path_of(self.module, node.func) or ""
        else:
            return None
        if path not in _PRODUCTS or len(given) not in (2, 3):
            return None
        if path == "torch.nn.functional.linear":
            return given[0], given[1], given[2] if len(given) == 3 else None
        matrix = _transposed(given[1])
        return None if matrix is None or len(given) == 3 else (given[0], matrix, None)

    def _said(self, node: ast.expr) -> tuple[ast.expr, ast.Assign | None]:
        """What a name stands for that only this reads, or the expression itself."""
        made = self.made
        if made is None or len(made.targets) != 1 or not isinstance(node, ast.Name):
            return node, None
        uses = [
            n for n in descendants(self.function) if isinstance(n, ast.Name) and n.id == node.id
        ]
        alone = is_name(made.targets[0], node.id) and len(uses) == 2
        return (made.value, made) if alone else (node, None)

    def _numbers(self, node: ast.expr) -> tuple[ast.expr | None, ast.Assign | None]:
        said, made = self._said(node)
        return self._converted(said), made

    def _converted(self, node: ast.expr) -> ast.expr | None:
        """The integers that are turned into numbers."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        held = node.func.value
        known = self._own(held) and isinstance(held, ast.Attribute) and held.attr in self.integers
        return held if node.func.attr in _CONVERTS and known else None

    def _own(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Attribute) and is_name(node.value, "self")


def _transposed(node: ast.expr) -> ast.expr | None:
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        return node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.value if node.func.attr == "t" and not node.args else None
    return None


def _column(node: ast.expr) -> ast.expr | None:
    """``s`` of ``s[:, None]``, ``s.unsqueeze(1)``, ``s.view(-1, 1)``."""
    if isinstance(node, ast.Subscript) and ast.unparse(node.slice).strip("()") in _SPREAD:
        return node.value
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    given = tuple(constant(arg) for arg in node.args)
    spread = {"unsqueeze": ((1,), (-1,)), "view": ((-1, 1),), "reshape": ((-1, 1),)}
    return node.func.value if given in spread.get(node.func.attr, ()) else None
