"""Products of a module's own matrices: finding them, what taking them once would save, the code."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass, replace
from itertools import permutations

from auditor.algebra.chains import Cost, saves
from auditor.assumed import assuming
from auditor.expressions.region import ExpressionRegion, Text
from auditor.expressions.turned_axes import last_two
from auditor.lift.arrays import Unsupported
from auditor.lift.facts import Refine
from auditor.lift.objects import Instance
from auditor.notation import (
    Apply,
    Computation,
    Const,
    Index,
    Read,
    Reduce,
    Symbol,
    Term,
    Value,
    definition,
)
from auditor.rewrite import Match, Refused, Site
from auditor.syntax import owner
from auditor.tree import everything_in
from auditor.verdict import Edit

_KERNEL = "constant_product"
_UNSAFE = (
    "without gradients the product is kept until a factor changes, and a write that torch does not"
    " count (through `.data` or `.numpy()`) is not seen; with gradients it is taken at every call"
)


@dataclass(frozen=True)
class _Matrix:
    """A constant matrix as it is read: its rows, its columns."""

    read: Read
    row: Index
    column: Index


def _product(term: Term | None) -> tuple[Index, Read, Read] | None:
    """``sum_k left[.., k] right[.., k]`` of two reads."""
    if not isinstance(term, Reduce) or term.op != "sum" or not isinstance(term.body, Apply):
        return None
    if term.body.op != "mul" or len(term.body.args) != 2:
        return None
    left, right = term.body.args
    if not isinstance(left, Read) or not isinstance(right, Read):
        return None
    if term.index not in left.subs or term.index not in right.subs:
        return None
    return term.index, left, right


def _behind_views(read: Read) -> Read:
    """The read of what a transpose or a name stands for."""
    while True:
        inner = definition(read) if not read.aligned else None
        if not isinstance(inner, Read):
            return read
        read = inner


class _Region(ExpressionRegion):
    """An expression of a method of a module."""

    def constant(self, read: Read, inner: Index, first: bool) -> _Matrix | None:
        """The matrix of the module that a factor reads; ``first`` where the inner index is that
        of its rows."""
        plain = _behind_views(read)
        value, subs = plain.value, plain.subs[-2:]
        if value.kind != "attribute" or len(subs) != 2 or len(plain.subs) != len(value.axes):
            return None
        if not all(axis.group for axis in value.axes[:-2]):
            return None
        if not self._fixed(value):
            return None
        others = [sub for sub in subs if sub is not inner]
        if len(others) != 1 or not isinstance(others[0], Index) or others[0].group:
            return None
        if inner not in subs:
            return None
        row, column = (inner, others[0]) if first else (others[0], inner)
        return _Matrix(plain, row, column)

    def _fixed(self, value: Value) -> bool:
        """Whether no method but the constructor binds the attribute anew, or the layer that has
        it."""
        first, *rest = value.name.split(".")
        return first == "self" and bool(rest) and rest[0] not in self.changing

    def text(self, matrix: _Matrix) -> Text | None:
        """The matrix with its rows first."""
        said = self.say(matrix.read.value)
        if said is None:
            return None
        if matrix.read.subs[-2:] == (matrix.row, matrix.column):
            return said
        library = self.library_of(matrix.read.value)
        return said.call(".T" if len(matrix.read.subs) == 2 else last_two(library))

    def in_module(self) -> bool:
        """Whether the method is one of a module of torch."""
        klass = self.lifted.lifter.klass
        return klass is not None and any("Module" in ast.unparse(b) for b in klass.node.bases)

    def operands(self) -> list[str] | None:
        """The two sides of a product where the ranks of what the module holds are not known."""
        node = self.node
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.MatMult):
            return None
        for side in (node.left, node.right):
            value = self.values.get(side)
            if not isinstance(value, Value) or value.kind != "attribute":
                return None
            if not self._fixed(value):
                return None
        return [self.one_line(node.left), self.one_line(node.right)]

    def extents(self, *indices: Index) -> list[Term]:
        return [self.lifted.facts.extent(index.extent) for index in indices]

    def found(self, text: str, message: str, computation: Computation, reason: str = "") -> Match:
        """The match that writes ``text`` in place of the expression."""
        site = self.site
        said = assuming(site.assumptions)
        whole = "; ".join(part for part in (_UNSAFE, reason, said) if part)
        return Match(
            span=site.computation.span,
            message=message,
            computation=computation,
            edits=(Edit(self.without_brackets(self.node), self.replace(self.node, text).content),),
            imports=(("auditor.kernels", _KERNEL),),
            safe=False,
            reason=whole,
            kernel=f"auditor.kernels.{_KERNEL}",
        )

    def disturbed_since(self, value: Value) -> bool:
        """Whether anything besides computing values happens between ``value`` and the
        expression."""
        node = self.origin(value)
        if node is None:
            return True
        start, end = self.module.span(node), self.module.span(self.node)
        entered = [self.module.span(item.context_expr) for block in self.withs(self.node)
                   if isinstance(block, ast.With) for item in block.items]  # fmt: skip
        return any(
            (start.line, start.column) <= (effect.span.line, effect.span.column)
            and (effect.span.line, effect.span.column) < (end.line, end.column)
            for effect in self.lifted.lifter.effects
            if effect.kind != "exception" and effect.span not in entered
        )

    def meets_a_product(self) -> bool:
        """Whether the expression, or the name that it is bound to, is a factor of a product."""
        places: list[ast.AST] = [self.node]
        if isinstance(self.statement, ast.Assign) and self.statement.value is self.node:
            value = self.values.get(self.node)
            places += [load for loads in self.loads.values() for load in loads
                       if self.values.get(load) is value]  # fmt: skip
        return any(map(self._is_factor, places))

    def _is_factor(self, node: ast.AST) -> bool:
        parent = self.parents.get(node)
        while isinstance(parent, ast.Attribute) or (
            isinstance(parent, ast.Call) and parent.func is node
        ):
            node, parent = parent, self.parents.get(parent)
        if isinstance(parent, ast.BinOp):
            return isinstance(parent.op, ast.MatMult)
        if isinstance(parent, ast.Call):
            name = ast.unparse(parent.func).rsplit(".", 1)[-1]
            return name in ("matmul", "mm", "mv", "bmm", "linear", "einsum", "dot")
        return False


def cost(*products: tuple[Term, ...]) -> Cost:
    """The multiplications of products of the given extents."""
    total: Counter[tuple[Term, ...]] = Counter()
    for extents in products:
        number, names = 1, []
        for extent in extents:
            if isinstance(extent, Const) and isinstance(extent.value, int):
                number *= extent.value
            else:
                names.append(extent)
        total[tuple(sorted(names, key=str))] += number
    return total


def _not_below(cost: Cost, other: Cost) -> bool:
    """Whether ``other`` is certainly no more than ``cost``, whatever the extents are."""
    return cost == other or saves(cost, other)


def constant_pair(site: Site) -> Match | None:
    """``self.A @ self.B`` at every call."""
    value = site.value
    product = _product(value.body) if value is not None else None
    if product is None or value is None:
        return None
    region, (inner, one, two) = _Region(site), product
    texts, extents = None, None
    for left, right in ((one, two), (two, one)):
        a, b = region.constant(left, inner, False), region.constant(right, inner, True)
        if a is None or b is None or value.axes[-2:] != (a.row, b.column):
            continue
        if a.read.value is b.read.value:
            return None
        said = [region.text(matrix) for matrix in (a, b)]
        texts = [text.text for text in said if text is not None]
        extents = region.extents(a.row, a.column, b.column)
        break
    if texts is None:
        texts = region.operands()
    if texts is None or len(texts) != 2 or not region.in_module():
        return None
    factor, reason = region.meets_a_product(), ""
    if extents is not None:
        d, r, e = extents
        kept, thin = cost((d, e)), cost((d, r), (r, e))
        site.require(
            not (factor and _not_below(kept, thin)), "rank",
            "with so few columns between them the two matrices are cheaper one after the other",
        )  # fmt: skip
        factor = factor and not saves(thin, kept)
    site.require(
        not isinstance(site.statement, ast.Return) or site.statement.value is not site.node,
        "returned", "the caller may write into the product",
    )  # fmt: skip
    site.require(not _written(region), "written", "the product is written to")
    if factor:
        reason = "where few columns are between the two, two thin products are cheaper still"
    message = f"`{texts[0]} @ {texts[1]}` is the same at every call: it can be computed once"
    text = f"{_KERNEL}({texts[0]}, {texts[1]})"
    return region.found(text, message, site.computation, reason)


def _written(region: _Region) -> bool:
    """Whether the function writes in place into what its statement binds."""
    names = {n.id for n in everything_in(region.statement)
             if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}  # fmt: skip
    for node in region.nodes:
        target: ast.AST | None = None
        if isinstance(node, ast.AugAssign):
            target = node.target
        elif (
            (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store))
            or (isinstance(node, ast.Attribute) and node.attr.endswith("_"))
            or (isinstance(node, ast.keyword) and node.arg == "out")
        ):
            target = node.value
        if owner(target) in names:
            return True
    return False


def two_steps(site: Site) -> Match | None:
    """``x @ self.A @ self.B`` from the left, or ``self.A @ (self.B @ x)`` from the right."""
    if site.value is None:
        return None
    flat = _three(site.value.body)
    if flat is not None:
        return _einsum(_Region(site), site, *flat)
    product = _product(site.value.body)
    if product is None:
        return None
    return _nested(_Region(site), site, product)


def _nested(region: _Region, site: Site, product: tuple[Index, Read, Read]) -> Match | None:
    inner, one, two = product
    for first, last in ((one, two), (two, one)):
        inside = _product(definition(_behind_views(first)) if not first.aligned else None)
        if inside is None:
            continue
        for flow, middle in ((inside[1], inside[2]), (inside[2], inside[1])):
            found = _chain(region, flow, middle, inside[0], last, inner)
            if found is not None:
                return _chained(region, site, flow, *found, _behind_views(first).value)
    return None


def _three(term: Term | None) -> tuple[tuple[Index, ...], tuple[Read, ...]] | None:
    """The indices and factors of a sum over two indices of a product of three."""
    bound: list[Index] = []
    while isinstance(term, Reduce) and term.op == "sum":
        bound.append(term.index)
        term = term.body
    if len(bound) != 2 or not isinstance(term, Apply) or term.op != "mul":
        return None
    reads = tuple(arg for arg in term.args if isinstance(arg, Read))
    return (tuple(bound), reads) if len(reads) == len(term.args) == 3 else None


def _einsum(
    region: _Region, site: Site, bound: tuple[Index, ...], reads: tuple[Read, ...]
) -> Match | None:
    """Three factors of one ``einsum``, two of them the module's own."""
    for deep, inner in (bound, bound[::-1]):
        for flow, middle, last in permutations(reads):
            if deep in flow.subs and deep not in last.subs and inner not in flow.subs:
                found = _chain(region, flow, middle, deep, last, inner)
                if found is not None:
                    return _chained(region, site, flow, *found, None)
    return None


def _chain(
    region: _Region, flow: Read, middle: Read, deep: Index, last: Read, inner: Index
) -> tuple[_Matrix, _Matrix, bool] | None:
    """The two matrices in the order in which they stand, and whether what flows in is on their
    left."""
    a, b = region.constant(middle, deep, True), region.constant(last, inner, True)
    if a is None or b is None or a.column is not inner:
        return None
    if region.constant(flow, deep, False) is not None or not flow.subs or not region.in_module():
        return None
    if flow.subs[-1] is deep and region.site.value is not None:
        if region.site.value.axes == (*flow.subs[:-1], b.column):
            return a, b, True
    axes = region.site.value.axes if region.site.value is not None else ()
    if flow.subs[0] is deep and axes == (b.column, *flow.subs[1:]) and len(flow.subs) <= 2:
        turned = [_Matrix(m.read, m.column, m.row) for m in (b, a)]
        return turned[0], turned[1], False
    return None


def _chained(
    region: _Region,
    site: Site,
    flow: Read,
    a: _Matrix,
    b: _Matrix,
    left: bool,
    between: Value | None,
) -> Match | None:
    d, r, e = region.extents(a.row, a.column, b.column)
    kept, thin = cost((d, e)), cost((d, r), (r, e))
    site.require(
        saves(thin, kept), "rank",
        "with few columns between them the two matrices are cheaper one after the other"
        if _not_below(kept, thin)
        else "how many columns are between the two matrices is not known",
    )  # fmt: skip
    said = region.say(flow.value)
    texts = [region.text(matrix) for matrix in (a, b)]
    if said is None or texts[0] is None or texts[1] is None:
        return None
    whole = f"{_KERNEL}({texts[0].text}, {texts[1].text})"
    text = f"{said.multiplied()} @ {whole}" if left else f"{whole} @ {said.multiplied()}"
    node = region.node
    if left and isinstance(node, ast.Call) and ast.unparse(node.func).endswith("linear"):
        turned = [region.text(_Matrix(m.read, m.column, m.row)) for m in (b, a)]
        if len(node.args) != 2 or node.keywords or turned[0] is None or turned[1] is None:
            return None
        weights = f"{_KERNEL}({turned[0].text}, {turned[1].text})"
        text = f"{region.one_line(node.func)}({said.text}, {weights})"
    match = region.found(
        text,
        "two matrices of the module are multiplied in one after the other: their product can be"
        " computed once",
        site.computation,
    )  # fmt: skip
    return _without(region, match, text, said, between)


def _without(
    region: _Region, match: Match, text: str, said: Text, between: Value | None
) -> Match | None:
    """The match with what only made the value ``between`` dropped; ``said`` is what flows in."""
    removal = region.removal({region.node: Text(text, said.reads | {"self"}, False, False)})
    made = [between] if between is not None else []
    region.require_gone(removal, made, region.node, "product-used")
    region.site.require(
        not any(map(region.disturbed_since, made)), "effects",
        "something in between may change a factor",
    )  # fmt: skip
    region.site.require(
        region.same_gradients(made), "gradients",
        "a part of it is computed under another `with` block",
    )  # fmt: skip
    if region.site.inside and removal.edits:
        return None
    return replace(match, edits=tuple(sorted((*match.edits, *removal.edits))))


def layers(site: Site) -> Match | None:
    """``self.b(self.a(x))`` of two linear layers."""
    region = _Region(site)
    outer = _layer(region, site.node)
    if outer is None or not isinstance(site.node, ast.Call):
        return None
    between = region.values.get(site.node.args[0])
    call = region.origin(between) if isinstance(between, Value) else None
    inner = _layer(region, call)
    if inner is None or not isinstance(call, ast.Call) or not isinstance(between, Value):
        return None
    (first, d, r, bias), (second, _, e, _) = inner, outer
    kept, thin = cost((d, e)), cost((d, r), (r, e))
    site.require(
        saves(thin, kept), "rank",
        "a bottleneck between two layers is cheaper than their product"
        if _not_below(kept, thin)
        else "how many features are between the two layers is not known",
    )  # fmt: skip
    said = region.source_text(call.args[0])
    if said is None or isinstance(call.args[0], ast.Starred):
        return None
    shift = f"{second}({first}.bias)" if bias else f"{second}.bias"
    weights = f"{_KERNEL}({second}.weight, {first}.weight)"
    text = f"{_functional(region)}.linear({said.text}, {weights}, {shift})"
    match = region.found(
        text, "two linear layers in a row are one", _of_layers(site, first, second, d, r, e),
        "hooks and adapters of the two layers are not run",
    )  # fmt: skip
    return _without(region, match, text, said, between)


def _layer(region: _Region, node: ast.AST | None) -> tuple[str, Term, Term, bool] | None:
    """A call of a linear layer of the module: its name, sizes, and whether it has a bias."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return None
    layer = region.values.get(node.func)
    if not isinstance(layer, Instance) or layer.path != "torch.nn.Linear":
        return None
    name = region.one_line(node.func)
    if not name.startswith("self.") or name[5:] in region.changing:
        return None
    sizes = [*layer.args[:2]]
    sizes += [layer.keywords[k] for k in ("in_features", "out_features") if k in layer.keywords]
    if len(sizes) != 2:
        return None
    lifter = region.lifted.lifter
    try:
        d, e = (lifter.facts.extent(lifter.as_size(size)) for size in sizes)
    except (Refine, Unsupported):
        return None  # a size that is not known as a number
    stated = layer.keywords.get("bias", layer.args[2] if len(layer.args) > 2 else None)
    if stated is None:
        return name, d, e, True
    if not isinstance(stated, Value) or not isinstance(stated.body, Const):
        return None
    return name, d, e, bool(stated.body.value)


def _functional(region: _Region) -> str:
    for name, path in region.module.names.items():
        if path == "torch.nn.functional":
            return name
        if path == "torch.nn":
            return f"{name}.functional"
    for name, path in region.module.names.items():
        if path == "torch":
            return f"{name}.nn.functional"
    raise Refused("torch", "the file does not import torch")


def _of_layers(site: Site, first: str, second: str, d: Term, r: Term, e: Term) -> Computation:
    """The two products as notation, the shifts left out."""
    row, inner, middle, column = (
        Index(name, extent) for name, extent in zip("nkjo", (Symbol("rows"), d, r, e), strict=True)
    )
    x = Value("x", (row, inner), None, None, "input", "torch")
    one = Value(f"{first}.weight", (middle, inner), None, None, "attribute", "torch")
    two = Value(f"{second}.weight", (column, middle), None, None, "attribute", "torch")
    body = Reduce("sum", inner, Apply("mul", (x.at(row, inner), one.at(middle, inner))))
    hidden = Value("hidden", (row, middle), body, None, "derived", "torch")
    deep = Reduce("sum", middle, Apply("mul", (hidden.at(row, middle), two.at(column, middle))))
    out = Value("out", (row, column), deep, None, "derived", "torch")
    whole = site.computation
    return Computation("expression", whole.scope, whole.span, (out,))
