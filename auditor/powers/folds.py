"""Folds of one repeated item: ``reduce(mul, [x] * n)``, ``reduce(np.matmul, [A] * k, start)``,
``math.prod([x] * n)``, ``multi_dot([A] * k)``, ``A @ A @ A @ A``, as powers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from math import log2
from typing import Literal

from auditor.assumed import assuming, reason_of
from auditor.expressions.region import ExpressionRegion
from auditor.lift.objects import Obj
from auditor.notation import (
    ONE,
    Apply,
    Carry,
    Computation,
    Const,
    Index,
    Read,
    Reduce,
    Scan,
    Term,
    Value,
)
from auditor.powers.overflowing import overflowing
from auditor.powers.products import (
    FLOATS,
    OVERFLOW,
    TYPICAL_STEPS,
    powered,
    products,
    too_few,
)
from auditor.rewrite import Match, Site
from auditor.surroundings.purity import impurity
from auditor.surroundings.region import Region
from auditor.syntax import beside_comparison, constant, is_name, path_of, same, tight
from auditor.tree import everything_in
from auditor.verdict import Numerics

_SPELLED = 4
"""Factors from which a power takes fewer products than they do one by one."""

_NUMBERS = ("operator.mul", "numpy.multiply", "torch.mul", "torch.multiply")
_MATRICES = {
    "operator.matmul": None, "numpy.matmul": "numpy", "numpy.dot": "numpy",
    "torch.matmul": "torch", "torch.mm": "torch", "torch.bmm": "torch",
}  # fmt: skip
_CHAINS = {"numpy.linalg.multi_dot": "numpy", "torch.linalg.multi_dot": "torch"}


@dataclass(frozen=True)
class Fold:
    """``item`` multiplied ``count`` times onto ``start``; ``side`` is the item's in a product of
    matrices, ``least`` what the call demands of the count."""

    item: ast.expr
    count: ast.expr
    start: ast.expr | None
    side: Literal["number", "left", "right"]
    library: str | None
    least: int


def fold(site: Site) -> Fold | None:
    """The fold of one repeated item that a call is, or None."""
    node, module = site.node, site.lifted.module
    if isinstance(node, ast.BinOp):
        return _spelled_out(site, node)
    if not isinstance(node, ast.Call) or any(isinstance(a, ast.Starred) for a in node.args):
        return None
    path = path_of(module, node.func)
    if path is None or node.keywords:
        return None
    if path in _CHAINS and len(node.args) == 1:
        parts = _repeated(site, node.args[0])
        least = 2 if path.startswith("numpy") else 1
        return Fold(*parts, None, "right", _CHAINS[path], least) if parts else None
    if path == "math.prod" and len(node.args) == 1:
        parts = _repeated(site, node.args[0])
        return Fold(*parts, ast.Constant(1), "number", None, 0) if parts else None
    if path != "functools.reduce" or len(node.args) not in (2, 3):
        return None
    parts, product = _repeated(site, node.args[1]), _product(site, node.args[0])
    if parts is None or product is None:
        return None
    start = node.args[2] if len(node.args) == 3 else None
    return Fold(*parts, start, *product, 0 if start is not None else 1)


def _spelled_out(site: Site, node: ast.BinOp) -> Fold | None:
    """``A @ A @ A @ A``, where that is no part of a longer product: with a vector at its end
    another order is cheaper still."""
    factors = list(_factors(node))
    if len(factors) < _SPELLED:
        return None
    parent = Region(site.lifted).parents.get(node)
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult):
        return None
    if not all(same(factor, factors[0]) for factor in factors[1:]):
        return None
    value = site.value
    if value is None or len(value.axes) < 2:
        return None
    return Fold(factors[0], ast.Constant(len(factors)), None, "right", value.library, len(factors))


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield from _factors(node.left)
        yield from _factors(node.right)
    else:
        yield node


def _repeated(site: Site, node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The item and how often it is there."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for many, count in ((node.left, node.right), (node.right, node.left)):
            if isinstance(many, (ast.List, ast.Tuple)) and len(many.elts) == 1:
                return many.elts[0], count
    if isinstance(node, ast.Call) and path_of(site.lifted.module, node.func) == "itertools.repeat":
        if len(node.args) == 2 and not node.keywords:
            return node.args[0], node.args[1]
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)) and len(node.generators) == 1:
        (each,) = node.generators
        called = each.iter
        names = {n.id for n in everything_in(each.target) if isinstance(n, ast.Name)}
        if each.ifs or each.is_async or not isinstance(called, ast.Call) or called.keywords:
            return None
        if not is_name(called.func, "range") or len(called.args) != 1:
            return None
        if not any(isinstance(n, ast.Name) and n.id in names for n in everything_in(node.elt)):
            return node.elt, called.args[0]
    return None


def _product(
    site: Site, node: ast.expr
) -> tuple[Literal["number", "left", "right"], str | None] | None:
    """What a function of two arguments multiplies, the running product first."""
    module = site.lifted.module
    path = path_of(module, node)
    if path in _NUMBERS:
        return "number", None
    if path in _MATRICES:
        return "right", _MATRICES[path]
    if not isinstance(node, ast.Lambda) or len(node.args.args) != 2 or node.args.defaults:
        return None
    first, second = (arg.arg for arg in node.args.args)
    body = node.body
    if isinstance(body, ast.BinOp) and isinstance(body.op, (ast.Mult, ast.MatMult)):
        left, right, library = body.left, body.right, None
        matrices = isinstance(body.op, ast.MatMult)
    elif isinstance(body, ast.Call) and len(body.args) == 2 and not body.keywords:
        called = path_of(module, body.func)
        matrices = called in _MATRICES
        if not matrices and called not in _NUMBERS:
            return None
        (left, right), library = body.args, _MATRICES.get(called or "")
    else:
        return None
    if is_name(left, first) and is_name(right, second):
        return ("right" if matrices else "number"), library
    if is_name(left, second) and is_name(right, first):
        return ("left" if matrices else "number"), library
    return None


class FoldCode(ExpressionRegion):
    """The code of a fold in the user's own names."""

    def match(self, found: Fold) -> Match | None:
        site, module = self.site, self.module
        for part in (found.item, found.count, *([found.start] if found.start else [])):
            reason = impurity(module, part)
            site.require(reason is None, "effects", f"the code {reason}")
        item, count = self.value(found.item), constant(found.count)
        self.reasons: list[str] = []
        self.doubts: list[str] = []
        self.certain = isinstance(count, int) and count > 0
        self.count = count if isinstance(count, int) else TYPICAL_STEPS
        self.steps = self._written(found.count)
        number = self._number if found.side == "number" else self._matrix
        text, gain = number(found, item)
        site.require(gain > 1, "profit", too_few(self.count, "a power"))
        if found.start is not None and not self.certain:
            text = (
                f"{text} if {beside_comparison(self.steps)} > 0 else {self._written(found.start)}"
            )
        stated = assuming([*site.assumptions, *self.reasons])
        return Match(
            span=site.computation.span,
            message="a fold of one repeated factor is a power",
            computation=self._computation(found, item),
            edits=(self.replace(self.node, text),),
            numerics=self._grade(found, item),
            safe=not self.doubts,
            reason=reason_of(*self.doubts, stated),
        )

    def value(self, node: ast.expr) -> Value | None:
        found: Obj | None = self.values.get(node)
        if found is None and isinstance(node, ast.Name):
            found = self.scope(self.statement).get(node.id)
        return found if isinstance(found, Value) else None

    def _number(self, found: Fold, item: Value | None) -> tuple[str, float]:
        base, dtype = self._operand(found.item), item.dtype if item is not None else None
        plain = item is not None and item.library == "python" and not item.axes
        if not (plain and dtype == "int"):
            text = powered(base, self.steps)
            self.reasons.append(f"`{text}` stays finite where it is a float: {OVERFLOW}")
            line = overflowing(self.module, self.lifted.node, text)
            if line is not None:
                self.doubts.append(f"line {line} passes numbers for which `{text}` overflows")
        if not plain:
            narrow = dtype is not None and not dtype.startswith(FLOATS)
            self.site.require(
                not narrow, "integers", f"`{base}` holds integers, in whose dtype n is read"
            )
            self.reasons.append(f"`{base}` is a number or an array of floating-point numbers")
            self._apart(found, base)
        gain = self.count / (2 * log2(max(2, self.count)))
        text = powered(base, self.steps)
        one = constant(found.start) if found.start is not None else 1
        plain_one = type(one) is int or (type(one) is float and dtype == "float")
        if found.start is None or (one == 1 and plain_one):
            return text, gain
        return f"{self._operand(found.start)} * {text}", gain

    def _apart(self, found: Fold, base: str) -> None:
        """Of one item the fold returns the item itself."""
        perhaps = self.count < 2 if self.certain else found.least < 2 and found.start is None
        if perhaps:
            self.reasons.append(f"`{self.steps}` is at least 2: of one item `{base}` is returned")

    def _matrix(self, found: Fold, item: Value | None) -> tuple[str, float]:
        base = self._operand(found.item)
        library = found.library or (item.library if item is not None else None)
        library = library or self.module.library
        self.site.require(
            library in ("torch", "numpy"), "library",
            f"whether `{base}` is of torch or of NumPy is not known",
        )  # fmt: skip
        if item is None or len(item.axes) < 2:
            self.reasons.append(f"`{base}` has 2 axes or more")
        name = next((n for n, path in self.module.bound_at_top.items() if path == library), None)
        self.site.require(name is not None, "library", f"the file has no name for {library}")
        called = f"{name}.linalg.matrix_power"
        text = f"{called}({self.one_line(found.item)}, {self.steps})"
        if found.start is None:
            self._apart(found, base)
            return text, (self.count - 1) / max(1, products(self.count))
        start = self.value(found.start)
        self.site.require(
            start is not None and _identity(start), "thin",
            "what the product starts from may have fewer columns than the matrix",
        )  # fmt: skip
        if library == "numpy":
            # of the product's own dtype
            sides = (self._operand(found.start), base)
            left, right = sides if found.side == "right" else sides[::-1]
            text = f"{called}({left} @ {right}, {self.steps})"
        return text, self.count / (1 + products(self.count))

    def _written(self, node: ast.expr) -> str:
        """The text of an expression of the code, or of the 1 that ``math.prod`` starts from."""
        return ast.unparse(node) if isinstance(node, ast.Constant) else self.one_line(node)

    def _operand(self, node: ast.expr) -> str:
        return tight(self._written(node))

    def _grade(self, found: Fold, item: Value | None) -> Numerics:
        whole = item is not None and item.dtype is not None and item.dtype.startswith(("int", "ui"))
        start = found.start is None or isinstance(constant(found.start), int)
        return "exact" if whole and start else "conditioned"

    def _computation(self, found: Fold, item: Value | None) -> Computation:
        """The fold as a loop of products, which is what the properties are asked of."""
        count = self.value(found.count)
        number = constant(found.count)
        extent = Read(count, ()) if count is not None and not count.axes else Const(
            number if isinstance(number, int) else TYPICAL_STEPS
        )  # fmt: skip
        step, name = Index("t", extent), self.one_line(found.item)
        scan = Scan(step, self.site.computation.span)
        init: Term = ONE
        if found.side == "number":
            state, factor = Value("product", (), kind="state"), Value(name, (), kind="input")
            update: Term = Apply("mul", (Read(state, ()), Read(factor, ())))
        else:
            size = Value(f"len({name})", (), None, "int", "input", "python")
            row, column, inner = (Index(letter, Read(size, ())) for letter in "ijk")
            state = Value("product", (row, column), kind="state")
            factor = Value(name, (inner, column), kind="input")
            init = Apply("where", (Apply("eq", (row, column)), ONE, Const(0)))
            pair = (Read(state, (row, inner)), Read(factor, (inner, column)))
            update = Reduce("sum", inner, Apply("mul", pair))
        scan.carries = (Carry("product", state, init, update),)
        whole = self.site.computation
        return Computation("loop", whole.scope, whole.span, (), scan, (), (0,))


def _identity(value: Value) -> bool:
    from auditor.powers.reading import expanded

    body = expanded(Read(value, value.axes)) if len(value.axes) == 2 else None
    return (
        isinstance(body, Apply) and body.op == "where"
        and isinstance(body.args[0], Apply) and body.args[0].op == "eq"
        and set(body.args[0].args) == set(value.axes)
        and body.args[1] is ONE and body.args[2] is Const(0)
    )  # fmt: skip
