"""Loops that collect a running sum, product, maximum or minimum, as one cumulative operation.

Finds loops that fold a sequence and keep what they have so far at every step: appended to a list
(that is stacked afterwards, or stays a list), written into an array, or written one element after
the other from the element before (``out[i] = out[i - 1] + x[i]``, ``x[i] += x[i - 1]``), in plain
Python, NumPy and torch, with any start.

Legal because sums, products, extrema and logsumexp are monoids: the value after step t is the fold
of the first t elements, which a prefix operation gives for all t at once; the start is combined
with each.

Pays because the loop makes one small step an element, the operation one pass.

Safe means: equal up to the order of roundings (extrema exactly), gradients included. Running values
that are changed in place and appended without a copy are the same array again and again: refused.
So are integers that the library would widen, and running values used otherwise.

Sources: Blelloch, "Prefix Sums and Their Applications" (1990); the documentation of
``itertools.accumulate``, ``torch.cumsum``, ``numpy.ufunc.accumulate``.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from auditor.array_facts import Arrays
from auditor.folds.iterables import Iterable, kind_of
from auditor.folds.loop import Collected, Fold, FoldLoop, Generator, NotAFold
from auditor.folds.reader import read
from auditor.folds.vectorise import Shaped, Steps
from auditor.folds.walks import CannotVectorise
from auditor.purity import impurity
from auditor.recurrences.running import running
from auditor.region import Binding, Region
from auditor.rewrite import Example, Match, Refused, RefusedExample, Rewrite, Site, assuming
from auditor.syntax import constant, infinite, is_name, mentions, path_of, same
from auditor.verdict import Edit

_STACKS = ("torch.stack", "numpy.stack", "numpy.array", "numpy.asarray")
_WORDS = {"sum": "sum", "prod": "product", "max": "maximum", "min": "minimum",
          "logsumexp": "logsumexp"}  # fmt: skip
_METHODS = {"sum": "cumsum", "prod": "cumprod", "logsumexp": "logcumsumexp"}


def find(site: Site) -> Match | None:
    """The match of a loop, or None. Raises ``Refused``."""
    if site.loop is None or not isinstance(site.loop.node, (ast.For, ast.While)):
        return None
    refusal: Refused | None = None
    for how in (_from_text, running):
        try:
            match = how(site)
        except Refused as refused:
            refusal = refusal or refused
            continue
        if match is not None:
            return match
    if refusal is not None:
        raise refusal
    return None


def _from_text(site: Site) -> Match | None:
    """The match of a loop that folds in the ways of ``auditor.folds``."""
    assert site.loop is not None and isinstance(site.loop.node, (ast.For, ast.While))
    region, node = Region(site.lifted), site.loop.node
    table = _table(site, region, node) or _grown(site, region, node)
    if table is not None:
        return table
    try:
        loop = read(region, node, prefixes=True)
    except NotAFold:
        return None
    if len(loop.folds) != 1 or len(loop.collected) != 1 or len(loop.generators) != 1:
        return None
    fold = loop.folds[0]
    known = fold.op in ("sum", "prod", "max", "min", "logsumexp")
    if not known or fold.conditions or fold.name is None or fold.from_none:
        return None
    return _Plan(site, region, loop, fold, loop.collected[0]).match()


@dataclass
class _Plan:
    site: Site
    region: Region
    loop: FoldLoop
    fold: Fold
    kept: Collected
    reasons: list[str] = field(default_factory=list)

    def match(self) -> Match | None:
        for condition, reason in self.loop.objections:
            self.site.require(False, condition, reason)
        source = self.loop.generators[0].iter
        if kind_of(self.region, source, self.loop.generators) is Iterable.ARRAY:
            try:
                return self._arrays()
            except CannotVectorise as problem:
                self.site.require(False, problem.condition, str(problem))
                return None
        return self._list()

    def require(self, holds: bool, condition: str, reason: str) -> None:
        self.site.require(holds, condition, reason)

    def finish(self, edits: list[Edit], imports: tuple[tuple[str, str | None], ...] = ()) -> Match:
        region, loop, word = self.region, self.loop, self.fold.op
        if loop.counter_start is not None and isinstance(loop.node, ast.While):
            assert isinstance(loop.node.test, ast.Compare)
            name = ast.unparse(loop.node.test.left)
            binding = region.binding_before(loop.node, name)
            if binding is not None and binding.alone and binding.unread:
                edits.append(region.drop(loop.counter_start))
        return Match(
            span=region.module.span(loop.node),
            message=f"`{self.fold.name}` is a running {_WORDS[word]}, kept at every step",
            computation=self.site.computation,
            edits=tuple(sorted(edits)),
            imports=imports,
            numerics="exact" if word in ("max", "min") else "reassociated",
            reason=assuming(self.reasons),
        )

    def dropped(self, name: str) -> list[Edit]:
        """Drop the start's own statement, where it binds nothing else and is not read."""
        binding = self.region.binding_before(self.loop.node, name)
        if binding is None or not binding.alone or not binding.unread:
            return []
        return [self.region.drop(binding.statement)]

    # -- lists

    def _list(self) -> Match | None:
        region, fold, kept = self.region, self.fold, self.kept
        assert fold.name is not None
        if not kept.appended or fold.op == "logsumexp" or fold.negative or fold.call is not None:
            return None
        source = self.loop.generators[0].iter
        kind = kind_of(region, source, self.loop.generators)
        self.require(
            kind in (Iterable.LIST, Iterable.RANGE, Iterable.VIEW),
            "arrays",
            "nothing says that the loop walks a list",
        )
        if self.loop.temporaries:
            return None
        start = region.binding_before(self.loop.node, fold.name)
        first = constant(start.value) if start is not None else ...
        way = infinite(region.module, start.value) if start is not None else 0
        number = isinstance(first, (int, float)) and not isinstance(first, bool)
        assert isinstance(kept.target, ast.Name)
        out = kept.target.id
        held = region.binding_before(self.loop.node, out)
        begun = (
            held is not None
            and isinstance(held.value, ast.List)
            and [ast.unparse(item) for item in held.value.elts] == [fold.name]
        )
        if begun and held is not None and held.alone and held.unread:
            return self._begun_list(held, out, source)
        self.require(number or way != 0, "start", f"`{fold.name}` starts as no literal number")
        empty = held is not None and isinstance(held.value, ast.List) and not held.value.elts
        if held is None or not held.alone or not held.unread or not empty or start is None:
            return None
        self.require(
            not region.read_after(self.loop.node, fold.name)
            and not region.comes_round(self.loop.node, fold.name),
            "outputs",
            f"the last `{fold.name}` is used after the loop",
        )
        text = region.module.source
        target = self.loop.generators[0].target
        values = text(source)
        if not (isinstance(target, ast.Name) and is_name(fold.value, target.id)):
            values = f"({text(fold.value)} for {text(target)} in {text(source)})"
        unit = (first == 0 and fold.op == "sum") or (first == 1 and fold.op == "prod")
        unit = unit and isinstance(first, int)
        unit = unit or way == {"max": -1, "min": 1}.get(fold.op, 0) != 0
        function = {"prod": ["operator.mul"], "max": ["max"], "min": ["min"]}.get(fold.op, [])
        args = [values, *function]
        assert start.value is not None
        if not unit:
            args.append(f"initial={text(start.value)}")
        made = f"itertools.accumulate({', '.join(args)})"
        made = f"list({made})" if unit else f"list({made})[1:]"
        imports: tuple[tuple[str, str | None], ...] = (("itertools", None),)
        if function == ["operator.mul"]:
            imports += (("operator", None),)
        left = out
        if isinstance(held.statement, ast.AnnAssign):
            left = f"{out}: {text(held.statement.annotation)}"
        edits = [region.drop(held.statement), *self.dropped(fold.name)]
        edits.append(region.replace_lines(self.loop.node, [f"{left} = {made}"]))
        return self.finish(edits, imports)

    def _begun_list(self, held: Binding, out: str, source: ast.expr) -> Match | None:
        """``m = xs[0]``, ``out = [m]``, then ``m = max(m, x)``, ``out.append(m)`` for each x."""
        region, fold = self.region, self.fold
        text, name = region.module.source, fold.name
        block = region.siblings(self.loop.node)
        if name is None or block[block.index(self.loop.node) - 1] is not held.statement:
            return None
        self.require(
            not region.read_after(self.loop.node, name),
            "outputs",
            f"the last `{name}` is used after the loop",
        )
        target = self.loop.generators[0].target
        values = text(source)
        if not (isinstance(target, ast.Name) and is_name(fold.value, target.id)):
            values = f"({text(fold.value)} for {text(target)} in {text(source)})"
        function = {"prod": ["operator.mul"], "max": ["max"], "min": ["min"]}.get(fold.op, [])
        args = ", ".join([values, *function, f"initial={name}"])
        imports: tuple[tuple[str, str | None], ...] = (("itertools", None),)
        if fold.op == "prod":
            imports += (("operator", None),)
        line = f"{out} = list(itertools.accumulate({args}))"
        edits = [region.drop(held.statement), region.replace_lines(self.loop.node, [line])]
        return self.finish(edits, imports)

    # -- arrays

    def _arrays(self) -> Match | None:
        region, fold, kept = self.region, self.fold, self.kept
        assert fold.name is not None
        steps = Steps(region, self.loop.generators, self.loop.node)
        lines: list[str] = []
        for name, value in self.loop.temporaries.items():
            steps.temporaries[name] = steps.shape(value)
            lines.append(f"{name} = {steps.spell(value)}")
        shape = steps.shape(fold.value)
        if shape.kind != "steps" or shape.lead is None or steps.walked.backward:
            return None
        begun = region.binding_before(self.loop.node, fold.name)
        number = begun is not None and isinstance(constant(begun.value), (int, float))
        self.require(
            not fold.augmented or number,
            "mutation",
            f"`{fold.name}` is changed in place, which keeps its dtype and shape",
        )
        scalars = shape.right == 0 and shape.lead == 0 and steps.libraries == {"numpy"}
        self.require(
            not fold.augmented or kept.copied or scalars,
            "mutation",
            f"`{fold.name}` is changed in place, and what is kept are names of one array",
        )
        self.require(
            not region.read_after(self.loop.node, fold.name)
            and not region.comes_round(self.loop.node, fold.name),
            "outputs",
            f"the last `{fold.name}` is used after the loop",
        )
        text, dropped = self._running(steps, shape)
        if text is None:
            return None
        self._integers(steps, shape)
        edits: list[Edit] | None
        if kept.appended:
            edits = self._stacked(steps, shape, text, lines)
        else:
            target = steps.shape(kept.target)
            if target.lead != shape.lead or steps.walked.strided:
                return None
            stated = _same_axes(target, shape)
            if stated is None:
                return None
            self.reasons.extend(stated)
            written = [n.id for n in ast.walk(kept.target) if isinstance(n, ast.Name)]
            read = [base.id for base in steps.bases if isinstance(base, ast.Name)]
            self.reasons.extend(region.apart(written, set(read) - {*written}))
            where = steps.spell(kept.target)
            where = where if where.endswith("]") else f"{where}[:]"
            edits = [region.replace_lines(self.loop.node, [*lines, f"{where} = {text}"])]
        if edits is None:
            return None
        for sentence in steps.assumptions:
            self.reasons.append(sentence)
        return self.finish([*edits, *dropped])

    def _running(self, steps: Steps, shape: Shaped) -> tuple[str | None, list[Edit]]:
        """The values after each step, the start included."""
        region, fold = self.region, self.fold
        assert fold.name is not None and shape.lead is not None
        inner = steps.inside(fold.value)
        if fold.op in ("max", "min"):
            if steps.libraries == {"torch"}:
                text = f"{inner}.cum{fold.op}({shape.lead}).values"
            elif steps.libraries == {"numpy"}:
                numpy = self._spelling("numpy")
                text = f"{numpy}.{fold.op}imum.accumulate({steps.spell(fold.value)}, {shape.lead})"
            else:
                return None, []
        elif fold.op == "logsumexp" and steps.libraries != {"torch"}:
            return None, []
        else:
            text = f"{inner}.{_METHODS[fold.op]}({shape.lead})"
        start = region.binding_before(self.loop.node, fold.name)
        value = start.value if start is not None else None
        first = constant(value)
        if fold.op in ("max", "min"):
            way = infinite(region.module, value)
            if fold.call is None and way == (-1 if fold.op == "max" else 1):
                return text, self.dropped(fold.name)
        elif isinstance(first, (int, float)) and not isinstance(first, bool):
            unit = 0 if fold.op == "sum" else 1
            sign = "-" if fold.negative else "+" if fold.op == "sum" else "*"
            if fold.op == "logsumexp":
                return None, []
            if first == unit and (shape.floating or isinstance(first, int)) and not fold.negative:
                return text, self.dropped(fold.name)
            assert value is not None
            return f"{region.module.source(value)} {sign} {text}", self.dropped(fold.name)
        name = self._start_text(steps, shape, value)
        if fold.call is not None:
            return f"{fold.call}({name}, {text})", []
        if fold.op in ("max", "min"):
            return None, []
        sign = "-" if fold.negative else "+" if fold.op == "sum" else "*"
        return f"{name} {sign} {self._widened(steps, shape, value, text)}", []

    def _widened(self, steps: Steps, shape: Shaped, start: ast.expr | None, text: str) -> str:
        """The running values, added up in the type that the loop adds them up in."""
        value = Arrays(self.region).value(start) if start is not None else None
        if value is not None and value.dtype and steps.dtypes() == {value.dtype}:
            return text
        name = self.fold.name
        assert name is not None
        text, assumed = steps.told(text, name, shape, start) or (
            text, f"`{name}` starts as no wider type than what is put to it"
        )  # fmt: skip
        self.reasons.extend([assumed] if assumed else [])
        if value is None or any(axis.group for axis in value.axes):
            self.reasons.append(f"`{name}` starts with no more axes than that")
        return text

    def _start_text(self, steps: Steps, shape: Shaped, value: ast.expr | None) -> str:
        """The start, with an axis for the steps where broadcasting would not put it."""
        name = self.fold.name
        assert name is not None and shape.lead is not None
        if shape.lead == 0:
            return name
        arrays = Arrays(self.region)
        rank = arrays.rank(value) if value is not None else None
        exact = isinstance(shape.right, int) and rank == shape.lead + shape.right
        if not exact:
            raise CannotVectorise(f"`{name}` starts with an unknown number of axes", "axes")
        return f"{name}[{':, ' * shape.lead}None]"

    def _spelling(self, library: str) -> str:
        for name, path in self.region.module.names.items():
            if path == library:
                return name
        raise CannotVectorise(f"the file does not import {library}", "library")

    def _integers(self, steps: Steps, shape: Shaped) -> None:
        arrays = Arrays(self.region)
        binding = self.region.binding_before(self.loop.node, self.fold.name or "")
        by_float = binding is not None and isinstance(constant(binding.value), float)
        if self.fold.op not in ("sum", "prod") or shape.floating or by_float:
            return
        begun = binding.value if binding is not None else None
        number = isinstance(constant(begun), (int, float))
        typed = begun is not None and not number and arrays.integer(begun)
        self.require(
            not typed and not any(arrays.integer(base) for base in steps.bases),
            "integers",
            "the loop adds integers as wide as the array's, the library wider ones",
        )
        names = ", ".join(f"`{self.region.module.source(base)}`" for base in steps.bases)
        self.reasons.append(f"{names} holds no integers narrower than 64 bits")

    def _stacked(
        self, steps: Steps, shape: Shaped, text: str, lines: list[str]
    ) -> list[Edit] | None:
        """The list and the call that stacks it give way to the running values."""
        region, kept = self.region, self.kept
        assert isinstance(kept.target, ast.Name)
        out = kept.target.id
        held = region.binding_before(self.loop.node, out)
        if held is None or not held.alone or not held.unread:
            return None
        if not (isinstance(held.value, ast.List) and not held.value.elts):
            return None
        reads = region.reads_outside(out, (self.loop.node,))
        call = region.parents.get(reads[0]) if len(reads) == 1 else None
        path = path_of(region.module, call.func) if isinstance(call, ast.Call) else None
        self.require(
            isinstance(call, ast.Call) and path in _STACKS and call.args[:1] == reads,
            "list-use",
            f"the list `{out}` is used other than by one stack",
        )
        assert path is not None
        if not isinstance(call, ast.Call) or path.split(".")[0] not in steps.libraries:
            return None
        given = [*call.args[1:], *(k.value for k in call.keywords if k.arg in ("dim", "axis"))]
        if len(given) > 1 or len(call.keywords) > 1 or (call.keywords and not given):
            return None
        dim = constant(given[0]) if given else 0
        if not isinstance(dim, int):
            return None
        if dim < 0:
            if not isinstance(shape.right, int) or dim != -shape.right - 1:
                return None
        elif dim != shape.lead:
            return None
        if path in ("numpy.array", "numpy.asarray") and given:
            return None
        if path.startswith("numpy"):
            self.reasons.append("the loop runs at least once")
        edits = [region.drop(held.statement)]
        if region.next_statement(self.loop.node) is region.statement_of(call):
            edits += [region.replace_lines(self.loop.node, lines), region.replace(call, text)]
        else:
            lines = [*lines, f"{out} = {text}"]
            edits += [region.replace_lines(self.loop.node, lines), region.replace(call, out)]
        return edits


def _same_axes(one: Shaped, other: Shaped) -> list[str] | None:
    """What must be assumed for two shapes to be one; None where they certainly are not."""
    left, right = one.right, other.right
    if left == right:
        return []
    if isinstance(left, int) and isinstance(right, int):
        return None
    if not isinstance(left, int) and not isinstance(right, int):
        if left[1] != right[1]:
            return None
        return [f"`{left[0]}` and `{right[0]}` have equally many axes"]
    known, unknown = (left, right) if isinstance(left, int) else (right, left)
    assert isinstance(known, int) and not isinstance(unknown, int)
    count = known + unknown[1]
    return [f"`{unknown[0]}` has {count} {'axis' if count == 1 else 'axes'}"]


# ---------------------------------------------------------------- item after item


def _grown(site: Site, region: Region, node: ast.For | ast.While) -> Match | None:
    """``sums = [0]`` and ``sums.append(sums[-1] + x)`` for each x: what ``accumulate`` gives."""
    if not isinstance(node, ast.For) or len(node.body) != 1 or node.orelse:
        return None
    call = node.body[0].value if isinstance(node.body[0], ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    out = call.func.value
    if call.func.attr != "append" or not isinstance(out, ast.Name) or len(call.args) != 1:
        return None
    step, name = call.args[0], out.id
    found = _step(region, step)
    if found is None or ast.unparse(found[0]) != f"{name}[-1]":
        return None
    value, function, word = found[1:]
    held = region.binding_before(node, name)
    block = region.siblings(node)
    if held is None or not isinstance(held.value, ast.List) or len(held.value.elts) != 1:
        return None
    (start,) = held.value.elts
    near = block[block.index(node) - 1] is held.statement or constant(start) is not ...
    if not (held.alone and held.unread and near) or mentions(value, name):
        return None
    if mentions(node.iter, name) or isinstance(start, ast.Starred):
        return None
    if any(region.read_after(node, n.id) for n in ast.walk(node.target) if isinstance(n, ast.Name)):
        site.require(False, "names", f"`{ast.unparse(node.target)}` is used after the loop")
    why = impurity(region.module, value)
    site.require(why is None, "effects", f"a step {why}")
    text = region.module.source
    values = text(node.iter)
    if not (isinstance(node.target, ast.Name) and is_name(value, node.target.id)):
        values = f"({text(value)} for {text(node.target)} in {values})"
    args = ", ".join([values, *function, f"initial={text(start)}"])
    imports: tuple[tuple[str, str | None], ...] = (("itertools", None),)
    if any(path.startswith("operator.") for path in function):
        imports += (("operator", None),)
    edits = [
        region.drop(held.statement),
        region.replace_lines(node, [f"{name} = list(itertools.accumulate({args}))"]),
    ]
    return Match(
        span=region.module.span(node),
        message=f"`{name}` is filled with a running {word}",
        computation=site.computation,
        edits=tuple(sorted(edits)),
        imports=imports,
        numerics="exact",
    )


def _step(region: Region, node: ast.expr) -> tuple[ast.expr, ast.expr, list[str], str] | None:
    """What came before, what is new, the function of both for ``accumulate``, and its word."""
    if isinstance(node, ast.BinOp):
        function = {ast.Add: ([], "sum"), ast.Mult: (["operator.mul"], "product")}
        known = function.get(type(node.op))
        return None if known is None else (node.left, node.right, list(known[0]), known[1])
    if isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("max", "min") and name not in region.stores | region.module.functions.keys():
            return node.args[0], node.args[1], [name], f"{name}imum"
    return None


# ---------------------------------------------------------------- element after element


def _table(site: Site, region: Region, node: ast.For | ast.While) -> Match | None:
    """``out[i] = out[i - 1] + x[i]`` and ``x[i] += x[i - 1]``."""
    if not isinstance(node, ast.For) or len(node.body) != 1 or node.orelse:
        return None
    statement = node.body[0]
    target: ast.expr
    if isinstance(statement, ast.AugAssign):
        target, op = statement.target, type(statement.op)
        parts = [target, statement.value]
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        if not isinstance(statement.value, ast.BinOp):
            return None
        target, op = statement.targets[0], type(statement.value.op)
        parts = [statement.value.left, statement.value.right]
    else:
        return None
    if op not in (ast.Add, ast.Mult) or not isinstance(target, ast.Subscript):
        return None
    before = [p for p in parts if isinstance(p, ast.Subscript) and same(p.value, target.value)
              and not same(p, target)]  # fmt: skip
    if len(before) != 1 or not isinstance(target.value, ast.Name):
        return None
    (previous,) = before
    (value,) = [p for p in parts if p is not previous]
    name = target.value.id
    if not same(value, target) and mentions(value, name):
        return None
    if region.read_after(node, ast.unparse(node.target)):
        site.require(False, "names", f"`{ast.unparse(node.target)}` is used after the loop")
    try:
        return _table_match(site, region, node, target, previous, value, op)
    except CannotVectorise as problem:
        site.require(False, problem.condition, str(problem))
        return None


def _table_match(
    site: Site, region: Region, node: ast.For, target: ast.Subscript, previous: ast.Subscript,
    value: ast.expr, op: type,
) -> Match | None:  # fmt: skip
    arrays = Arrays(region)
    if not arrays.certain(target.value):
        return None
    steps = Steps(region, [Generator(node.target, node.iter)], node)
    written = steps.shape(target)
    behind = steps.shape(previous)
    where, before = steps.spell(target), steps.spell(previous)
    if (
        written.lead is None
        or written.lead != behind.lead
        or steps.walked.strided
        or steps.walked.backward
    ):
        return None
    start = _first(where, before, written.lead)
    if start is None:
        return None
    shape = steps.shape(value)
    if shape.kind != "steps" or shape.lead != written.lead:
        return None
    stated = _same_axes(written, shape)
    if stated is None:
        raise CannotVectorise("a step of another shape than what it is written to", "axes")
    base = region.module.source(target.value)
    site.require(not arrays.integer(target.value) or arrays.integer(value), "integers",
                 "each step is rounded to an integer")  # fmt: skip
    reasons = [*steps.assumptions, *stated]
    method, sign = ("cumsum", "+") if op is ast.Add else ("cumprod", "*")
    if not arrays.floating(target.value) and not same(value, target):
        reasons.append(f"`{base}` holds numbers of the kind of what is added")
    # The table's own type is the one that each step is added in.
    table = arrays.value(target.value)
    added = {found.dtype for used in steps.bases if (found := arrays.value(used))}
    wider = table is None or table.dtype is None or added == {table.dtype}
    typed = "" if wider else f", dtype={base}.dtype"
    running = f"{steps.inside(value)}.{method}({shape.lead}{typed})"
    line = f"{where} = {base}[{start}] {sign} {running}"
    return Match(
        span=region.module.span(node),
        message=f"`{base}` is filled with running {'sums' if op is ast.Add else 'products'}",
        computation=site.computation,
        edits=(region.replace_lines(node, [line]),),
        numerics="reassociated",
        reason=assuming(reasons),
    )


def _first(where: str, before: str, lead: int) -> str | None:
    """The slice of the one element before those written: ``out[1:]`` after ``out[:-1]``."""
    one, other = (ast.parse(text, mode="eval").body for text in (where, before))
    lows = []
    for node in (one, other):
        if not isinstance(node, ast.Subscript):
            lows.append(0)
            continue
        items = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        moving = items[lead] if lead < len(items) else None
        if not isinstance(moving, ast.Slice) or len(items) > lead + 1:
            return None
        low = constant(moving.lower) if moving.lower is not None else 0
        if not isinstance(low, int):
            return None
        lows.append(low)
    if lows[0] - lows[1] != 1:
        return None
    return f"{':, ' * lead}{lows[1] or ''}:{lows[0]}"


_SUMS = """\
import torch


def totals(x: torch.Tensor):
    batch, steps, features = x.shape
    total = torch.zeros(batch, features)
    out = []
    for t in range(steps):
        total = total + torch.exp(x[:, t])
        out.append(total)
    return torch.stack(out, dim=1)
"""

_SUMS_AFTER = """\
import torch


def totals(x: torch.Tensor):
    batch, steps, features = x.shape
    total = torch.zeros(batch, features)
    return total[:, None] + torch.exp(x).cumsum(1)
"""

_LIST = """\
import itertools


def balances(changes: list[int]) -> list[int]:
    balance = 0
    history = []
    for change in changes:
        balance += change
        history.append(balance)
    return history
"""

_LIST_AFTER = """\
import itertools


def balances(changes: list[int]) -> list[int]:
    history = list(itertools.accumulate(changes))
    return history
"""

_TABLE = """\
import numpy as np


def integral(x: np.ndarray):
    area = np.zeros(len(x) + 1)
    for i in range(len(x)):
        area[i + 1] = area[i] + x[i]
    return area
"""

_TABLE_AFTER = """\
import numpy as np


def integral(x: np.ndarray):
    area = np.zeros(len(x) + 1)
    area[1:] = area[:1] + x.cumsum(0, dtype=area.dtype)
    return area
"""

REWRITE = Rewrite(
    code="ASC105",
    name="prefix-op",
    summary="a running sum, product or extremum is one cumulative operation",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    seeks=("loop",),
    becomes="x.cumsum(dim), x.cummax(dim).values, itertools.accumulate(xs)",
    examples=(
        Example("running sums", _SUMS, _SUMS_AFTER,
                "((torch.randn(2, 7, 3, requires_grad=True),), (torch.randn(1, 1, 2),))"),
        Example("a table of sums", _TABLE, _TABLE_AFTER,
                "((np.random.default_rng(0).random(9),), (np.zeros(1),))"),
        Example("a list of balances", _LIST, _LIST_AFTER, "(([3, -1, 4],), ([],))"),
    ),
    refused=(
        RefusedExample("mutation", _SUMS.replace("total = total +", "total +=")),
        RefusedExample("effects", _LIST.replace("balance += change", "print(change)\n        "
                                                                     "balance += change")),
        RefusedExample("outputs", _LIST.replace("return history", "return history, balance")),
    ),
    unmatched=(
        _LIST.replace("balance += change", "balance = change - balance"),
        _LIST.replace("history.append(balance)", "history.append(change)"),
    ),
)  # fmt: skip
