"""Sums over pairs whose terms are products of a part for each side, as a product of sums.

Finds two nested loops that add up products, ``total += a[i] * b[j]``, of which every factor moves
with one of the loops alone. Of pairs of one range (``for j in range(i + 1, n)``, ``if i < j``,
``combinations(x, 2)``) it finds sums of any term that is linear in a part which moves with the
earlier of the two, ``s += (e[:, i] * e[:, j]).sum(1)`` as well: the interactions of a factorization
machine.

Legal because the sum of products is the product of the sums: ``sum_ij a_i b_j = (sum_i a_i)
(sum_j b_j)``; what moves with the inner loop is added up once, before the outer one. Of pairs
``sum_{i<j} f(a_i, b_j) = sum_j f(sum_{i<j} a_i, b_j)`` where f is linear in a: that is kept as j
goes on, and nothing is subtracted, so that no digits cancel.

Pays always: n + m steps instead of n times m.

Safe means: equal up to the order of roundings, of numbers and of whatever multiplies and adds as
these do. Types are those of the steps where there is one, which is said where a whole number is
added to; elements of arrays are taken for no narrow integers, which would wrap around at other
places, and what the inner loop walks for no iterator, of which later steps would see nothing.

Sources: Hall and Knight's "Higher Algebra" (1887) on products of series; the distributive law;
Rendle, "Factorization Machines" (2010), lemma 3.1.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from auditor.assumed import assuming
from auditor.expressions.region import text_of
from auditor.lift.dtypes import NO_NARROW
from auditor.nests.forms import added_to_itself
from auditor.pairs.triangle_sums import TriangleSum, triangle_sum
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.surroundings.purity import impurity
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, same
from auditor.tree import everything_in
from auditor.verdict import Edit, Verdict

_ZEROS = ("zeros", "zeros_like", "new_zeros")
_FRESH = frozenset(("range", "enumerate", "zip", "reversed"))


def find(site: Site) -> Match | None:
    """The match of two loops, or None. Raises ``Refused``."""
    outer = site.loop.node if site.loop is not None else None
    if not isinstance(outer, ast.For) or outer.orelse or len(outer.body) != 1:
        return None
    (inner,) = outer.body
    if not isinstance(inner, ast.For) or inner.orelse:
        return None
    region = Region(site.lifted)
    halves = triangle_sum(site.lifted.module, outer, inner, region.free_name)
    if halves is not None:
        return _Nest(region, outer, inner, halves.total).halved(site, halves)
    if len(inner.body) != 1:
        return None
    step = added_to_itself(inner.body[0]) or inner.body[0]
    if not isinstance(step, ast.AugAssign) or not isinstance(step.op, ast.Add):
        return None
    if not isinstance(step.target, ast.Name):
        return None
    nest = _Nest(region, outer, inner, step.target.id)
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

    def halved(self, site: Site, found: TriangleSum) -> Match | None:
        """The sum over the pairs of a range as one over its places."""
        region, module = self.region, self.region.module
        binding = region.binding_before(self.outer, self.total, unchanged=False)
        if binding is None or binding.value is None or not self._starts(binding.value):
            return None
        if not all(map(region.means_builtin, ("range", "len", "enumerate"))):
            return None
        site.require(
            all(impurity(module, part) is None for part in (found.step, found.stop)),
            "effects",
            "a factor may do more than compute a number",
        )
        bound = {n.id for node in (self.outer, self.inner) for n in everything_in(node)
                 if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}  # fmt: skip
        site.require(
            not any(self._read_elsewhere(name) for name in bound - {self.total}),
            "names",
            "a variable of the loops is read elsewhere",
        )
        indent = region.indent(self.outer)
        lines = found.written(region.free_name(f"{self.total}_before"))
        texts = dict.fromkeys(
            module.source(n.value) for n in everything_in(found.part)
            if isinstance(n, ast.Subscript) and isinstance(n.value, (ast.Name, ast.Attribute))
        )  # fmt: skip
        assumed = [f"`{text}` holds {NO_NARROW}" for text in texts]
        if found.walked is not None:
            assumed.append(f"`{module.source(found.walked)}` is a list or an array")
        if found.reduced:
            assumed.append(f"`{ast.unparse(found.part)}` has one shape at every step")
        return Match(
            span=site.computation.span,
            message=f"`{self.total}`: what is added up over pairs is linear in what moves with the"
            " earlier of the two, which can be added up first",
            computation=site.computation,
            edits=(Edit(module.span(self.outer), f"\n{indent}".join(lines)),),
            reason=assuming(assumed),
            verdicts={
                "separability": Verdict(
                    "holds", "structure", "each term is linear in a part that moves with one loop"
                )
            },
        )

    def _starts(self, value: ast.expr) -> bool:
        """Whether a sum starts as a number, or as an array of zeros."""
        number = constant(value)
        if isinstance(number, (int, float)) and not isinstance(number, bool):
            return True
        function = value.func if isinstance(value, ast.Call) else None
        name = function.attr if isinstance(function, ast.Attribute) else ""
        return name in _ZEROS

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

_HALF = """\
import torch


def interactions(fields, size):
    total = torch.zeros(size)
    for i in range(len(fields)):
        for j in range(i + 1, len(fields)):
            total += torch.sum(fields[i] * fields[j], dim=1)
    return total
"""

_HALF_AFTER = """\
import torch


def interactions(fields, size):
    total = torch.zeros(size)
    total_before = 0
    for j in range(1, len(fields)):
        total_before = total_before + fields[j - 1]
        total += torch.sum(total_before * fields[j], dim=1)
    return total
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
        Example("pairs of one range", _HALF, _HALF_AFTER,
                "(([torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 3)], 4),"
                " ([torch.randn(1, 2)], 1), ([], 2))"),
        Example("elements", _STATES, _STATES_AFTER,
                "(([1.5, 2.0], [0.5, -1.0, 4.0], 0.5), ([], [], 1.0))"),
    ),
    refused=(
        RefusedExample("effects", _STATES.replace("s * (", "weigh(s) * (")),
        RefusedExample("effects", _HALF.replace("fields[j],", "weigh(fields[j]),")),
        RefusedExample("names", _HALF.replace("return total", "return total, j")),
        RefusedExample("names", _STATES.replace("return z", "return z, s")),
    ),
    unmatched=(
        _PAIRS.replace("range(len(prices))", "range(i, len(prices))"),
        _PAIRS.replace("* prices[j]", "* prices[i + j]"),
        _PAIRS.replace("weights[i] *", "total *"),
        _PAIRS.replace("weights[i] * prices[j]", "prices[j]"),
        _PAIRS.replace("total = 0.0", "total = []"),
        _HALF.replace("range(i + 1,", "range(i + 2,"),
        _HALF.replace("fields[j],", "fields[j] + fields[i],"),
        _HALF.replace("torch.sum(", "torch.amax("),
        _HALF_AFTER,
    ),
)  # fmt: skip
