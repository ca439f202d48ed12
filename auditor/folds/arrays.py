"""A loop of folds over whole arrays: ``x.sum(0)``, ``x.amax(1)``, ``int(x.argmax())``."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import replace

from auditor.again.aliases import aliases
from auditor.arrays.wider_start import A_STEP, type_of_start
from auditor.assumed import hold, listed
from auditor.folds.alignment import met, steps_last
from auditor.folds.kept_parts import seen_as_a_part
from auditor.folds.loop import Fold, Generator
from auditor.folds.plan import Plan, Start
from auditor.folds.shaped import Shaped
from auditor.folds.vectorise import Steps
from auditor.folds.walks import CannotVectorise, Walk
from auditor.lift.dtypes import NO_NARROW, fits
from auditor.notation import ZERO, Value
from auditor.syntax import constant, infinite, is_name, path_of, renamed, same, tight
from auditor.tree import everything_in


class ArrayCode:
    """The fold over whole arrays."""

    def __init__(self, plan: Plan, starts: dict[str, Start]) -> None:
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
            if made[0] in lines and made[0].startswith("if ") and lines[-1].startswith("    "):
                made = made[1:]
            lines.extend(made)
        return lines

    def steps(self, fold: Fold, totals: bool) -> tuple[Steps, list[str]]:
        """The steps, and the temporaries over all of them."""
        start = self.starts.get(fold.name or "")
        generators, widen = self._with_start(fold, start)
        steps = Steps(self.region, generators, self.loop.node, widen, totals)
        self.skips_first = widen > 0 or generators is not self.loop.generators
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

    def _with_start(self, fold: Fold, start: Start | None) -> tuple[list[Generator], int]:
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
            raise CannotVectorise("a step tests several conditions", "conditions")
        condition = fold.conditions[0]
        return self.truth(condition.test, steps, condition.holds)

    def _within(self, reached: dict[str, int | None], steps: Steps) -> None:
        """That what is read only where a test holds has an entry at every step. Raises
        ``CannotVectorise``."""
        for name, beyond in reached.items():
            if name in steps.walked.reached:
                continue  # the test reads it at every step
            if beyond is not None:
                raise CannotVectorise(f"`{name}` is read beyond its end at some step", "bounds")
            steps.walked.assume(f"`{name}` has an entry for every step")

    def truth(self, node: ast.expr, steps: Steps, holds: bool = True) -> str:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.truth(node.operand, steps, not holds)
        shape = steps.truth(node)
        if shape.kind != "steps":
            raise CannotVectorise("a condition is no comparison of elements", "conditions")
        if shape.lead != 0:
            raise CannotVectorise("a condition asks about arrays", "conditions")
        if not shape.boolean:
            # An element that is asked for its truth is one number.
            return f"({steps.spell(node)} {'!=' if holds else '=='} 0)"
        return steps.inside(node) if holds else f"(~{steps.inside(node)})"

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
        product = self._any_ranks(fold, steps, start)
        if product is not None:
            return self._accumulated(fold, steps, start, *product)
        test = self.test(fold, steps) if fold.conditions else ""
        tested = dict(steps.walked.reached)
        steps.walked.reached.clear()
        shape = steps.shape(fold.value)
        if shape.kind not in ("steps", "total"):
            return None
        if fold.conditions:
            reached = dict(steps.walked.reached)
            steps.walked.reached = tested
            self._within(reached, steps)
            if steps.depth != 1 and not isinstance(shape.right, int):
                shape = steps.as_numbers(fold.value)
            nested = steps.depth != 1 and (shape.right != 0 or shape.lead != 0)
            if nested or shape.kind != "steps" or (shape.lead != 0 and not shape.leaf):
                raise CannotVectorise("a guarded value that is computed", "conditions")
            steps.masked(fold.value, _unwrapped(test))
            rows = shape.right != 0 or shape.lead != 0
            text = f"{steps.inside(fold.value)}.{fold.op}({'0' if rows else ''})"
        elif shape.kind == "total":
            if fold.op != "sum":
                raise CannotVectorise("a product of sums is added up", "totals")
            text = steps.spell(fold.value)
        else:
            if fold.op == "prod" and steps.depth != 1:
                raise CannotVectorise("a product over two axes", "axes")
            text = steps.reduced(fold.value, shape, fold.op)
        return self._accumulated(fold, steps, start, shape, text)

    def _any_ranks(self, fold: Fold, steps: Steps, start: Start) -> tuple[Shaped, str] | None:
        """A sum over arrays of which nothing says how many axes they have: one may hold a number
        a step. With the steps last they meet as they do in each step."""
        if fold.op != "sum" or fold.conditions or steps.depth != 1:
            return None
        parts = list(met(steps, fold.value))
        moving = [part for part in parts if steps.moves(part)]
        if len(moving) < 2:
            return None
        shapes = [steps.shape(part) for part in moving]
        unknown = {shape.right for shape in shapes if isinstance(shape.right, tuple)}
        plain = all(s.kind == "steps" and s.leaf and s.lead == 0 for s in shapes)
        if not plain or len(unknown) < 2:
            return None
        fixed = [steps.shape(part) for part in parts if part not in moving]
        if any(shape.kind != "number" for shape in fixed):
            return None
        texts = {part: steps_last(steps, part) for part in moving}
        if None in texts.values():
            return None
        steps.texts.update((part, text) for part, text in texts.items() if text is not None)
        if "torch" in steps.libraries:
            self.plan.assume("the operands of a product have one dtype")
        floating = any(shape.floating for shape in fixed)
        made = Shaped("steps", None, 0, 0, floating)
        return made, f"{steps.inside(fold.value)}.sum(-1)"

    def _accumulated(
        self, fold: Fold, steps: Steps, start: Start, shape: Shaped, text: str
    ) -> list[str]:
        plan, name = self.plan, fold.name
        assert name is not None
        literal = start.literal
        sign = "-" if fold.negative else ("+" if fold.op == "sum" else "*")
        text = self._integers(fold, steps, shape, start, text)
        unit = 0 if fold.op == "sum" else 1
        if start.number:
            # Over no steps the loop leaves a Python number, the reduction one of the library.
            some = self.happens(fold, steps)
            bare = literal == unit and (shape.floating or isinstance(literal, int))
            bare = bare and not isinstance(literal, bool) and not fold.negative
            if some:
                text = _under(some, text)
                return [f"if {some}:", f"    {name} {'=' if bare else sign + '='} {text}"]
            if isinstance(literal, (int, float)):
                plan.take(name, start)
                if bare:
                    return [f"{name} = {text}"]
                loose = shape.kind == "total"
                return [f"{name} = {start.text} {sign} {_bracketed(text) if loose else text}"]
        if fold.augmented:
            plan.require(
                start.fresh or start.number,
                "mutation",
                f"`{name}` is changed in place and may be seen under another name",
            )
        said = self._in_type_of(name, steps, shape, start, text, fold.augmented)
        if self.happens(fold, steps) and not self._as_it_starts(fold, steps, start, shape):
            plan.assume(A_STEP)
        if fold.augmented:
            return [f"{name} {sign}= {said}"]
        loose = shape.kind == "total"
        return [f"{name} = {name} {sign} {_bracketed(said) if loose else said}"]

    def _as_it_starts(self, fold: Fold, steps: Steps, start: Start, shape: Shaped) -> bool:
        """Whether adding up no steps gives what a loop without steps leaves: the start itself, of
        the same axes and type, and a new array unless nobody can tell."""
        held = self.plan.arrays.value(start.value) if start.value is not None else None
        if held is None or not self._of_one_type(held, steps):
            return False
        groups = [axis for axis in held.axes if axis.group]
        if not groups and isinstance(shape.right, int) and len(held.axes) < shape.right:
            return False
        if not groups and not isinstance(shape.right, int):
            return False
        return start.fresh or not seen_as_a_part(self.region, self.loop.node, fold.name or "")

    def _of_one_type(self, held: Value, steps: Steps) -> bool:
        """Whether a start is of the type of what is added to it."""
        added = {found.dtype for base in steps.bases if (found := self.plan.arrays.value(base))}
        return held.dtype is not None and added == {held.dtype}

    def _in_type_of(
        self, name: str, steps: Steps, shape: Shaped, start: Start, text: str, in_place: bool
    ) -> str:
        """The loop adds each step in the type of the start, the library all steps in their own,
        which may be narrower."""
        value = self.plan.arrays.value(start.value) if start.value is not None else None
        if value is not None and value.library in ("torch", "numpy"):
            steps.meets(value.library)
        added = {found.dtype for base in steps.bases if (found := self.plan.arrays.value(base))}
        stated = [] if start.number else type_of_start(name, value, added)
        # a number of NumPy's is not changed in place: it becomes one of the wider type
        array = value is not None and (value.library == "torch" or _has_axes(value))
        if stated and in_place and array and re.search(r"\.(sum|prod)\([^()]*\)$", text):
            comma = "" if text.endswith("()") else ", "
            return f"{text[:-1]}{comma}dtype={name}.dtype)"
        typed = steps.told(text, name, shape, start.value) if stated else None
        if typed is not None:
            text, stated = typed[0], [*typed[1:]]
        for sentence in filter(None, stated):
            self.plan.assume(sentence)
        return text

    def _integers(self, fold: Fold, steps: Steps, shape: Shaped, start: Start, text: str) -> str:
        """Sums of narrow integers are widened by the library, not by the loop; those that start as
        a floating-point number are such numbers in the loop."""
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
            if isinstance(start.value, ast.Call):
                made = (path_of(self.module, start.value.func) or "").rsplit(".", 1)[-1]
                whole |= made.startswith(("int", "uint"))
            plan.require(not whole or not shape.floating, "integers",
                         "the loop adds to an integer")  # fmt: skip
            plan.require(not whole, "integers", "the loop adds integers of a stated width")
        if shape.floating or not steps.bases:
            return text
        names = [f"`{self.module.source(base)}`" for base in steps.bases]
        if not by_float:
            plan.assume(hold(names, NO_NARROW))
        elif not integer:
            plan.assume(hold(names, fits(fold.op)))
        elif start.number:
            plan.require(
                "torch" not in steps.libraries and text.endswith((".sum()", ".prod()", "(0)")),
                "integers",
                "the loop adds up floating-point numbers, the library integers",
            )
            return f"{text[:-1]}{'' if text.endswith('()') else ', '}dtype=float)"
        return text

    def happens(self, fold: Fold, steps: Steps) -> str:
        """The test whether any step updates the fold; empty where some certainly does."""
        if fold.conditions:
            return f"{self.test(fold, steps)}.any()"
        return "" if any(map(steps.walked.runs, steps.lengths)) else steps.walked.some_step()

    def extremum(self, fold: Fold, steps: Steps) -> list[str] | None:
        plan, name = self.plan, fold.name
        assert name is not None
        if fold.conditions or fold.from_none:
            raise CannotVectorise("an extremum is kept under a condition", "conditions")
        start = self.starts[name]
        shape = steps.shape(fold.value)
        if shape.kind != "steps":
            return None
        self._apart(name, steps)
        if not steps.libraries and fold.call is not None:
            steps.libraries |= {"torch", "numpy"} & {self.module.names.get(fold.call.split(".")[0])}
        text = steps.reduced(fold.value, shape, self._method(fold.op, steps, shape))
        if fold.call is None and steps.libraries == {"torch"} and steps.depth == 1:
            # Of equal values the first alone gets the gradient, as in the loop.
            plan.require(fold.keeps_first, "ties", "of equal values the loop keeps the last")
            text = f"{steps.inside(fold.value)}.{fold.op}({steps.axes_text(shape)}).values"
        if self.merged:
            axis = shape.lead if shape.lead is not None else -1
            plan.require(
                self._to_the_end(steps, axis), "empty",
                "the loop may end before the element that it starts from",
            )  # fmt: skip
            self._as_a_part(fold, steps, shape)
            plan.take(name, start)
            return [f"{name} = {text}"]
        length = steps.lengths[0] if steps.lengths else None
        if length is None:
            plan.require(False, "empty", "the loop may run no step, which has no extremum")
            raise CannotVectorise("an extremum of nothing", "empty")
        if fold.selected:
            known = start.value is not None and plan.arrays.library(start.value) == "torch"
            plan.require(known, "start", f"nothing says that `{name}` starts as a tensor")
        if fold.call is not None:
            update = f"{name} = {fold.call}({name}, {text})"
        else:
            plan.require(start.number, "start", f"nothing says what `{name}` starts as")
            plan.require(fold.keeps_first, "ties", "of equal values the loop keeps the last")
            self._as_a_part(fold, steps, shape)
            update = f"{name} = {fold.op}({name}, {text})"
        if steps.walked.runs(length):
            return [update]
        axis = shape.lead if shape.lead is not None else -1
        some = f"{tight(self.module.source(length))}.shape[{axis}]"
        later = any(walk.start != ZERO for walk in steps.walked.walks.values())
        if later or not steps.walked.covers(length, axis):
            some = steps.walked.some_step()
        return [f"if {some}:", f"    {_under(some, update)}"]

    def _as_a_part(self, fold: Fold, steps: Steps, shape: Shaped) -> None:
        """What is assumed where the loop leaves an item of an array, of which the library makes a
        new one: always where it chooses one, else where it takes no step. Of NumPy's vectors the
        items are numbers."""
        name = fold.name or ""
        if not seen_as_a_part(self.region, self.loop.node, name):
            return
        if fold.call is not None:
            if self.skips_first:
                self.plan.assume(A_STEP)
        elif steps.libraries == {"numpy"} and not isinstance(shape.right, int):
            count = shape.right[1]
            self.plan.assume(f"`{shape.right[0]}` has {count} {'axis' if count == 1 else 'axes'}")
        elif steps.libraries != {"numpy"}:
            arrays = listed(f"`{self.module.source(base)}`" for base in steps.bases)
            self.plan.assume(
                f"`{name}`, which the loop leaves as a part of {arrays}, is not written into later,"
                f" and neither is {arrays}"
            )

    def _apart(self, name: str, steps: Steps) -> None:
        """What the loop leaves may be an item of an array, which sees what is written there later;
        the library's result is none."""
        lifter, end = self.region.lifted.lifter, self.loop.node.end_lineno or 0
        values = [self.plan.arrays.value(base) for base in steps.bases]
        memory = {one for value in values if value is not None for one in lifter.memory(value)}
        words = {
            inner.id for base in steps.bases for inner in everything_in(base)
            if isinstance(inner, ast.Name)
        }  # fmt: skip
        later = aliases(self.region).changed(words, (end + 1, 0), (sys.maxsize, 0), [name])
        self.plan.require(
            not later
            and memory.isdisjoint(
                touched for places, span in lifter.overwritten if span.line > end
                for touched in places
            ),
            "aliasing",
            f"`{name}` may be an item of an array that is written later",
        )  # fmt: skip

    def _to_the_end(self, steps: Steps, axis: int) -> bool:
        """Whether the steps certainly take in the first element, which is there: they go on to the
        end of an array, or to a stated place."""
        source = self.loop.generators[0].iter
        if not (isinstance(source, ast.Call) and is_name(source.func, "range")):
            return True
        stop = constant(source.args[-1])
        stated = isinstance(stop, int) and stop > 0
        return stated or any(steps.walked.covers(base, axis) for base in steps.lengths)

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
        if not text.replace(".", "").isidentifier() or steps.walked.backward:
            return None
        walk = steps.walked.walks.get(fold.payload.id)
        place = self.starts[fold.place]
        if walk is None or walk.stride != 1 or not self._to_the_end(steps, 0):
            return None
        if steps.libraries != {"numpy"}:
            known = [plan.arrays.value(base) for base in steps.bases]
            typed = [value.dtype for value in known if value is not None and value.dtype]
            plan.require("bool" not in typed, "booleans", f"`{fold.op}` takes no booleans")
            if not typed:
                plan.assume(f"`{text}` holds no truth values")
        found = f"int({text}.{fold.op}())"
        if not fold.keeps_first:
            if steps.libraries not in ({"torch"}, {"numpy"}):
                plan.require(False, "ties", "of equal values the loop keeps the last")
            turned = f"{text}.flip(0)" if steps.libraries == {"torch"} else f"{text}[::-1]"
            found = f"len({text}) - 1 - int({turned}.{fold.op}())"
        start = self.starts.get(fold.name or "")
        if start is not None and infinite(self.module, start.value):
            return self.place_from_infinity(fold, walk, start, text, found)
        if not self.merged or place.literal != 0:
            return None
        if fold.name is None:
            sure = any(plan.arrays.nonempty(base) for base in steps.lengths)
            plan.take(fold.place, place)
            otherwise = "" if sure else f" if len({text}) else 0"
            return [f"{fold.place} = {found}{otherwise}"]
        plan.take(fold.place, place)
        plan.take(fold.name, self.starts[fold.name])
        return [f"{fold.place} = {found}", f"{fold.name} = {text}[{fold.place}]"]

    def place_from_infinity(
        self, fold: Fold, walk: Walk, start: Start, text: str, found: str
    ) -> list[str] | None:
        """From ``-inf``: nothing is taken where all elements are that."""
        largest = fold.op == "argmax"
        if infinite(self.module, start.value) != (-1 if largest else 1) or walk.start != ZERO:
            return None
        sign = (">" if largest else "<") + ("" if fold.keeps_first else "=")
        return [
            f"if ({text} {sign} {start.text}).any():",
            f"    {fold.place} = {found}",
            f"    {fold.name} = {text}[{fold.place}]",
        ]


def _unwrapped(text: str) -> str:
    """An expression without brackets around the whole of it."""
    inner = text[1:-1] if text.startswith("(") and text.endswith(")") else text
    try:
        ast.parse(inner, mode="eval")
    except SyntaxError:
        return text
    return inner


def _bracketed(text: str) -> str:
    body = ast.parse(text, mode="eval").body
    loose = isinstance(body, (ast.UnaryOp, ast.IfExp, ast.Compare, ast.BoolOp))
    if isinstance(body, ast.BinOp) and isinstance(body.op, (ast.Add, ast.Sub)):
        loose = True
    return f"({text})" if loose else text


def _under(test: str, text: str) -> str:
    """Code that runs where a test holds: what is above 0 there need not be kept from below it."""
    for part in test.split(" and "):
        count, _, least = part.rpartition(" > ")
        if count and least.isdecimal():
            text = text.replace(f"max({count}, 0)", count)
            text = text.replace(f"max({count} - {least}, 0)", f"{count} - {least}")
    return text


def _has_axes(value: Value) -> bool:
    """Whether a value certainly is an array, no number."""
    return any(not axis.group for axis in value.axes)
