"""The variables of a loop that counts or takes elements, and what their subscripts slice.

A loop variable is a ``Walk`` (``range(start, stop, stride)``, the count of ``enumerate``) or an
``Element`` of an array; ``x[t - 1]`` over all steps is ``x[:-1]``. Where a subscript may wrap
around or a length is not known to fit, ``CannotVectorise`` says so.
"""

from __future__ import annotations

import ast
from collections.abc import Container
from dataclasses import dataclass, field, replace

from auditor.arrays.facts import Arrays, size_of
from auditor.arrays.signs import never_negative, total_stop
from auditor.folds.loop import Generator
from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.notation import ONE, ZERO, Const, Symbol, Term
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, same, tight
from auditor.tree import everything_in

_ARITHMETIC = (
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult),
    *(ast.USub, ast.UAdd),
)


class CannotVectorise(Exception):
    """The expression has no whole-array form here; ``condition`` names why for side conditions."""

    def __init__(self, reason: str, condition: str = "arrays") -> None:
        super().__init__(reason)
        self.condition = condition


@dataclass(frozen=True)
class Walk:
    """A loop variable that counts: ``range(start, stop, stride)``."""

    name: str
    start: Term
    stop: Term
    stride: int
    stop_node: ast.expr


@dataclass(frozen=True)
class Element:
    """A loop variable that is an element of an array, ``depth`` subscripts deep; ``beside`` are
    arrays walked with it that may be shorter; ``place`` is which part of the element it is, where
    the loop takes that apart."""

    base: ast.expr
    depth: int
    beside: tuple[ast.expr, ...] = ()
    place: int | None = None


@dataclass
class Walks:
    """The variables of a nest of loops. ``temporaries`` are the other names that change from step
    to step; ``widen`` is 1 where the step before the first is taken in as well,
    ``unequal`` says that zipped arrays may differ in length; what must hold besides is added to
    ``assumptions``; ``reached`` are the arrays that are read at places they may not have, with how
    many, None where that is not known."""

    region: Region
    generators: list[Generator]
    temporaries: Container[str] = ()
    widen: int = 0
    assumptions: list[str] = field(default_factory=list)
    unequal: bool = False
    strided: bool = False
    backward: bool = False
    reached: dict[str, int | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.arrays = Arrays(self.region)
        self.walks: dict[str, Walk] = {}
        self.elements: dict[str, Element] = {}
        self.order: list[str] = []
        for generator in self.generators:
            self._target(generator.target, generator.iter)

    def assume(self, sentence: str) -> None:
        if sentence not in self.assumptions:
            self.assumptions.append(sentence)

    def moves(self, node: ast.AST) -> bool:
        """Whether an expression reads a loop variable or a temporary of the loop."""
        return any(
            isinstance(n, ast.Name)
            and (n.id in self.walks or n.id in self.elements or n.id in self.temporaries)
            for n in everything_in(node)
        )

    def _target(self, target: ast.expr, source: ast.expr) -> None:
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name):
            if source.func.id == "range":
                self._range(target, source)
                return
            if source.func.id == "enumerate" and len(source.args) == 1 and not source.keywords:
                if isinstance(target, ast.Tuple) and len(target.elts) == 2:
                    name, item = target.elts
                    self._element(item, source.args[0])
                    if isinstance(name, ast.Name):
                        stop = self._length(source.args[0])
                        self.walks[name.id] = Walk(name.id, ZERO, stop, 1, source.args[0])
                        self.order.append(name.id)
                        return
            if source.func.id == "zip" and isinstance(target, ast.Tuple):
                plain = [arg for arg in source.args if not isinstance(arg, ast.Starred)]
                if len(plain) == len(target.elts) == len(source.args):
                    for item, base in zip(target.elts, plain, strict=True):
                        self._element(
                            item, base, () if self.unequal else self._shorter(base, plain)
                        )
                    return
            raise CannotVectorise(f"walks `{self.region.module.source(source)}`")
        self._element(target, source)

    def _shorter(self, base: ast.expr, zipped: list[ast.expr]) -> tuple[ast.expr, ...]:
        """The zipped arrays that may be shorter than ``base``, one of each length."""
        found: list[ast.expr] = []
        for other in zipped:
            if not any(self.arrays.same_length(other, known) for known in (base, *found)):
                found.append(other)
        plain = all(isinstance(node, (ast.Name, ast.Attribute)) for node in (base, *found))
        if found and (not plain or len(self.generators) > 1):
            raise CannotVectorise("the zipped arrays may differ in length", "lengths")
        return tuple(found)

    def _element(self, target: ast.expr, base: ast.expr, beside: tuple[ast.expr, ...] = ()) -> None:
        if isinstance(target, ast.Tuple) and all(isinstance(e, ast.Name) for e in target.elts):
            for place, part in enumerate(target.elts):
                assert isinstance(part, ast.Name)
                self._element(part, base, beside)
                self.elements[part.id] = replace(self.elements[part.id], place=place)
            return
        if not isinstance(target, ast.Name):
            raise CannotVectorise("the elements are taken apart")
        if isinstance(base, ast.Name) and base.id in self.elements:
            outer = self.elements[base.id]
            self.elements[target.id] = Element(outer.base, outer.depth + 1)
            return
        if not self.arrays.certain(base) and not (
            isinstance(base, ast.Subscript) and self.arrays.certain(base.value)
        ):
            raise CannotVectorise(
                f"`{self.region.module.source(base)}` is not known to be an array"
            )
        if self.elements and len(self.generators) > 1:
            raise CannotVectorise("nested loops walk different arrays")
        self.elements[target.id] = Element(base, 1, beside)

    def term(self, node: ast.expr) -> Term | None:
        number = constant(node)
        if isinstance(number, int) and not isinstance(number, bool):
            return Const(number)
        value = self.arrays.value(node)
        if value is None or value.axes or value.body is None:
            if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
                left, right = self.term(node.left), self.term(node.right)
                if left is not None and right is not None:
                    way = extents.add if isinstance(node.op, ast.Add) else extents.sub
                    return way(left, right)
            if value is not None and not value.axes and value.dtype == "int":
                return value.at()
            return None
        try:
            return self.arrays.facts.extent(self.region.lifted.lifter.as_size(value))
        except Unsupported:
            return None

    def _length(self, base: ast.expr) -> Term:
        value = self.arrays.value(base)
        if value is None or not value.axes or value.axes[0].group:
            return Symbol(f"len({ast.unparse(base)})")
        return self.arrays.facts.extent(value.axes[0].extent)

    def _range(self, target: ast.expr, source: ast.Call) -> None:
        args = source.args
        if not isinstance(target, ast.Name) or not 1 <= len(args) <= 3 or source.keywords:
            raise CannotVectorise("an unusual range")
        if any(map(self.moves, args)):
            raise CannotVectorise("the bounds of a range change with another loop")
        start: Term | None = ZERO
        stop_node = args[0]
        stride = 1
        if len(args) > 1:
            start, stop_node = self.term(args[0]), args[1]
        if len(args) == 3:
            number = constant(args[2])
            if not isinstance(number, int) or number == 0:
                raise CannotVectorise("the stride of a range is not known")
            stride = number
        stop = self.term(stop_node)
        if stop is None:
            sized = size_of(stop_node)
            stop = Symbol(f"len({ast.unparse(sized)})") if sized is not None else None
        if start is None or stop is None:
            raise CannotVectorise("the bounds of a range are not understood")
        if stride == -1 and stop == Const(-1):
            self.backward = True
            start, stop, stride = ZERO, extents.add(start, ONE), 1
            stop_node = args[0]
        elif stride < 0:
            raise CannotVectorise("a range counts down")
        self.strided |= stride != 1
        self.walks[target.id] = Walk(target.id, start, stop, stride, stop_node)
        self.order.append(target.id)

    def variable(self, node: ast.expr) -> str:
        """The one loop variable that a subscript moves with."""
        names = {
            n.id for n in everything_in(node) if isinstance(n, ast.Name) and n.id in self.walks
        }
        if len(names) != 1 or isinstance(node, ast.Slice):
            raise CannotVectorise(
                f"a read at `[{self.region.module.source(node)}]` is not understood"
            )
        return names.pop()

    def _offset(self, node: ast.expr, name: str) -> Term:
        """c of the subscript ``name + c``."""
        if is_name(node, name):
            return ZERO
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            if not self.moves(node.right):
                shift = self.term(node.right)
                if shift is not None:
                    way = extents.add if isinstance(node.op, ast.Add) else extents.sub
                    return way(self._offset(node.left, name), shift)
            elif isinstance(node.op, ast.Add) and not self.moves(node.left):
                shift = self.term(node.left)
                if shift is not None:
                    return extents.add(shift, self._offset(node.right, name))
        raise CannotVectorise(f"a read at `[{self.region.module.source(node)}]` is not understood")

    def slice(self, base: ast.expr, item: ast.expr, axis: int) -> str:
        walk_ = self.walks[self.variable(item)]
        offset = self._offset(item, walk_.name)
        first = extents.add(walk_.start, offset)
        low = extents.constant(first)
        shift = self._others(item, walk_.name) if low is None else ""
        start = extents.constant(walk_.start)
        if low is None and shift and start is not None and not self.widen:
            known = never_negative(self.region, walk_.stop_node, first)
        else:
            known = low is not None and low >= 0
        if not known:
            raise CannotVectorise(
                f"a read at `{self.region.module.source(item)}` may wrap around", "bounds"
            )
        low = (low or 0) - self.widen
        if low < 0:
            raise CannotVectorise("the first step has no element before it")
        high = extents.add(walk_.stop, offset)
        extent = self._extent(base, axis)
        rest = None if extent is None else extents.constant(extents.sub(high, extent))
        begin = f"{start} + {shift}" if start and shift else str(low) if low else shift
        if rest is not None and rest <= 0:
            end = str(rest) if rest else ""
        else:
            self.reached[ast.unparse(base)] = rest
            end = self._stop(walk_, offset, shift)
        stride = f":{walk_.stride}" if walk_.stride != 1 else ""
        if (begin and not begin.isidentifier() and not begin.isdigit()) or (
            end and not end.lstrip("-").isalnum()
        ):
            return f"{begin} : {end}{stride}".lstrip() if begin else f": {end}{stride}"
        return f"{begin}:{end}{stride}" if begin or end or stride else ":"

    def _others(self, node: ast.expr, name: str) -> str:
        """What a subscript adds to a loop variable, as text; "" where it is no plain sum."""
        left, op = (node.left, node.op) if isinstance(node, ast.BinOp) else (node, None)
        if not isinstance(node, ast.BinOp) or not isinstance(op, ast.Add):
            return ""
        if is_name(left, name):
            return self.region.module.source(node.right)
        if is_name(node.right, name):
            return self.region.module.source(left)
        inner = self._others(left, name)
        return f"{inner} + {self._summand(node.right)}" if inner else ""

    def _extent(self, base: ast.expr, axis: int) -> Term | None:
        value = self.arrays.value(base)
        if value is not None and value.axes:
            axes = value.axes
            group = next((p for p, a in enumerate(axes) if a.group), None)
            if axis >= 0 and axis < len(axes) and (group is None or axis < group):
                found = self.arrays.facts.extent(axes[axis].extent)
                return self._asserted(base, axis) or found
            if axis < 0 and -axis <= len(axes) and (group is None or len(axes) + axis > group):
                return self.arrays.facts.extent(axes[axis].extent)
        for walk_ in self.walks.values():
            sized = size_of(walk_.stop_node)
            if axis == 0 and sized is not None and self.arrays.same_length(sized, base):
                return self.term(walk_.stop_node) or walk_.stop
            if axis == 0 and same(walk_.stop_node, base):
                return walk_.stop
        return None

    def _asserted(self, base: ast.expr, axis: int) -> Term | None:
        """The length of the array that the range is over, if an assertion says that ``base`` is
        as long."""
        for walk_ in self.walks.values():
            sized = size_of(walk_.stop_node)
            if axis == 0 and sized is not None and self.arrays.same_length(sized, base):
                return self.term(walk_.stop_node) or walk_.stop
        return None

    def _stop(self, walk_: Walk, offset: Term, added: str) -> str:
        """Where a slice ends; ``added`` is what is added where that is no number."""
        node = walk_.stop_node
        text = self.region.module.source(node)
        sized = self.arrays.value(node)
        if sized is not None and sized.axes:
            text = f"len({text})"
        high = extents.add(walk_.stop, offset)
        if added and not self.backward:
            return total_stop(self.region, node, high, f"{text} + {added}")
        shift = extents.constant(offset)
        if shift is None:
            raise CannotVectorise("a shift that is not known")
        if self.backward:
            shift += 1
        if shift:
            text = text if sized is not None and sized.axes else self._summand(node)
            text = f"{text} {'+' if shift > 0 else '-'} {abs(shift)}"
        return total_stop(self.region, node, high, text)

    def some_step(self) -> str:
        """The test whether the loops make any step."""
        tests = []
        for generator in self.generators:
            source = generator.iter
            walked = source
            if isinstance(source, ast.Call) and isinstance(source.func, ast.Name):
                if source.func.id == "range":
                    tests.append(self._some_count(source.args))
                    continue
                walked = source.args[0]
                tests.extend(self._length_of(other) for other in self._beside(walked))
            element = self.elements.get(walked.id) if isinstance(walked, ast.Name) else None
            if element is None:
                tests.append(self._length_of(walked))
            else:
                base = tight(self.region.module.source(element.base))
                tests.append(f"{base}.shape[{element.depth}]")
        return " and ".join(tests)

    def _length_of(self, node: ast.expr) -> str:
        return f"len({self.region.module.source(node)})"

    @property
    def cuts(self) -> bool:
        """Whether zipped arrays may differ in length."""
        return any(element.beside for element in self.elements.values())

    def cut(self, element: Element) -> str:
        """The slice that leaves of its array what is walked."""
        lengths = [self._length_of(other) for other in element.beside]
        if not lengths:
            return ""
        return f"[: {lengths[0]}]" if len(lengths) == 1 else f"[: min({', '.join(lengths)})]"

    def number(self, element: Element) -> str:
        """How many elements are walked."""
        lengths = [self._length_of(one) for one in (element.base, *element.beside)]
        return lengths[0] if len(lengths) == 1 else f"min({', '.join(lengths)})"

    def _beside(self, base: ast.expr) -> tuple[ast.expr, ...]:
        """The arrays walked with ``base`` that may be shorter."""
        return next((e.beside for e in self.elements.values() if e.base is base), ())

    def _some_count(self, args: list[ast.expr]) -> str:
        """The test whether a range counts anything."""
        first, stop = (args[0], args[1]) if len(args) > 1 else (None, args[0])
        source = self._summand
        if first is None:
            sized = size_of(stop) is not None or isinstance(self.term(stop), (Symbol, Const))
            return source(stop) if sized else f"{source(stop)} > 0"
        start = source(first)
        down = len(args) == 3 and constant(args[2]) == -1
        return f"{start} > {source(stop)}" if down else f"{source(stop)} > {start}"

    def _summand(self, node: ast.expr) -> str:
        """The text of an expression that a sum or a comparison can follow."""
        text = self.region.module.source(node) if hasattr(node, "lineno") else ast.unparse(node)
        return text if isinstance(getattr(node, "op", None), _ARITHMETIC) else tight(text)

    def _parts(self) -> list[ast.expr]:
        """The parts of arrays that are walked, which may be empty where their array is not."""
        return [e.base for e in self.elements.values() if isinstance(e.base, ast.Subscript)]

    def covers(self, base: ast.expr, axis: int) -> bool:
        """Whether the one loop takes each element along an axis of ``base``."""
        if len(self.generators) > 1 or self._parts():
            return False
        extent = self._extent(base, axis)
        return all(walk_.stop is extent for walk_ in self.walks.values())

    def runs(self, base: ast.expr) -> bool:
        """Whether the loop certainly makes a step, over the first axis of ``base``."""
        if self.cuts or any(element.depth > 1 for element in self.elements.values()):
            return False
        if not all(map(self.arrays.nonempty, self._parts())):
            return False
        least = 1
        for walk_ in self.walks.values():
            extent = self._extent(base, 0)
            rest = None if extent is None else extents.constant(extents.sub(walk_.stop, extent))
            first = extents.constant(walk_.start)
            if rest is None or first is None:
                return False
            least = max(least, first - rest + 1)
        return self.arrays.nonempty(base, least)
