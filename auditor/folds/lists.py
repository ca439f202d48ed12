"""A loop of folds in plain Python: ``sum``, ``max``, ``any`` over a generator expression."""

from __future__ import annotations

import ast

from auditor.folds.handed_on import combined, looked_up, mapping_of
from auditor.folds.iterables import Iterable, element_type, elements_of, kind_of
from auditor.folds.list_costs import gain
from auditor.folds.loop import Condition, Fold, Generator
from auditor.folds.measured import measured, walked_names
from auditor.folds.plan import Plan, Start
from auditor.lift.module import Module
from auditor.notation import Value
from auditor.surroundings.region import Region
from auditor.syntax import constant, infinite, is_name, mentions, renamed, same, tight
from auditor.tree import everything_in

_FETCHED = 20.0
"""Gain of fetching all numbers of an array at once."""
_MAPPED = ("abs", "len", "float", "int", "ord")
_NUMBERS = ("int", "float", "bool", "complex")

_AROUND = ("enumerate", "reversed", "zip")


class ListCode:
    """The fold in plain Python: ``sum``, ``max``, ``any`` over a generator expression."""

    def __init__(
        self, plan: Plan, starts: dict[str, Start], kinds: list[Iterable], fetched: bool = False
    ) -> None:
        """``fetched``: the loop fetched each number from an array on its own."""
        self.fetched = fetched
        self.plan, self.starts, self.kinds = plan, starts, kinds
        self.loop, self.module = plan.loop, plan.module
        self.inlined: dict[str, ast.expr] = {}

    def _unsaid(self) -> str:
        """That nothing says what the loop walks."""
        place = self.kinds.index(Iterable.UNKNOWN) if Iterable.UNKNOWN in self.kinds else 0
        generator = self.loop.generators[place]
        walked = generator.iter
        while isinstance(walked, ast.Call) and any(map(is_name, (walked.func,) * 3, _AROUND)):
            kinds = [kind_of(self.plan.region, each, []) for each in walked.args]
            if Iterable.UNKNOWN not in kinds:
                break
            walked = walked.args[kinds.index(Iterable.UNKNOWN)]
        if isinstance(walked, ast.Call) and is_name(walked.func, "range"):
            read = (
                node.value for fold in self.loop.folds for node in everything_in(fold.value)
                if isinstance(node, ast.Subscript) and isinstance(generator.target, ast.Name)
                and mentions(node.slice, generator.target.id)
                and kind_of(self.plan.region, node.value, []) is Iterable.UNKNOWN
            )  # fmt: skip
            walked = next(read, walked)
        text = self.module.source(walked) if hasattr(walked, "lineno") else ast.unparse(walked)
        would = "; an annotation would" if isinstance(walked, ast.Name) else ""
        return f"nothing says whether `{text}` is a list or an array{would}"

    def lines(self) -> list[str] | None:
        plan, loop = self.plan, self.loop
        plan.require(Iterable.SET not in self.kinds, "sets", "the loop walks a set, in no order")
        first = self.kinds[0]
        arrays_about = self._arrays_about()
        known = all(kind is not Iterable.UNKNOWN for kind in self.kinds)
        plan.require(
            known or self.fetched or not arrays_about or self._walked_by_builtins(),
            "arrays",
            self._unsaid(),
        )
        plan.require(
            first in (Iterable.LIST, Iterable.RANGE, Iterable.VIEW)
            or len(loop.folds) == 1
            or _sliced(loop.generators[0].iter)
            or self._measured(),
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
        reads = {n.attr for fold in early for c in fold.conditions for n in everything_in(c.test)
                 if isinstance(n, ast.Attribute)}  # fmt: skip
        plan.require(
            reads.isdisjoint(_computed(self.module)),
            "effects",
            "the loop asks every element for a property, `any` only as many as it needs",
        )
        if not self._inline():
            plan.require(False, "temporaries", "a temporary of the loop is used more than once")
        lines: list[str] = []
        replaced: list[tuple[Fold, str]] = []
        for fold in loop.folds:
            made = self.fold(fold)
            if made is None:
                return None
            lines.extend(made)
            replaced.append((fold, " ".join(made)))
        faster = _FETCHED if self.fetched else gain(replaced, isinstance(loop.node, ast.While))
        plan.require(
            faster >= 1,
            "profit",
            "a generator expression takes as long for each element as the step of the loop",
        )
        plan.gains = {"any": faster}
        return lines

    def _measured(self) -> bool:
        """Whether all that the loop walks has a length, which is asked for where the loop is:
        an iterator has none."""
        walked = walked_names(self.loop.generators[0].iter)
        if walked is None or not all(measured(self.plan.region, self.loop.node, n) for n in walked):
            return False
        for name in walked:
            self.plan.assume(f"`{name}` can be walked again")
        return True

    def _arrays_about(self) -> bool:
        """Whether the file imports a library of arrays."""
        return any(
            path.split(".")[0] in ("torch", "numpy", "jax", "tensorflow", "cupy", "pandas")
            for path in self.module.names.values()
        )

    def _walked_by_builtins(self) -> bool:
        """Whether a builtin walks the very iterable, which is right for arrays too. Of several
        element types ``total += x`` would keep the first."""
        folds = self.loop.folds
        if any(fold.op not in ("sum", "prod", "max", "min") for fold in folds):
            return False
        if any(fold.conditions or " for " in self.elements(fold) for fold in folds):
            return False
        if any(fold.augmented for fold in folds):
            walked = self.text(self.loop.generators[0].iter)
            self.plan.assume(f"`{walked}` holds numbers, or arrays of one dtype")
        return True

    def _of_one_dtype(self, fold: Fold) -> None:
        """``total += x`` keeps the first of several element types, where a builtin takes the
        widest."""
        if fold.augmented and self._arrays_about():
            self._assume(fold, "is a number, or an array of one dtype at every step",
                         "holds numbers, or arrays of one dtype")  # fmt: skip

    def _commuting(self, fold: Fold) -> None:
        """``total = x + total`` asks the elements first, where a builtin asks the total."""
        if fold.turned:
            self._assume(fold, "is a number, or an array", "holds numbers, or arrays")

    def _assume(self, fold: Fold, of_each: str, of_all: str) -> None:
        """Say of the values that are added, each or all of a list, what is not known of them."""
        if self._a_number(fold.value):
            return
        whole = self.whole(fold.value)
        if whole is None:
            self.plan.assume(f"`{self.text(fold.value)}` {of_each}")
        elif element_type(self.plan.region, whole[0]) not in _NUMBERS:
            self.plan.assume(f"`{self.text(whole[0])}` {of_all}")

    def _a_number(self, value: ast.expr) -> bool:
        """Whether each value that is added is certainly no array."""
        known = self.plan.region.values.get(value)
        if isinstance(known, Value) and not known.axes and known.dtype in _NUMBERS:
            return True
        if isinstance(value, ast.Constant) or self.fetched:
            return True
        if isinstance(value, ast.Call):
            called = value.func
            return (
                isinstance(called, ast.Name) and called.id in ("len", "float", "int", "ord")
            ) or (isinstance(called, ast.Attribute) and called.attr == "item")
        walked = zip(self.loop.generators, self.kinds, strict=False)
        return any(same(g.target, value) and kind is Iterable.RANGE for g, kind in walked)

    def _inline(self) -> bool:
        """Temporaries are read in place; whether each is read once or costs nothing to repeat."""
        once = True
        for name, value in self.loop.temporaries.items():
            uses = 0
            for fold in self.loop.folds:
                for part in (fold.value, *(c.test for c in fold.conditions)):
                    uses += sum(is_name(n, name) for n in everything_in(part))
            for other in self.loop.temporaries.values():
                uses += sum(is_name(n, name) for n in everything_in(other))
            cheap = isinstance(value, (ast.Name, ast.Attribute, ast.Subscript, ast.Constant))
            once &= uses <= 1 or cheap
            for earlier, meaning in self.inlined.items():
                if mentions(value, earlier):
                    value = renamed(value, earlier, meaning)
            self.inlined[name] = value
        return once

    def _meant(self, node: ast.expr) -> ast.expr:
        """An expression with the temporaries in it as what they stand for."""
        for name, value in self.inlined.items():
            if mentions(node, name):
                node = renamed(node, name, value)
        return node

    def text(self, node: ast.expr) -> str:
        node = self._meant(node)
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

    def loops(self, conditions: tuple[Condition, ...], backward: bool = False) -> str:
        """``for x in xs if test`` for the whole nest."""
        parts = [
            f"for {self.text(g.target)} in {self.walked(g.iter, backward)}"
            for g in self.loop.generators
        ]
        for condition in conditions:
            parts.append(f"if {self.condition(condition)}")
        return " ".join(parts)

    def walked(self, source: ast.expr, backward: bool) -> str:
        """What is walked, from its end where ``backward``."""
        return f"reversed({self.text(source)})" if backward else self.text(source)

    def elements(self, fold: Fold, *, bare: bool = True, backward: bool = False) -> str:
        """The generator of a fold's values, or the iterable itself where it is the same."""
        generators = self.loop.generators
        if bare and len(generators) == 1 and not fold.conditions:
            target, source = generators[0].target, generators[0].iter
            value = self._meant(fold.value)
            if isinstance(target, ast.Name) and is_name(value, target.id):
                return self.walked(source, backward)
            whole = self.whole(value)
            if whole is not None and whole[1] == 0:
                return self.walked(whole[0], backward)
            handed = self._handed_on(value, generators[0]) if not backward else None
            if handed is not None:
                return handed
            mapped = self._mapped(value, target)
            if mapped is not None:
                return f"map({mapped}, {self.walked(source, backward)})"
        return f"{self.text(fold.value)} {self.loops(fold.conditions, backward)}"

    def _handed_on(self, value: ast.expr, generator: Generator) -> str | None:
        """What a mapping or ``map`` hands on as the values."""
        target, source = generator.target, generator.iter
        mapping = mapping_of(target, source, value)
        if mapping is not None:
            if kind_of(self.plan.region, mapping, []) is not Iterable.VIEW:
                self.plan.assume(f"`{self.text(mapping)}` is a mapping")
            return f"{tight(self.text(mapping))}.values()"
        if self.kinds == [Iterable.VIEW] and looked_up(target, source, value):
            return f"{self.text(source)}.values()"
        both = combined(target, source, value)
        if both is None or not self.plan.region.means_builtin("map"):
            return None
        self.plan.imports.append(("operator", None))
        return f"map(operator.{both[0]}, {', '.join(map(self.text, both[1]))})"

    def _mapped(self, value: ast.expr, target: ast.expr) -> str | None:
        """The builtin that each element is given to, where the values are no more than that."""
        if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Name)):
            return None
        name = value.func.id
        known = name in _MAPPED and name not in self.module.bound
        plain = known and name not in self.plan.region.stores and not value.keywords
        return name if plain and len(value.args) == 1 and same(value.args[0], target) else None

    def whole(self, value: ast.expr) -> tuple[ast.expr, int] | None:
        """(xs, first) where the values are xs[first:], of a list."""
        if len(self.loop.generators) != 1:
            return None
        target, source = self.loop.generators[0].target, self.loop.generators[0].iter
        return elements_of(self.plan.region, target, source, value)

    def fold(self, fold: Fold) -> list[str] | None:
        self.plan.require(
            fold.call is None,
            "arrays",
            f"`{fold.call}` makes an array of its library, element by element; a builtin does not",
        )
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
        self._of_one_dtype(fold)
        self._commuting(fold)
        counted = constant(fold.value)
        by_one = fold.op == "sum" and isinstance(counted, int) and counted == 1
        sought = self.sought(fold) if by_one and not isinstance(counted, bool) else None
        if sought is not None and not fold.negative:
            text = f"{self.text(sought[0])}.count({self.text(sought[1])})"
            if start.literal == 0 and isinstance(start.literal, int):
                plan.take(fold.name, start)
                return [f"{fold.name} = {text}"]
            return [f"{fold.name} += {text}"]
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
            return [f"{fold.name} -= {self._sum_alone(fold, start)}"]
        zero = start.literal == 0 and whole_start
        if zero:
            plan.take(fold.name, start)
            return [f"{fold.name} = sum({self.elements(fold)})"]
        if not plan.movable(start):
            return [f"{fold.name} += {self._sum_alone(fold, start)}"]
        plan.take(fold.name, start)
        return [f"{fold.name} = sum({self.only(fold)}, {start.text})"]

    def _sum_alone(self, fold: Fold, start: Start) -> str:
        """The sum of what is added to a start or taken off it: to a broken number every step does
        so, of integers of a fixed width as well, whose sum might not fit among them."""
        if isinstance(start.literal, float) and not self.integers(fold):
            return f"sum({self.only(fold)}, 0.0)"
        return f"sum({self.elements(fold)})"

    def sought(self, fold: Fold) -> tuple[ast.expr, ast.expr] | None:
        """(xs, y) where a step happens for the elements of a list that equal ``y``. Identical
        objects count as equal there: so are numbers and texts."""
        if len(fold.conditions) != 1 or len(self.loop.generators) != 1:
            return None
        condition, generator = fold.conditions[0], self.loop.generators[0]
        test, source = condition.test, generator.iter
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and condition.holds):
            return None
        if not isinstance(test.ops[0], ast.Eq) or not isinstance(generator.target, ast.Name):
            return None
        left, right = test.left, test.comparators[0]
        if is_name(right, generator.target.id):
            left, right = right, left
        whole = self.whole(left)
        if whole is None or whole[1] != 0 or not isinstance(right, (ast.Name, ast.Constant)):
            return None
        if is_name(right, generator.target.id) or isinstance(source, ast.Subscript):
            return None
        plain = element_type(self.plan.region, whole[0]) in ("int", "float", "str", "bool", "bytes")
        return (whole[0], right) if plain else None

    def only(self, fold: Fold, backward: bool = False) -> str:
        """The values as one of several arguments: a generator needs brackets there."""
        text = self.elements(fold, backward=backward)
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
        sought, target = self.sought(fold), self.loop.generators[0].target
        if sought is not None:
            way = "in" if value is True else "not in"
            text = f"{self.text(sought[1])} {way} {self.text(sought[0])}"
        elif (
            len(fold.conditions) == len(self.loop.generators) == 1
            and isinstance(target, ast.Name) and is_name(test, target.id)
        ):  # fmt: skip
            text = f"{'all' if negated else 'any'}({self.text(self.loop.generators[0].iter)})"
            text = text if negated == (value is False) else f"not {text}"
        elif negated:
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
        """A builtin keeps the first of equals, which may be of several types (0, 0.0, False). Where
        the loop keeps the last, it walks from the end, and what the name starts as comes last."""
        plan, name = self.plan, fold.name
        assert name is not None
        start = self.starts[name]
        backward = not fold.keeps_first and not self.whole_numbers(fold, start)
        plan.require(
            not backward or self.turns(fold),
            "ties",
            "of equal values the loop keeps the last, the builtin the first",
        )
        if fold.from_none:
            plan.require(
                start.literal is None and start.value is not None,
                "start", "the extremum starts as something else",
            )  # fmt: skip
            plan.take(name, start)
            return [f"{name} = {fold.op}({self.only(fold, backward)}, default=None)"]
        whole = self.whole(fold.value)
        if whole is not None and not fold.conditions and start.value is not None:
            first = ast.Subscript(whole[0], ast.Constant(0), ast.Load())
            if same(first, start.value):
                plan.take(name, start)
                return [f"{name} = {fold.op}({self.walked(whole[0], backward)})"]
        plan.require(start.number, "start", f"nothing says that `{name}` starts as a number")
        way = infinite(self.module, start.value)
        movable = plan.movable(start)
        where = start.text if movable else name
        if movable:
            plan.take(name, start)
        values = f"{fold.op}({self.only(fold, backward)}, default={where})"
        if way == (-1 if fold.op == "max" else 1) or self._below_all(fold, start):
            return [f"{name} = {values}"]
        ordered = (values, where) if backward else (where, values)
        return [f"{name} = {fold.op}({', '.join(ordered)})"]

    def _below_all(self, fold: Fold, start: Start) -> bool:
        """Whether a maximum starts at a whole number that no value is below: sizes are never
        negative."""
        made = isinstance(fold.value, ast.Call) and is_name(fold.value.func, "len")
        whole = isinstance(start.literal, int) and not isinstance(start.literal, bool)
        return made and whole and fold.op == "max" and start.literal <= 0  # type: ignore[operator]

    def whole_numbers(self, fold: Fold, start: Start) -> bool:
        """Whether equal values are certainly the same value: whole numbers that the step makes, and
        a start that is one or is never kept."""
        made = isinstance(fold.value, ast.Call) and isinstance(fold.value.func, ast.Name)
        made = made and fold.value.func.id in ("len", "int", "ord")  # type: ignore[attr-defined]
        whole_start = isinstance(start.literal, int) and not isinstance(start.literal, bool)
        return made and (whole_start or infinite(self.module, start.value) != 0)

    def turns(self, fold: Fold) -> bool:
        """Whether what is walked can be walked from its end."""
        if len(self.loop.generators) != 1:
            return False
        source, whole = self.loop.generators[0].iter, self.whole(self._meant(fold.value))
        if whole is not None and whole[1] == 0 and not fold.conditions:
            source = whole[0]
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name):
            return source.func.id in ("range", "list", "tuple", "sorted")
        return kind_of(self.plan.region, source, []) is Iterable.LIST

    def place(self, fold: Fold) -> list[str] | None:
        """``xs.index(max(xs))``."""
        plan = self.plan
        way = "max" if fold.op == "argmax" else "min"
        whole = self.whole(fold.value)
        assert fold.place is not None and fold.payload is not None
        if whole is None or fold.conditions or not self.counts(fold.payload):
            return None
        values, _ = whole
        if kind_of(plan.region, values, []) is not Iterable.LIST:
            return None
        place, text = self.starts[fold.place], self.text(values)
        found = f"{text}.index({{0}})"
        if not fold.keeps_first:
            found = f"len({text}) - 1 - {text}[::-1].index({{0}})"
        if fold.name is not None and infinite(self.module, self.starts[fold.name].value):
            return self.place_from_infinity(fold, values, found, way)
        if place.literal != 0 or not isinstance(place.literal, int):
            return None
        if fold.name is None:
            plan.take(fold.place, place)
            # Over an empty list the loop leaves the place it started with.
            sure = plan.arrays.nonempty(values)
            line = f"{fold.place} = {found.format(f'{way}({text})')}"
            return [line if sure else f"{line} if {text} else 0"]
        start = self.starts[fold.name]
        element = ast.Subscript(values, ast.Constant(0), ast.Load())
        if start.value is None or not same(element, start.value):
            return None
        plan.take(fold.name, start)
        plan.take(fold.place, place)
        if not fold.keeps_first:
            last = found.format(f"{way}({text})")
            return [f"{fold.place} = {last}", f"{fold.name} = {text}[{fold.place}]"]
        return [f"{fold.name} = {way}({text})", f"{fold.place} = {found.format(fold.name)}"]

    def place_from_infinity(
        self, fold: Fold, values: ast.expr, found: str, way: str
    ) -> list[str] | None:
        """From ``-inf``: nothing is taken where all elements are that."""
        plan, text = self.plan, self.text(values)
        assert fold.place is not None and fold.name is not None
        start, place = self.starts[fold.name], self.starts[fold.place]
        if infinite(self.module, start.value) != (-1 if way == "max" else 1):
            return None
        if place.value is None or not (place.literal is None or isinstance(place.literal, int)):
            return None
        if not fold.keeps_first:
            return None
        plan.take(fold.name, start)
        plan.take(fold.place, place)
        sign = ">" if way == "max" else "<"
        return [
            f"{fold.name} = {way}({text}, default={start.text})",
            f"{fold.place} = {found.format(fold.name)} if {fold.name} {sign} {start.text} "
            f"else {place.text}",
        ]

    def counts(self, payload: ast.expr) -> bool:
        """Whether the payload is the position in the list."""
        target, source = self.loop.generators[0].target, self.loop.generators[0].iter
        if isinstance(target, ast.Tuple):
            return same(target.elts[0], payload)
        is_range = isinstance(source, ast.Call) and is_name(source.func, "range")
        return is_range and same(target, payload)


def _computed(module: Module) -> set[str]:
    """The attributes that classes of the file compute when they are asked for."""
    return {
        inner.name for inner in everything_in(module.tree)
        if isinstance(inner, ast.FunctionDef) and inner.decorator_list
    }  # fmt: skip


def _sliced(node: ast.expr) -> bool:
    """``xs[1:]``: of what can be sliced a walk takes nothing away."""
    return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)


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
