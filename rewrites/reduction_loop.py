"""Loops that fold a sequence into a few values, as reductions.

Finds loops that only carry sums, products, minima, maxima, counts, flags, dot products or the
place of an extremum: one or several at a time, guarded or not, nested over a matrix, over tensors,
arrays and lists; with ``+=`` or written out, ``max()`` or ``if x > m``, a flag with ``break`` or an
early ``return``.

Legal because each operation is a monoid: associative, with the identity (or the given start) as
the value of the empty sequence, so that the steps may be taken in any grouping. Booleans, counts,
minima and maxima come out exactly; sums and products up to the order of roundings.

Pays because a loop runs one interpreted step (for tensors: one kernel) an element, the reduction
one for all.

Safe means: the same value of the same type, also for the empty sequence unless the finding says
otherwise; whatever the original returned normally for still returns. A comparison with ``>`` keeps
the first of equals, as ``max``, ``list.index`` and ``argmax`` (of torch since 1.7) do; ``>=`` keeps
the last and is refused where the difference could be seen. Compensated sums, early exits that
depend on the state, iteration over sets, appended partial results and narrow integers stay.

Sources: Bird, "An Introduction to the Theory of Lists" (1987); the documentation of ``sum``,
``max``, ``any``, ``torch.argmax``, ``numpy.sum`` (promotion of narrow integers, NEP 50).
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace

from auditor.array_facts import Arrays
from auditor.folds import (
    Condition,
    Fold,
    FoldLoop,
    Generator,
    NotAFold,
    constant,
    infinite,
    is_name,
    mentions,
    path_of,
    read,
    renamed,
    same,
)
from auditor.iterables import Iterable, element_type, kind_of
from auditor.region import Binding, Region
from auditor.rewrite import Example, Match, RefusedExample, Rewrite, Site
from auditor.vectorise import CannotVectorise, Shaped, Steps
from auditor.verdict import Edit, Numerics

_WORDS = {"sum": "sum", "prod": "product", "max": "maximum", "min": "minimum", "any": "disjunction",
          "all": "conjunction", "set": "flag", "argmax": "place of the maximum",
          "argmin": "place of the minimum"}  # fmt: skip
_FRESH = ("zeros", "ones", "full", "zeros_like", "ones_like", "full_like", "tensor", "array",
          "new_zeros", "new_ones", "new_full", "clone", "copy")  # fmt: skip


def find(site: Site) -> Match | None:
    """The match of a loop, or None. Raises ``Refused``."""
    if site.loop is None or not isinstance(site.loop.node, (ast.For, ast.While)):
        return None
    region = Region(site.lifted)
    node = site.loop.node
    if _inside_another(region, node):
        return None
    try:
        loop = read(region, node)
    except NotAFold:
        return None
    return _Plan(site, region, loop).match()


def _inside_another(region: Region, node: ast.stmt) -> bool:
    """Whether the loop is the whole body of a loop that folds as a nest."""
    outer = region.parents.get(node)
    if not isinstance(outer, ast.For) or outer.body != [node]:
        return False
    try:
        return read(region, outer).innermost is not outer
    except NotAFold:
        return False


@dataclass
class _Start:
    """What a name holds before the loop. ``statement`` may be dropped once the value is taken."""

    binding: Binding | None
    value: ast.expr | None
    text: str
    number: bool
    fresh: bool

    @property
    def literal(self) -> object:
        return constant(self.value)


@dataclass
class _Plan:
    site: Site
    region: Region
    loop: FoldLoop
    reasons: list[str] = field(default_factory=list)
    imports: list[tuple[str, str | None]] = field(default_factory=list)
    taken: dict[ast.stmt, set[str]] = field(default_factory=dict)
    exact: bool = True

    def __post_init__(self) -> None:
        self.module = self.region.module
        self.arrays = Arrays(self.region)

    def require(self, holds: bool, condition: str, reason: str) -> None:
        self.site.require(holds, condition, reason)

    def assume(self, sentence: str) -> None:
        if sentence not in self.reasons:
            self.reasons.append(sentence)

    # -- the whole

    def match(self) -> Match | None:
        for condition, reason in self.loop.objections:
            self.require(False, condition, reason)
        starts = {name: self.start(name) for fold in self.loop.folds for name in fold.names}
        kinds = [kind_of(self.region, g.iter, self.loop.generators) for g in self.loop.generators]
        if any(kind is Iterable.ARRAY for kind in kinds):
            lines = _ArrayCode(self, starts).lines()
        else:
            lines = _ListCode(self, starts, kinds).lines()
        if lines is None:
            return None
        return self._finish(lines)

    def start(self, name: str) -> _Start:
        binding = self.region.binding_before(self.loop.node, name)
        value = binding.value if binding is not None else None
        from auditor.notation import Value

        held = self.region.scope(self.loop.node).get(name)
        literal = constant(value)
        number = isinstance(literal, (int, float)) and not isinstance(literal, bool)
        number = number or bool(infinite(self.module, value))
        if not number and isinstance(held, Value) and not held.axes:
            number = held.library == "python" and held.dtype in ("int", "float")
        fresh = isinstance(value, (ast.BinOp, ast.UnaryOp))
        if isinstance(value, ast.Call):
            path = path_of(self.module, value.func) or ""
            last = value.func.attr if isinstance(value.func, ast.Attribute) else path
            fresh = last.rsplit(".", 1)[-1] in _FRESH
        text = self.module.source(value) if value is not None else name
        return _Start(binding, value, text, number, fresh)

    def take(self, name: str, start: _Start) -> None:
        """The start has gone into the new code: its statement is not needed any more."""
        if start.binding is not None and start.binding.unread:
            self.taken.setdefault(start.binding.statement, set()).add(name)

    def movable(self, start: _Start) -> bool:
        """Whether the start's own text may stand where the loop stands."""
        return start.binding is not None and (
            isinstance(start.literal, (int, float))
            or infinite(self.module, start.value) != 0
            or start.literal is None
        )

    def _finish(self, lines: list[str]) -> Match:
        loop, region = self.loop, self.region
        edits: list[Edit] = []
        for statement, taken in self.taken.items():
            if _bound(statement) == taken and region.siblings(statement) != [statement]:
                edits.append(region.drop(statement))
        if loop.counter_start is not None:
            name = next(iter(_bound(loop.counter_start)), "")
            binding = region.binding_before(loop.node, name)
            if binding is not None and binding.alone and binding.unread:
                edits.append(region.drop(loop.counter_start))
        if loop.returns is not None:
            after = region.next_statement(loop.node)
            assert after is not None
            edits.append(region.drop(after))
        edits.append(region.replace_lines(loop.node, lines))
        names = [name for fold in loop.folds for name in fold.names]
        what = " and ".join(dict.fromkeys(_WORDS[fold.op] for fold in loop.folds))
        said = f"`{'`, `'.join(names)}`: " if names else ""
        numerics: Numerics = "exact" if self.exact else "reassociated"
        return Match(
            span=region.module.span(loop.node),
            message=f"{said}the loop computes a {what}, one step at a time",
            computation=self.site.computation,
            edits=tuple(sorted(edits)),
            imports=tuple(self.imports),
            numerics=numerics,
            reason="assumes that " + "; ".join(self.reasons) if self.reasons else None,
        )


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement binds."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [
        getattr(statement, "target", statement)
    ]  # fmt: skip
    return {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}


# ---------------------------------------------------------------- lists


class _ListCode:
    """The fold in plain Python: ``sum``, ``max``, ``any`` over a generator expression."""

    def __init__(self, plan: _Plan, starts: dict[str, _Start], kinds: list[Iterable]) -> None:
        self.plan, self.starts, self.kinds = plan, starts, kinds
        self.loop, self.module = plan.loop, plan.module
        self.inlined: dict[str, ast.expr] = {}

    def lines(self) -> list[str] | None:
        plan, loop = self.plan, self.loop
        plan.require(Iterable.SET not in self.kinds, "sets", "the loop walks a set, in no order")
        first = self.kinds[0]
        arrays_about = any(
            path.split(".")[0] in ("torch", "numpy", "jax", "tensorflow", "cupy", "pandas")
            for path in self.module.names.values()
        )
        known = all(kind is not Iterable.UNKNOWN for kind in self.kinds)
        plan.require(
            known or not arrays_about,
            "arrays",
            "nothing says whether the loop walks a list or an array",
        )
        plan.require(
            first in (Iterable.LIST, Iterable.RANGE, Iterable.VIEW) or len(loop.folds) == 1,
            "iterables",
            "what the loop walks may be readable only once, and there are several folds",
        )
        early = [fold for fold in loop.folds if fold.op in ("set", "any", "all") and not fold.stops]
        again = (Iterable.LIST, Iterable.RANGE, Iterable.VIEW)
        plan.require(
            not early or all(kind in again for kind in self.kinds),
            "iterables",
            "the loop reads all of what it walks, `any` only as much as it needs",
        )
        if not self._inline():
            plan.require(False, "temporaries", "a temporary of the loop is used more than once")
        lines = []
        for fold in loop.folds:
            made = self.fold(fold)
            if made is None:
                return None
            lines.extend(made)
        return lines

    def _inline(self) -> bool:
        """Temporaries are read in place; whether each is read once or costs nothing to repeat."""
        once = True
        for name, value in self.loop.temporaries.items():
            uses = 0
            for fold in self.loop.folds:
                for part in (fold.value, *(c.test for c in fold.conditions)):
                    uses += sum(is_name(n, name) for n in ast.walk(part))
            for other in self.loop.temporaries.values():
                uses += sum(is_name(n, name) for n in ast.walk(other))
            cheap = isinstance(value, (ast.Name, ast.Attribute, ast.Subscript, ast.Constant))
            once &= uses <= 1 or cheap
            for earlier, meaning in self.inlined.items():
                if mentions(value, earlier):
                    value = renamed(value, earlier, meaning)
            self.inlined[name] = value
        return once

    def text(self, node: ast.expr) -> str:
        for name, value in self.inlined.items():
            if mentions(node, name):
                node = renamed(node, name, value)
        if hasattr(node, "lineno") and not any(mentions(node, n) for n in self.inlined):
            source = self.module.source(node) if _original(node, self.plan.region) else ""
            if source and "\n" not in source:
                return source
        return ast.unparse(node)

    def condition(self, condition: Condition) -> str:
        test, holds = condition.test, condition.holds
        if not holds and isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, holds = test.operand, True
        text = self.text(test)
        loose = isinstance(test, (ast.BoolOp, ast.IfExp, ast.Lambda))
        if holds:
            return f"({text})" if isinstance(test, (ast.IfExp, ast.Lambda)) else text
        return f"not ({text})" if loose else f"not {text}"

    def loops(self, conditions: tuple[Condition, ...]) -> str:
        """``for x in xs if test`` for the whole nest."""
        parts = [f"for {self.text(g.target)} in {self.text(g.iter)}" for g in self.loop.generators]
        for condition in conditions:
            parts.append(f"if {self.condition(condition)}")
        return " ".join(parts)

    def elements(self, fold: Fold, *, bare: bool = True) -> str:
        """The generator of a fold's values, or the iterable itself where it is the same."""
        generators = self.loop.generators
        if bare and len(generators) == 1 and not fold.conditions:
            target, source = generators[0].target, generators[0].iter
            if isinstance(target, ast.Name) and is_name(fold.value, target.id):
                return self.text(source)
            whole = self.whole(fold.value)
            if whole is not None and whole[1] == 0:
                return self.text(whole[0])
        return f"{self.text(fold.value)} {self.loops(fold.conditions)}"

    def whole(self, value: ast.expr) -> tuple[ast.expr, int] | None:
        """(xs, first) where the values are xs[first:], of a list."""
        if len(self.loop.generators) != 1:
            return None
        target, source = self.loop.generators[0].target, self.loop.generators[0].iter
        if isinstance(target, ast.Tuple) and isinstance(source, ast.Call):
            if is_name(source.func, "enumerate") and len(source.args) == 1:
                if len(target.elts) == 2 and same(target.elts[1], value):
                    return source.args[0], 0
            return None
        if same(target, value):
            if isinstance(source, ast.Subscript) and isinstance(source.slice, ast.Slice):
                cut = source.slice
                if constant(cut.lower) == 1 and cut.upper is None and cut.step is None:
                    return source.value, 1
            return source, 0
        if not (isinstance(source, ast.Call) and is_name(source.func, "range")):
            return None
        if not (isinstance(value, ast.Subscript) and same(value.slice, target)):
            return None
        stop = source.args[-1]
        first = constant(source.args[0]) if len(source.args) == 2 else 0
        if len(source.args) > 2 or not isinstance(first, int) or first not in (0, 1):
            return None
        if not (isinstance(stop, ast.Call) and is_name(stop.func, "len") and len(stop.args) == 1):
            return None
        if not same(stop.args[0], value.value):
            return None
        if kind_of(self.plan.region, value.value, []) is not Iterable.LIST:
            return None
        return value.value, first

    def fold(self, fold: Fold) -> list[str] | None:
        if fold.op in ("sum", "prod"):
            return self.sum(fold)
        if fold.op in ("set", "any", "all"):
            return self.flag(fold)
        if fold.op in ("max", "min"):
            return self.extremum(fold)
        return self.place(fold)

    def sum(self, fold: Fold) -> list[str] | None:
        plan = self.plan
        assert fold.name is not None
        start = self.starts[fold.name]
        plan.require(start.number, "start", f"nothing says that `{fold.name}` starts as a number")
        counted = constant(fold.value)
        if fold.op == "prod":
            if isinstance(counted, (int, float)):
                return None
            plan.imports.append(("math", None))
            plan.exact = False
            if start.literal == 1 and isinstance(start.literal, int):
                plan.take(fold.name, start)
                return [f"{fold.name} = math.prod({self.elements(fold)})"]
            where = start.text if plan.movable(start) else fold.name
            if plan.movable(start):
                plan.take(fold.name, start)
            return [f"{fold.name} = math.prod({self.only(fold)}, start={where})"]
        integers = isinstance(counted, int) or self.integers(fold)
        whole_start = isinstance(start.literal, int)
        plan.exact &= integers and whole_start
        if fold.negative:
            return [f"{fold.name} -= sum({self.elements(fold)})"]
        zero = start.literal == 0 and whole_start
        if zero:
            plan.take(fold.name, start)
            return [f"{fold.name} = sum({self.elements(fold)})"]
        if not plan.movable(start):
            return [f"{fold.name} += sum({self.elements(fold)})"]
        plan.take(fold.name, start)
        return [f"{fold.name} = sum({self.only(fold)}, {start.text})"]

    def only(self, fold: Fold) -> str:
        """The values as one of several arguments: a generator needs brackets there."""
        text = self.elements(fold)
        return f"({text})" if " for " in text and not _closed(text) else text

    def integers(self, fold: Fold) -> bool:
        """Whether the values are declared to be integers."""
        whole = self.whole(fold.value)
        return whole is not None and element_type(self.plan.region, whole[0]) == "int"

    def flag(self, fold: Fold) -> list[str] | None:
        plan = self.plan
        if fold.op in ("any", "all"):
            assert fold.name is not None
            start = self.starts[fold.name]
            plan.require(
                start.literal is (fold.op == "all"), "start", "the flag starts as something else"
            )
            plan.take(fold.name, start)
            return [f"{fold.name} = {fold.op}({self.elements(fold, bare=False)})"]
        if not fold.conditions:
            return None
        value = constant(fold.value)
        last = fold.conditions[-1]
        negated = not last.holds
        test = last.test
        if not negated and isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, negated = test.operand, True
        loops = self.loops(fold.conditions[:-1])
        inner = self.text(test)
        if isinstance(test, (ast.GeneratorExp, ast.Lambda)):
            return None
        if negated:
            text = f"all({inner} {loops})" if value is False else f"not all({inner} {loops})"
        else:
            text = f"any({inner} {loops})" if value is True else f"not any({inner} {loops})"
        if fold.name is None:
            return [f"return {text}"]
        start = self.starts[fold.name]
        plan.require(start.literal is (not value), "start", "the flag starts as something else")
        plan.take(fold.name, start)
        return [f"{fold.name} = {text}"]

    def extremum(self, fold: Fold) -> list[str] | None:
        plan, name = self.plan, fold.name
        assert name is not None
        start = self.starts[name]
        declared = None
        whole = self.whole(fold.value)
        if whole is not None:
            declared = element_type(plan.region, whole[0])
        plan.require(
            fold.keeps_first or declared in ("int", "float"),
            "ties",
            "of equal values the loop keeps the last, the builtin the first",
        )
        if fold.from_none:
            plan.require(
                start.literal is None and start.value is not None,
                "start", "the extremum starts as something else",
            )  # fmt: skip
            plan.take(name, start)
            return [f"{name} = {fold.op}({self.only(fold)}, default=None)"]
        if whole is not None and not fold.conditions and start.value is not None:
            first = ast.Subscript(whole[0], ast.Constant(0), ast.Load())
            if same(first, start.value):
                plan.take(name, start)
                return [f"{name} = {fold.op}({self.text(whole[0])})"]
        plan.require(start.number, "start", f"nothing says that `{name}` starts as a number")
        way = infinite(self.module, start.value)
        movable = plan.movable(start)
        where = start.text if movable else name
        if movable:
            plan.take(name, start)
        if way == (-1 if fold.op == "max" else 1):
            return [f"{name} = {fold.op}({self.only(fold)}, default={where})"]
        inner = f"{fold.op}({self.only(fold)}, default={where})"
        return [f"{name} = {fold.op}({where}, {inner})"]

    def place(self, fold: Fold) -> list[str] | None:
        """``xs.index(max(xs))``."""
        plan = self.plan
        way = "max" if fold.op == "argmax" else "min"
        whole = self.whole(fold.value)
        assert fold.place is not None and fold.payload is not None
        if whole is None or fold.conditions or not self.counts(fold.payload):
            return None
        values, first = whole
        if kind_of(plan.region, values, []) is not Iterable.LIST:
            return None
        plan.require(fold.keeps_first, "ties", "of equal values the loop keeps the last")
        place = self.starts[fold.place]
        if place.literal != 0 or not isinstance(place.literal, int):
            return None
        text = self.text(values)
        if fold.name is None:
            # With the place as the only state, the first element is read at every step.
            plan.require(first == 1 or plan.arrays.nonempty(values), "empty",
                         "an empty list has no place of its maximum")  # fmt: skip
            if first == 1:
                plan.assume(f"`{text}` is not empty")
            plan.take(fold.place, place)
            return [f"{fold.place} = {text}.index({way}({text}))"]
        start = self.starts[fold.name]
        element = ast.Subscript(values, ast.Constant(0), ast.Load())
        if start.value is None or not same(element, start.value):
            return None
        plan.take(fold.name, start)
        plan.take(fold.place, place)
        return [f"{fold.name} = {way}({text})", f"{fold.place} = {text}.index({fold.name})"]

    def counts(self, payload: ast.expr) -> bool:
        """Whether the payload is the position in the list."""
        target, source = self.loop.generators[0].target, self.loop.generators[0].iter
        if isinstance(target, ast.Tuple):
            return same(target.elts[0], payload)
        is_range = isinstance(source, ast.Call) and is_name(source.func, "range")
        return is_range and same(target, payload)


def _original(node: ast.expr, region: Region) -> bool:
    """Whether a node stands in the source (and was not put together)."""
    return node in region.parents


def _closed(text: str) -> bool:
    """Whether ``text`` is one bracketed or called expression rather than a bare generator."""
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


# ---------------------------------------------------------------- arrays


class _ArrayCode:
    """The fold over whole arrays."""

    def __init__(self, plan: _Plan, starts: dict[str, _Start]) -> None:
        self.plan, self.starts = plan, starts
        self.loop, self.module, self.region = plan.loop, plan.module, plan.region

    def lines(self) -> list[str] | None:
        reason = ("arrays", "no whole-array form")
        for totals in (True, False):
            kept = {statement: set(names) for statement, names in self.plan.taken.items()}
            before = (list(self.plan.reasons), kept, self.plan.exact)
            try:
                return self._lines(totals)
            except CannotVectorise as problem:
                if totals or reason[0] == "arrays":
                    reason = (problem.condition, str(problem))
                self.plan.reasons, self.plan.taken, self.plan.exact = before
        self.plan.require(False, *reason)
        return None

    def _lines(self, totals: bool) -> list[str] | None:
        lines: list[str] = []
        for fold in self.loop.folds:
            steps, extra = self.steps(fold, totals)
            for line in extra:
                if line not in lines:
                    lines.append(line)
            made = self.fold(fold, steps)
            if made is None:
                return None
            for sentence in steps.assumptions:
                self.plan.assume(sentence)
            lines.extend(made)
        return lines

    def steps(self, fold: Fold, totals: bool) -> tuple[Steps, list[str]]:
        """The steps, and the temporaries over all of them."""
        start = self.starts.get(fold.name or "")
        generators, widen = self._with_start(fold, start)
        steps = Steps(self.region, generators, self.loop.node, widen, totals)
        self.widened = widen > 0 or generators is not self.loop.generators
        lines = []
        for statement, (name, value) in zip(
            self.loop.statements, self.loop.temporaries.items(), strict=True
        ):
            del statement
            shape = steps.shape(value)
            if shape.kind == "total":
                raise CannotVectorise("a temporary is a sum", "totals")
            lines.append(f"{name} = {steps.spell(value)}")
            steps.temporaries[name] = replace(shape, leaf=False)
        return steps, lines

    def _with_start(self, fold: Fold, start: _Start | None) -> tuple[list[Generator], int]:
        """Take the first element in where the extremum starts from it. ``merged`` says so."""
        self.merged = False
        generators = self.loop.generators
        if fold.op not in ("max", "min", "argmax", "argmin") or len(generators) != 1:
            return generators, 0
        generator = generators[0]
        target, source = generator.target, generator.iter
        value = start.value if start is not None else None
        if isinstance(source, ast.Call) and is_name(source.func, "range"):
            if not isinstance(target, ast.Name) or len(source.args) > 2:
                return generators, 0
            first = constant(source.args[0]) if len(source.args) == 2 else 0
            if not isinstance(first, int) or isinstance(first, bool):
                return generators, 0
            for place, widen in ((first - 1, 1), (first, 0)):
                if place < 0:
                    continue
                if fold.name is None and fold.place is not None:
                    held = self.starts[fold.place].literal
                    self.merged = held == place and isinstance(held, int)
                elif value is not None:
                    start_element = renamed(fold.value, target.id, ast.Constant(place))
                    self.merged = same(start_element, value)
                if self.merged:
                    return generators, widen
            return generators, 0
        if value is None:
            return generators, 0
        base = source
        if isinstance(source, ast.Call) and is_name(source.func, "enumerate"):
            if not (isinstance(target, ast.Tuple) and len(source.args) == 1):
                return generators, 0
            base, target = source.args[0], target.elts[1]
        if not isinstance(target, ast.Name):
            return generators, 0
        whole = base
        if isinstance(base, ast.Subscript) and isinstance(base.slice, ast.Slice):
            cut = base.slice
            if constant(cut.lower) == 1 and cut.upper is None and cut.step is None:
                whole = base.value
        element = ast.Subscript(whole, ast.Constant(0), ast.Load())
        if same(renamed(fold.value, target.id, element), value):
            self.merged = True
            if whole is not base:
                return [Generator(generator.target, whole)], 0
        return generators, 0

    # -- folds

    def fold(self, fold: Fold, steps: Steps) -> list[str] | None:
        if fold.op in ("set", "any", "all"):
            return self.flag(fold, steps)
        if fold.op in ("sum", "prod"):
            return self.sum(fold, steps)
        if fold.op in ("max", "min"):
            return self.extremum(fold, steps)
        return self.place(fold, steps)

    def test(self, fold: Fold, steps: Steps) -> str:
        """The one condition of a step over all steps, as an array of booleans."""
        if len(fold.conditions) != 1:
            raise CannotVectorise("several conditions at each step", "conditions")
        condition = fold.conditions[0]
        return self.truth(condition.test, steps, condition.holds)

    def truth(self, node: ast.expr, steps: Steps, holds: bool = True) -> str:
        shape = steps.shape(node)
        if shape.kind != "steps" or not shape.boolean or steps.depth != 1:
            raise CannotVectorise("a condition that is no comparison of elements", "conditions")
        if shape.lead != 0:
            raise CannotVectorise("a condition on arrays", "conditions")
        return steps.inside(node) if holds else f"~{steps.inside(node)}"

    def flag(self, fold: Fold, steps: Steps) -> list[str] | None:
        plan = self.plan
        if fold.op in ("any", "all"):
            return None
        value = constant(fold.value)
        test = self.test(fold, steps)
        text = f"bool({test}.any())" if value else f"not {test}.any()"
        if fold.name is None:
            return [f"return {text}"]
        start = self.starts[fold.name]
        plan.require(start.literal is (not value), "start", "the flag starts as something else")
        plan.take(fold.name, start)
        return [f"{fold.name} = {text}"]

    def sum(self, fold: Fold, steps: Steps) -> list[str] | None:
        plan, name = self.plan, fold.name
        assert name is not None
        start = self.starts[name]
        counted = constant(fold.value)
        if isinstance(counted, (int, float)):
            if fold.op != "sum" or not isinstance(counted, int) or counted != 1:
                return None
            if fold.negative or not fold.conditions:
                return None
            plan.require(start.number, "start", f"nothing says that `{name}` starts as a number")
            text = f"int({self.test(fold, steps)}.sum())"
            if start.literal == 0 and isinstance(start.literal, int):
                plan.take(name, start)
                return [f"{name} = {text}"]
            return [f"{name} += {text}"]
        plan.exact = False
        shape = steps.shape(fold.value)
        if shape.kind not in ("steps", "total"):
            return None
        if fold.conditions:
            test = self.test(fold, steps)
            if not shape.leaf or steps.depth != 1:
                raise CannotVectorise("a guarded value that is computed", "conditions")
            text = f"{steps.inside(fold.value)}[{test}].{fold.op}()"
            if shape.right != 0 or shape.lead != 0:
                text = f"{steps.inside(fold.value)}[{test}].{fold.op}(0)"
        elif shape.kind == "total":
            if fold.op != "sum":
                raise CannotVectorise("a product of sums", "totals")
            text = steps.spell(fold.value)
        else:
            if fold.op == "prod" and steps.depth != 1:
                raise CannotVectorise("a product over two axes", "axes")
            text = steps.reduced(fold.value, shape, fold.op)
        return self._accumulated(fold, steps, start, shape, text)

    def _accumulated(
        self, fold: Fold, steps: Steps, start: _Start, shape: Shaped, text: str
    ) -> list[str]:
        plan, name = self.plan, fold.name
        assert name is not None
        literal = start.literal
        sign = "-" if fold.negative else ("+" if fold.op == "sum" else "*")
        self._integers(steps, shape, start)
        unit = 0 if fold.op == "sum" else 1
        if isinstance(literal, (int, float)) and not isinstance(literal, bool):
            self._not_empty(steps)
            plan.take(name, start)
            bare = literal == unit and (shape.floating or isinstance(literal, int))
            if bare and not fold.negative:
                return [f"{name} = {text}"]
            loose = shape.kind == "total"
            return [f"{name} = {start.text} {sign} {_bracketed(text) if loose else text}"]
        if fold.augmented:
            plan.require(
                start.fresh or start.number,
                "mutation",
                f"`{name}` is changed in place and may be seen under another name",
            )
            return [f"{name} {sign}= {text}"]
        loose = shape.kind == "total"
        return [f"{name} = {name} {sign} {_bracketed(text) if loose else text}"]

    def _integers(self, steps: Steps, shape: Shaped, start: _Start) -> None:
        """Sums of narrow integers are widened by the library, not by the loop."""
        plan = self.plan
        integer = any(plan.arrays.integer(base) for base in steps.bases)
        by_float = isinstance(start.literal, float)
        plan.require(
            shape.floating or by_float or not integer,
            "integers",
            "the loop adds integers as wide as the array's, the library wider ones",
        )
        if start.value is not None and not isinstance(start.literal, (int, float)):
            value = plan.arrays.value(start.value)
            dtype = value.dtype if value is not None else None
            by_float = dtype is not None and dtype.startswith(("float", "bfloat", "complex"))
            whole = dtype is not None and dtype.startswith(("int", "uint"))
            plan.require(not whole or not shape.floating, "integers",
                         "the loop adds to an integer")  # fmt: skip
            plan.require(not whole, "integers", "the loop adds integers of a stated width")
        if not (shape.floating or by_float) and steps.bases:
            names = ", ".join(f"`{self.module.source(base)}`" for base in steps.bases)
            plan.assume(f"{names} holds no integers narrower than 64 bits")

    def _not_empty(self, steps: Steps) -> None:
        """Over no steps the loop leaves a Python number, the reduction one of the library."""
        if not any(steps.runs(base) for base in steps.bases):
            self.plan.assume("the loop runs at least once")

    def extremum(self, fold: Fold, steps: Steps) -> list[str] | None:
        plan, name = self.plan, fold.name
        assert name is not None
        if fold.conditions or fold.from_none:
            raise CannotVectorise("a guarded extremum", "conditions")
        start = self.starts[name]
        shape = steps.shape(fold.value)
        if shape.kind != "steps":
            return None
        text = steps.reduced(fold.value, shape, self._method(fold.op, steps, shape))
        if self.merged:
            plan.take(name, start)
            return [f"{name} = {text}"]
        first = self.loop.generators[0].iter
        length = steps.bases[0] if steps.bases else None
        full = not (isinstance(first, ast.Call) and is_name(first.func, "range")
                    and len(first.args) > 1)  # fmt: skip
        if length is None or not full:
            plan.require(False, "empty", "the loop may run no step, which has no extremum")
            raise CannotVectorise("an extremum of nothing", "empty")
        if fold.call is not None:
            update = f"{name} = {fold.call}({name}, {text})"
        else:
            plan.require(start.number, "start", f"nothing says what `{name}` starts as")
            plan.require(fold.keeps_first, "ties", "of equal values the loop keeps the last")
            update = f"{name} = {fold.op}({name}, {text})"
        if steps.runs(length):
            return [update]
        axis = shape.lead if shape.lead is not None else -1
        size = f"{self.module.source(length)}.shape[{axis}]"
        return [f"if {size}:", f"    {update}"]

    def _method(self, op: str, steps: Steps, shape: Shaped) -> str:
        if steps.libraries == {"torch"}:
            return "a" + op
        if steps.libraries == {"numpy"} or (shape.right == 0 and shape.lead == 0):
            return op
        raise CannotVectorise("nothing says of which library the arrays are", "library")

    def place(self, fold: Fold, steps: Steps) -> list[str] | None:
        plan = self.plan
        assert fold.place is not None and fold.payload is not None
        shape = steps.shape(fold.value)
        if (
            not shape.leaf
            or fold.conditions
            or shape.lead != 0
            or not isinstance(fold.payload, ast.Name)
        ):
            return None
        text = steps.spell(fold.value)
        if not text.replace(".", "").isidentifier() or not self.merged or steps.backward:
            return None
        walk = steps.walks.get(fold.payload.id)
        place = self.starts[fold.place]
        if walk is None or walk.stride != 1 or place.literal != 0:
            return None
        plan.require(fold.keeps_first, "ties", "of equal values the loop keeps the last")
        method = fold.op
        if fold.name is None:
            if not any(plan.arrays.nonempty(base) for base in steps.bases):
                plan.assume(f"`{text}` is not empty")
            plan.take(fold.place, place)
            return [f"{fold.place} = int({text}.{method}())"]
        plan.take(fold.place, place)
        plan.take(fold.name, self.starts[fold.name])
        return [f"{fold.place} = int({text}.{method}())", f"{fold.name} = {text}[{fold.place}]"]


def _bracketed(text: str) -> str:
    body = ast.parse(text, mode="eval").body
    loose = isinstance(body, (ast.UnaryOp, ast.IfExp, ast.Compare, ast.BoolOp))
    if isinstance(body, ast.BinOp) and isinstance(body.op, (ast.Add, ast.Sub)):
        loose = True
    return f"({text})" if loose else text


_SUM = """\
def total_length(words: list[str]) -> int:
    total = 0
    for word in words:
        total += len(word)
    return total
"""

_SUM_AFTER = """\
def total_length(words: list[str]) -> int:
    total = sum(len(word) for word in words)
    return total
"""

_TOTAL = """\
import torch


def energy(x: torch.Tensor, weight: torch.Tensor):
    steps, features = x.shape
    (length,) = weight.shape
    total = torch.zeros(features)
    for t in range(steps):
        total = total + weight * x[t] ** 2
    return total
"""

_TOTAL_AFTER = """\
import torch


def energy(x: torch.Tensor, weight: torch.Tensor):
    steps, features = x.shape
    (length,) = weight.shape
    total = torch.zeros(features)
    total = total + (weight * x ** 2).sum(0)
    return total
"""

_NUMPY = """\
import numpy as np


def path_length(x: np.ndarray):
    total = 0.0
    for i in range(1, len(x)):
        total += np.sqrt((x[i] - x[i - 1]) ** 2)
    return total
"""

_NUMPY_AFTER = """\
import numpy as np


def path_length(x: np.ndarray):
    total = np.sqrt((x[1:] - x[:-1]) ** 2).sum(0)
    return total
"""

_SEARCH = """\
def is_sorted(keys: list[int]) -> bool:
    for i in range(len(keys) - 1):
        if keys[i] > keys[i + 1]:
            return False
    return True
"""

_SEARCH_AFTER = """\
def is_sorted(keys: list[int]) -> bool:
    return not any(keys[i] > keys[i + 1] for i in range(len(keys) - 1))
"""

_BEST = """\
def best(scores: list[float]):
    index, score = 0, scores[0]
    for i, s in enumerate(scores):
        if s > score:
            index, score = i, s
    return index, score
"""

_BEST_AFTER = """\
def best(scores: list[float]):
    score = max(scores)
    index = scores.index(score)
    return index, score
"""

_MAXIMUM = """\
import torch


def pool(hidden: torch.Tensor):
    pooled = hidden[:, 0]
    for t in range(1, hidden.shape[1]):
        pooled = torch.maximum(pooled, hidden[:, t])
    return pooled
"""

_MAXIMUM_AFTER = """\
import torch


def pool(hidden: torch.Tensor):
    pooled = hidden.amax(1)
    return pooled
"""

REWRITE = Rewrite(
    code="ASC106",
    name="reduction-loop",
    summary="a loop that folds its values is one reduction",
    doc=__doc__,
    properties=("associativity",),
    find=find,
    becomes="sum, max, any, x.sum(dim), x.amax(dim)",
    examples=(
        Example("a sum", _SUM, _SUM_AFTER, "((['a', 'bcd'],), ([],))"),
        Example("a sum over an axis", _TOTAL, _TOTAL_AFTER,
                "((torch.randn(7, 3, requires_grad=True), torch.randn(3)),)"),
        Example("a sum over neighbours", _NUMPY, _NUMPY_AFTER,
                "((np.random.default_rng(0).random(9),), (np.arange(4.0) ** 2,))"),
        Example("a maximum over an axis", _MAXIMUM, _MAXIMUM_AFTER,
                "((torch.randn(2, 7, 3, requires_grad=True),), (torch.randn(2, 1, 3),))"),
        Example("an early return", _SEARCH, _SEARCH_AFTER, "(([],), ([1, 2, 2],), ([2, 1],))"),
        Example("the place of a maximum", _BEST, _BEST_AFTER, "(([1.0, 5.0, 5.0],), ([-1.0],))"),
    ),
    refused=(
        RefusedExample("effects", _SUM.replace("len(word)", "len(word)\n        print(total)")),
        RefusedExample(
            "exit",
            _SUM.replace("total += len(word)",
                         "total += len(word)\n        if word == '':\n            break"),
        ),
        RefusedExample("names", _SUM.replace("return total", "return total, word")),
        RefusedExample("sets", _SUM.replace("in words:", "in set(words):")),
        RefusedExample(
            "start", _SUM.replace("total = 0", "total = ''").replace("len(word)", "word")
        ),
        RefusedExample(
            "iterables",
            _SUM.replace("total = 0", "total = count = 0").replace(
                "in words:", "in iter(words):"
            ).replace("len(word)", "len(word)\n        count += 1"),
        ),
        RefusedExample(
            "temporaries",
            _SUM.replace("total += len(word)",
                         "size = len(word) + 1\n        total += size * size"),
        ),
        RefusedExample("arrays", "import torch\n\n\n" + _SUM.replace(": list[str]", "").replace(
            "len(word)", "word")),
        RefusedExample("ties", _BEST.replace("s > score", "s >= score")),
        RefusedExample(
            "mutation",
            _TOTAL.replace("total = torch.zeros(features)", "total = x[0]").replace(
                "total = total +", "total +="),
        ),
        RefusedExample(
            "integers",
            _TOTAL.replace("torch.zeros(features)", "torch.zeros(features, dtype=torch.int32)"),
        ),
    ),
    unmatched=(
        _SUM.replace("total += len(word)", "total = len(word) - total"),
        _SUM.replace("total += len(word)", "total += len(word) * total"),
        _BEST.replace("s > score", "abs(s) > score"),
        _MAXIMUM.replace("hidden[:, t])", "hidden[:, t] * pooled)"),
    ),
)  # fmt: skip
