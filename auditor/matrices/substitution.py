"""Loops that solve a triangular system row by row: forward and backward substitution.

for i in range(n):
    y[i] = (b[i] - L[i, :i] @ y[:i]) / L[i, i]

What a step puts into its row is read as ``(b[i] - sum) / diagonal``, where the sum goes over the
rows that are solved already: as a product, as a sum of products, or by a loop of its own.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from auditor.lift.changes import dotted
from auditor.lift.module import Module
from auditor.syntax import constant, is_name, mentions, path_of, same

_PRODUCTS = frozenset(f"{root}.{name}" for root in ("numpy", "torch")
                      for name in ("dot", "inner", "matmul", "vdot"))  # fmt: skip


@dataclass(frozen=True)
class Substitution:
    """``solved`` is filled with the solution of ``matrix`` times it = ``given``; of the matrix the
    ``lower`` triangle is read, its diagonal taken for ones with ``unit``. ``names`` are those that
    the steps bind; ``in_place`` says that an element of ``given`` has one of them and is changed
    under it, as a tensor's is."""

    solved: str
    matrix: ast.expr
    given: ast.expr
    size: ast.expr
    lower: bool
    unit: bool
    names: frozenset[str]
    in_place: bool


@dataclass(frozen=True)
class _Row:
    """``given[i]``, how often the sum is added to it, and whether that is divided."""

    given: ast.expr | None = None
    sums: int = 0
    divided: bool = False


def substitution(module: Module, loop: ast.For) -> Substitution | None:
    """The system that a loop solves, or None."""
    walked = _rows(loop.iter)
    if walked is None or loop.orelse or not isinstance(loop.target, ast.Name):
        return None
    return _Reader(module, loop.target.id, *walked).read(loop.body)


def _rows(node: ast.expr) -> tuple[ast.expr, bool] | None:
    """How many rows are walked, and whether from the first on."""
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if is_name(node.func, "reversed") and len(node.args) == 1:
        inner = _rows(node.args[0])
        return (inner[0], False) if inner is not None and inner[1] else None
    if not is_name(node.func, "range"):
        return None
    if len(node.args) == 1:
        return node.args[0], True
    if len(node.args) == 2 and constant(node.args[0]) == 0:
        return node.args[1], True
    if len(node.args) != 3 or constant(node.args[1]) != -1 or constant(node.args[2]) != -1:
        return None
    last = node.args[0]
    below = isinstance(last, ast.BinOp) and isinstance(last.op, ast.Sub) and (
        constant(last.right) == 1)  # fmt: skip
    return (last.left, False) if below else None  # type: ignore[attr-defined]


class _Reader:
    def __init__(self, module: Module, row: str, size: ast.expr, lower: bool) -> None:
        self.module, self.size, self.lower = module, size, lower
        self.row = ast.Name(row, ast.Load())
        self.matrix: ast.expr | None = None
        self.solved: str | None = None
        self.named: dict[str, _Row] = {}
        self.cell: _Row | None = None
        self.names = {row}
        self.in_place = False

    def read(self, body: list[ast.stmt]) -> Substitution | None:
        if not all(map(self._statement, body)) or self.matrix is None or self.solved is None:
            return None
        done = self.cell
        if done is None or done.given is None or done.sums != -1:
            return None
        if any(mentions(part, self.solved) for part in (self.matrix, done.given, self.size)):
            return None
        names = frozenset((*self.names, *self.named))
        return Substitution(self.solved, self.matrix, done.given, self.size, self.lower,
                            not done.divided, names, self.in_place)  # fmt: skip

    # -- statements

    def _statement(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.For):
            return self._summing(node)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            return self._store(node.targets[0], self._value(node.value))
        if isinstance(node, ast.AugAssign):
            held = self._held(node)
            return held is not None and self._store(node.target, self._changed(held, node))
        return False

    def _held(self, node: ast.AugAssign) -> _Row | None:
        """What a target held that is changed in place."""
        held = self._value(_loaded(node.target))
        if isinstance(node.target, ast.Name) and held is not None:
            self.in_place |= held.given is not None
        return held

    def _changed(self, held: _Row, node: ast.AugAssign) -> _Row | None:
        if isinstance(node.op, ast.Div):
            return self._divided(held, node.value)
        if isinstance(node.op, (ast.Add, ast.Sub)):
            return self._together(held, self._value(node.value), isinstance(node.op, ast.Add))
        return None

    def _store(self, target: ast.expr, value: _Row | None) -> bool:
        if value is None:
            return False
        if isinstance(target, ast.Name):
            self.named[target.id] = value
            return True
        if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
            return False
        if not same(target.slice, self.row) or self.solved not in (None, target.value.id):
            return False
        self.solved, self.cell = target.value.id, value
        return True

    def _summing(self, loop: ast.For) -> bool:
        """``for j in range(i): s -= L[i, j] * y[j]``."""
        if loop.orelse or len(loop.body) != 1 or not isinstance(loop.target, ast.Name):
            return False
        add, place = _changing(loop.body[0]), ast.Name(loop.target.id, ast.Load())
        self.names.add(loop.target.id)
        if not isinstance(add, ast.AugAssign) or not isinstance(add.op, (ast.Add, ast.Sub)):
            return False
        if not self._goes_over(loop.iter) or not isinstance(add.value, ast.BinOp):
            return False
        anew = add is not loop.body[0]
        product, held = add.value, self._value(_loaded(add.target)) if anew else self._held(add)
        if not isinstance(product.op, ast.Mult) or held is None:
            return False
        for one, other in ((product.left, product.right), (product.right, product.left)):
            if self._entry(one, place) and self._is_solved(other, place):
                way = 1 if isinstance(add.op, ast.Add) else -1
                return self._store(add.target, replace(held, sums=held.sums + way))
        return False

    def _goes_over(self, node: ast.expr) -> bool:
        """Whether a range is that of the rows which are solved already."""
        if not isinstance(node, ast.Call) or not is_name(node.func, "range") or node.keywords:
            return False
        if self.lower:
            from_first = len(node.args) == 2 and constant(node.args[0]) == 0
            ends = node.args[1:] if from_first else node.args
            return len(ends) == 1 and same(ends[0], self.row)
        return len(node.args) == 2 and self._after(node.args[0]) and same(node.args[1], self.size)

    def _after(self, node: ast.expr) -> bool:
        """``i + 1``."""
        return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and (
            same(node.left, self.row) and constant(node.right) == 1)  # fmt: skip

    # -- values

    def _value(self, node: ast.expr) -> _Row | None:
        if isinstance(node, ast.Name):
            return self.named.get(node.id)
        if constant(node) == 0 and isinstance(node, ast.Constant):
            return _Row()
        if isinstance(node, ast.Subscript) and same(node.slice, self.row):
            if isinstance(node.value, ast.Name) and node.value.id == self.solved:
                return self.cell
            return _Row(given=node.value) if dotted(node.value) is not None else None
        if self._sum(node):
            return _Row(sums=1)
        if not isinstance(node, ast.BinOp):
            return None
        left = self._value(node.left)
        if isinstance(node.op, ast.Div) and left is not None:
            return self._divided(left, node.right)
        if isinstance(node.op, (ast.Add, ast.Sub)) and left is not None:
            return self._together(left, self._value(node.right), isinstance(node.op, ast.Add))
        return None

    def _divided(self, value: _Row, by: ast.expr) -> _Row | None:
        return replace(value, divided=True) if self._entry(by, self.row) else None

    def _together(self, one: _Row, other: _Row | None, adds: bool) -> _Row | None:
        if other is None or one.divided or other.divided or other.given is not None:
            return None
        return replace(one, sums=one.sums + (other.sums if adds else -other.sums))

    def _sum(self, node: ast.expr) -> bool:
        """``L[i, :i] @ y[:i]``, ``dot(L[i, :i], y[:i])``, ``(L[i, :i] * y[:i]).sum()``."""
        factors: list[ast.expr] = []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            factors = [node.left, node.right]
        elif isinstance(node, ast.Call) and not node.keywords:
            path = path_of(self.module, node.func)
            if path in _PRODUCTS:
                factors = node.args
            elif isinstance(node.func, ast.Attribute) and path is None and node.func.attr == "dot":
                factors = [node.func.value, *node.args]
            else:
                summed = node.args if path in ("numpy.sum", "torch.sum") else []
                if isinstance(node.func, ast.Attribute) and node.func.attr == "sum" and not path:
                    summed = [node.func.value, *node.args]
                if len(summed) == 1 and isinstance(summed[0], ast.BinOp):
                    times = isinstance(summed[0].op, ast.Mult)
                    factors = [summed[0].left, summed[0].right] if times else []
        if len(factors) != 2:
            return False
        return any(self._entry(one, None) and self._is_solved(other, None)
                   for one, other in (factors, factors[::-1]))  # fmt: skip

    def _entry(self, node: ast.expr, place: ast.Name | None) -> bool:
        """``L[i, j]``, or without a place ``L[i, :i]``."""
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
            return False
        if len(node.slice.elts) != 2 or not same(node.slice.elts[0], self.row):
            return False
        column = node.slice.elts[1]
        if not (same(column, place) if place is not None else self._part(column)):
            return False
        if dotted(node.value) is None or (self.matrix and not same(self.matrix, node.value)):
            return False
        self.matrix = node.value
        return True

    def _is_solved(self, node: ast.expr, place: ast.Name | None) -> bool:
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            return False
        if not (same(node.slice, place) if place is not None else self._part(node.slice)):
            return False
        if self.solved not in (None, node.value.id):
            return False
        self.solved = node.value.id
        return True

    def _part(self, node: ast.expr) -> bool:
        """``:i`` in a lower triangle, ``i + 1:`` in an upper one."""
        if not isinstance(node, ast.Slice) or node.step is not None:
            return False
        if self.lower:
            first = node.lower is None or constant(node.lower) == 0
            return first and node.upper is not None and same(node.upper, self.row)
        rest = node.upper is None or same(node.upper, self.size)
        return rest and node.lower is not None and self._after(node.lower)


def _changing(node: ast.stmt) -> ast.stmt:
    """``s = s - x`` as ``s -= x``."""
    value = node.value if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    if not isinstance(node, ast.Assign) or not isinstance(value, ast.BinOp):
        return node
    (target,) = node.targets
    kept = isinstance(target, ast.Name) and same(value.left, _loaded(target))
    return ast.AugAssign(target, value.op, value.right) if kept else node  # type: ignore[arg-type]


def _loaded(target: ast.expr) -> ast.expr:
    """A target as what it held before."""
    return ast.parse(ast.unparse(target), mode="eval").body
