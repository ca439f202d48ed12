"""Loops over arrays whose steps take Python numbers out: ``x[i].item()``, ``float(v)``.

They are loops over the list of those numbers, ``x.tolist()``: the same values of the same types,
added in the same precision, fetched at once.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass, field, replace

from auditor.arrays.facts import Arrays
from auditor.folds.loop import Condition, Fold, FoldLoop, Generator
from auditor.folds.walks import CannotVectorise, Walks
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, same, tight
from auditor.tree import everything_in


def over_items(region: Region, loop: FoldLoop) -> FoldLoop | None:
    """The same folds over lists of numbers, or None where a step needs more of an element than its
    number."""
    if not any(_takes_number(n) for part in _parts(loop) for n in everything_in(part)):
        return None
    try:
        reader = _Items(region, loop)
        folds = [reader.fold(fold) for fold in loop.folds]
        temporaries = {name: reader.visit(value) for name, value in loop.temporaries.items()}
        generators = reader.generators()
    except (_MoreThanNumbers, CannotVectorise):
        return None
    return replace(loop, folds=folds, temporaries=temporaries, generators=generators,
                   innermost=None)  # fmt: skip


class _MoreThanNumbers(Exception):
    """A step uses an element otherwise than as a number."""


def _parts(loop: FoldLoop) -> list[ast.expr]:
    parts = list(loop.temporaries.values())
    for fold in loop.folds:
        parts += [fold.value, *(c.test for c in fold.conditions)]
        parts += [fold.payload] if fold.payload is not None else []
    return parts


def _takes_number(node: ast.AST) -> ast.expr | None:
    """x of ``x.item()``, ``float(x)``, ``int(x)``."""
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr == "item" and not node.args:
        return node.func.value
    if isinstance(node.func, ast.Name) and node.func.id in ("float", "int", "bool"):
        return node.args[0] if len(node.args) == 1 else None
    return None


_STEPS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Call, ast.IfExp)


@dataclass
class _Items:
    region: Region
    loop: FoldLoop
    taken: list[tuple[ast.expr, str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.arrays = Arrays(self.region)
        self.walks = Walks(self.region, self.loop.generators, self.loop.temporaries, unequal=True)
        for generator in self.loop.generators:
            plain = isinstance(generator.iter, ast.Name)
            if self.walks.moves(generator.iter) and not plain:
                raise _MoreThanNumbers

    def fold(self, fold: Fold) -> Fold:
        conditions = tuple(Condition(self.visit(c.test, True), c.holds) for c in fold.conditions)
        if fold.payload is not None:
            raise _MoreThanNumbers
        return replace(fold, value=self.visit(fold.value), conditions=conditions)

    def visit(self, node: ast.expr, compared: bool = False) -> ast.expr:
        """An expression of a step with numbers for elements; ``compared`` where its truth is all
        that is used."""
        inner = _takes_number(node)
        if inner is not None and self.element(inner) is not None:
            number = ast.Name(self.named(inner), ast.Load())
            assert isinstance(node, ast.Call)
            method = isinstance(node.func, ast.Attribute)
            if method or (is_name(node.func, "float") and self.floating(inner)):
                return number
            return ast.Call(node.func, [number], [])
        if self.element(node) is not None:
            if not compared:
                raise _MoreThanNumbers
            return ast.Name(self.named(node), ast.Load())
        if isinstance(node, ast.Name) and (node.id in self.walks.walks
                                           or node.id in self.walks.elements):  # fmt: skip
            raise _MoreThanNumbers
        if not self.walks.moves(node):
            if not isinstance(constant(node), (int, float)) and not self.number(node):
                raise _MoreThanNumbers
            return node
        if isinstance(node, ast.Compare) and compared:
            # A tensor compares in its own precision: only with what every precision has is that
            # the same as comparing numbers.
            bare = [p for p in (node.left, *node.comparators) if self.element(p) is not None]
            others = [p for p in (node.left, *node.comparators) if self.element(p) is None]
            if bare and not all(constant(p) in (0, 1, -1, 0.5, 2) for p in others):
                raise _MoreThanNumbers
        if isinstance(node, ast.Name):
            return node
        if not isinstance(node, _STEPS):
            raise _MoreThanNumbers
        if isinstance(node, ast.Call) and self.walks.moves(node.func):
            raise _MoreThanNumbers  # a method of an element, which numbers need not have
        inside = compared and isinstance(node, (ast.Compare, ast.BoolOp, ast.UnaryOp))
        made = copy.copy(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and name != "func":
                setattr(made, name, self.visit(value, inside))
            elif isinstance(value, list):
                setattr(made, name, [self.visit(v, inside) if isinstance(v, ast.expr) else v
                                     for v in value])  # fmt: skip
        return made

    def number(self, node: ast.expr) -> bool:
        """Whether an expression that stays the same is a Python number."""
        value = self.arrays.value(node)
        return value is not None and not value.axes and value.library == "python"

    def floating(self, element: ast.expr) -> bool:
        found = self.element(element)
        return found is not None and self.arrays.floating(found[0])

    def element(self, node: ast.expr) -> tuple[ast.expr, list[ast.expr]] | None:
        """(array, subscripts) where a node is the element of a step."""
        if isinstance(node, ast.Name) and node.id in self.walks.elements:
            element = self.walks.elements[node.id]
            if element.depth == len(self.loop.generators):
                return element.base, []
        subscripts: list[ast.expr] = []
        at = node
        while isinstance(at, ast.Subscript):
            part = at.slice
            subscripts = (list(part.elts) if isinstance(part, ast.Tuple) else [part]) + subscripts
            at = at.value
        if not subscripts or not self.arrays.certain(at):
            return None
        if any(isinstance(p, ast.Slice) for p in subscripts) or self.walks.moves(at):
            return None
        moving = [p for p in subscripts if self.walks.moves(p)]
        if len(moving) != len(subscripts) or len(moving) != len(self.walks.order):
            return None
        return at, subscripts

    def named(self, node: ast.expr) -> str:
        """The name of a number of the step."""
        for known, _, name in self.taken:
            if same(known, node):
                return name
        found = self.element(node)
        assert found is not None
        base, subscripts = found
        if subscripts:
            used = [self.walks.variable(p) for p in subscripts]
            if used != self.walks.order:
                raise _MoreThanNumbers
            cuts = [self.walks.slice(base, p, at) for at, p in enumerate(subscripts)]
            text = tight(self.region.module.source(base))
            if any(cut != ":" for cut in cuts):
                text = f"{text}[{', '.join(cuts)}]"
            free = (n for n in ("value", "number", "other", "first", "second")
                    if n not in self.region.stores and n not in self.region.loads)  # fmt: skip
            unused = [n for n in free if n not in [t[2] for t in self.taken]]
            if not unused:
                raise _MoreThanNumbers
            name = unused[0]
        else:
            assert isinstance(node, ast.Name)
            text, name = tight(self.region.module.source(base)), node.id
        one = self.arrays.rank(base) == 1
        flat = f"{text}.tolist()" if one else f"{text}.flatten().tolist()"
        self.taken.append((node, flat, name))
        return name

    def generators(self) -> list[Generator]:
        """One generator for all the numbers of a step."""
        if not self.taken or self.walks.backward:
            raise _MoreThanNumbers
        targets = [ast.Name(name, ast.Store()) for _, _, name in self.taken]
        sources = [ast.parse(text, mode="eval").body for _, text, _ in self.taken]
        if len(targets) == 1:
            return [Generator(targets[0], sources[0])]
        pairs = ast.Call(ast.Name("zip", ast.Load()), sources, [])
        return [Generator(ast.Tuple(list(targets), ast.Store()), pairs)]
