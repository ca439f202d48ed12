"""Sums over pairs whose terms are products of a part for each side, as a product of sums.

Finds two nested loops that add up products, ``total += a[i] * b[j]``, of which every factor moves
with one of the loops alone.

Legal because the sum of products is the product of the sums: ``sum_ij a_i b_j = (sum_i a_i)
(sum_j b_j)``; what moves with the inner loop is added up once, before the outer one.

Pays always: n + m steps instead of n times m.

Safe means: equal up to the order of roundings, of numbers and of whatever multiplies and adds as
these do. Types are those of the steps where there is one, which is said where a whole number is
added to; elements of arrays are taken for no narrow integers, which would wrap around at other
places, and what the inner loop walks for no iterator, of which later steps would see nothing.

Sources: Hall and Knight's "Higher Algebra" (1887) on products of series; the distributive law.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.assumed import assuming
from auditor.expressions.region import text_of
from auditor.lift.dtypes import NO_NARROW
from auditor.nests.forms import added_to_itself
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.surroundings.purity import impurity
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, same
from auditor.tree import everything_in
from auditor.verdict import Edit, Verdict

_FRESH = frozenset(("range", "enumerate", "zip", "reversed"))


def find(site: Site) -> Match | None:
    """The match of two loops, or None. Raises ``Refused``."""
    outer = site.loop.node if site.loop is not None else None
    if not isinstance(outer, ast.For) or outer.orelse or len(outer.body) != 1:
        return None
    (inner,) = outer.body
    if not isinstance(inner, ast.For) or inner.orelse or len(inner.body) != 1:
        return None
    step = added_to_itself(inner.body[0]) or inner.body[0]
    if not isinstance(step, ast.AugAssign) or not isinstance(step.op, ast.Add):
        return None
    if not isinstance(step.target, ast.Name):
        return None
    nest = _Nest(Region(site.lifted), outer, inner, step.target.id)
    sides = nest.sides(_factors(step.value))
    return None if sides is None else nest.match(site, *sides)


def _factors(node: ast.expr) -> list[ast.expr]:
    """The factors of a product, in their order."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return [*_factors(node.left), *_factors(node.right)]
    return [node]


def _names(*nodes: ast.AST) -> set[str]:
    return {n.id for node in nodes for n in everything_in(node) if isinstance(n, ast.Name)}


@dataclass(frozen=True)
class _Nest:
    """Two loops that add up to ``total``."""

    region: Region
    outer: ast.For
    inner: ast.For
    total: str

    def sides(self, factors: list[ast.expr]) -> tuple[list[ast.expr], list[ast.expr]] | None:
        """The factors of the outer loop, others among them, and those of the inner one."""
        rows, columns = _names(self.outer.target), _names(self.inner.target)
        read = _names(*factors, self.inner.iter, self.outer.iter)
        if self.total in read or rows & columns or rows & _names(self.inner.iter):
            return None
        moving = [bool(_names(factor) & rows) for factor in factors]
        within = [bool(_names(factor) & columns) for factor in factors]
        if not any(moving) or not any(within) or any(map(all, zip(moving, within, strict=True))):
            return None
        mine = [f for f, inside in zip(factors, within, strict=True) if not inside]
        return mine, [f for f, inside in zip(factors, within, strict=True) if inside]

    def match(self, site: Site, rows: list[ast.expr], columns: list[ast.expr]) -> Match | None:
        region, module = self.region, self.region.module
        binding = region.binding_before(self.outer, self.total)
        start = constant(binding.value) if binding is not None and binding.value else None
        if not isinstance(start, (int, float)) or isinstance(start, bool):
            return None
        if not region.means_builtin("sum"):
            return None
        parts = [*rows, *columns, self.inner.iter]
        site.require(
            all(impurity(module, part) is None for part in parts),
            "effects",
            "a factor may do more than compute a number",
        )
        site.require(
            not any(self._read_elsewhere(name) for name in _names(self.inner.target)),
            "names",
            "the variable of the inner loop is read elsewhere",
        )
        return Match(
            span=site.computation.span,
            message=f"`{self.total}`: every factor moves with one of two loops alone: the sum of"
            " the products is a product of sums",
            computation=site.computation,
            edits=(Edit(module.span(self.outer), self._text(rows, columns)),),
            reason=assuming(self._assumed(columns, start)),
            verdicts={
                "separability": Verdict(
                    "holds", "structure", "each factor reads the variable of one loop"
                )
            },
        )

    def _read_elsewhere(self, name: str) -> bool:
        here = set(everything_in(self.outer))
        return any(load not in here for load in self.region.loads.get(name, ()))

    def _text(self, rows: list[ast.expr], columns: list[ast.expr]) -> str:
        """The sum of what moves with the inner loop, and the outer loop."""
        source, indent = self.region.module.source, self.region.indent(self.outer)
        name = self.region.free_name(f"{self.total}_each")
        target, walked = source(self.inner.target), source(self.inner.iter)
        whole = len(columns) == 1 and same(columns[0], _loaded(self.inner.target))
        added = walked if whole else f"{self._product(columns)} for {target} in {walked}"
        head = f"for {source(self.outer.target)} in {source(self.outer.iter)}:"
        step = f"{self.total} += {self._product(rows, name)}"
        return f"{name} = sum({added})\n{indent}{head}\n{indent}    {step}"

    def _product(self, factors: list[ast.expr], *more: str) -> str:
        source = self.region.module.source
        texts = [text_of(source(factor)) for factor in factors]
        if len(texts) == 1 and not more:
            return texts[0].text
        return " * ".join([*(text.multiplied() for text in texts), *more])

    def _assumed(self, columns: list[ast.expr], start: int | float) -> list[str]:
        walked, source = self.inner.iter, self.region.module.source
        assumed = [f"`{source(walked)}` raises nothing where the outer loop takes no step"]
        if type(start) is int:
            assumed.append(f"`{source(walked)}` is not empty")
        called = walked.func if isinstance(walked, ast.Call) else None
        over = walked.args if isinstance(walked, ast.Call) and self._fresh(called) else [walked]
        names = [n for n in over if isinstance(n, (ast.Name, ast.Attribute))]
        if not is_name(called, "range"):
            assumed += [f"`{source(name)}` is no iterator" for name in names]
        held = [n.value for c in columns for n in everything_in(c) if isinstance(n, ast.Subscript)]
        if not is_name(called, "range"):
            held += names
        texts = dict.fromkeys(source(n) for n in held if isinstance(n, (ast.Name, ast.Attribute)))
        return [*assumed, *(f"`{text}` holds {NO_NARROW}" for text in texts)]

    def _fresh(self, called: ast.expr | None) -> bool:
        name = called.id if isinstance(called, ast.Name) else ""
        return name in _FRESH and self.region.means_builtin(name)


def _loaded(target: ast.expr) -> ast.expr:
    """What a loop binds, as it is read."""
    return ast.Name(target.id, ast.Load()) if isinstance(target, ast.Name) else target


_PAIRS = """\
def exposure(weights, prices):
    total = 0.0
    for i in range(len(weights)):
        for j in range(len(prices)):
            total += weights[i] * prices[j]
    return total
"""

_PAIRS_AFTER = """\
def exposure(weights, prices):
    total = 0.0
    total_each = sum(prices[j] for j in range(len(prices)))
    for i in range(len(weights)):
        total += weights[i] * total_each
    return total
"""

_STATES = """\
def states(energies, spins, beta: float):
    z = 0.0
    for e in energies:
        for s in spins:
            z += s * (e - beta) * (s + 1)
    return z
"""

_STATES_AFTER = """\
def states(energies, spins, beta: float):
    z = 0.0
    z_each = sum(s * (s + 1) for s in spins)
    for e in energies:
        z += (e - beta) * z_each
    return z
"""

REWRITE = Rewrite(
    code="SEP201",
    name="factored-sum",
    summary="sums over pairs of products of single parts are products of sums",
    doc=__doc__,
    properties=("separability",),
    find=find,
    seeks=("loop",),
    becomes="sum(a) * sum(b)",
    examples=(
        Example("all pairs", _PAIRS, _PAIRS_AFTER,
                "(([1.5, 2.0], [0.5, 0.25, 4.0]), ([], [1.0]), ([1.0], []))"),
        Example("elements", _STATES, _STATES_AFTER,
                "(([1.5, 2.0], [0.5, -1.0, 4.0], 0.5), ([], [], 1.0))"),
    ),
    refused=(
        RefusedExample("effects", _STATES.replace("s * (", "weigh(s) * (")),
        RefusedExample("names", _STATES.replace("return z", "return z, s")),
    ),
    unmatched=(
        _PAIRS.replace("range(len(prices))", "range(i, len(prices))"),
        _PAIRS.replace("* prices[j]", "* prices[i + j]"),
        _PAIRS.replace("weights[i] *", "total *"),
        _PAIRS.replace("weights[i] * prices[j]", "prices[j]"),
        _PAIRS.replace("total = 0.0", "total = []"),
    ),
)  # fmt: skip
