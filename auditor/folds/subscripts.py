"""Elements of arrays over all steps of a loop: ``x[:, t - 1]`` is a slice, ``m[y[i]]`` are the
places that ``y`` lists, ``p[0]`` of the rows ``p`` of an array is a column."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from auditor.arrays.containers import is_container
from auditor.arrays.facts import Arrays
from auditor.assumed import has_axes
from auditor.folds.loop import Generator
from auditor.folds.shaped import Axes, Shaped
from auditor.folds.walks import CannotVectorise, Element, Walks
from auditor.notation import ZERO
from auditor.surroundings.region import Region
from auditor.syntax import constant, is_name, same, tight, without_idle
from auditor.tree import everything_in


@dataclass
class Subscripts(ABC):
    """What is read in the steps of a loop, over all of them. ``bases`` are the arrays whose
    elements take part in the values, ``lengths`` those that have one for each step, ``numbers`` how
    many axes those have whose elements are asked for their truth."""

    region: Region
    generators: list[Generator]
    loop: ast.AST | None = None
    widen: int = 0
    totals: bool = False
    temporaries: dict[str, Shaped] = field(default_factory=dict)
    texts: dict[ast.AST, str] = field(default_factory=dict)
    assumptions: list[str] = field(default_factory=list)
    libraries: set[str] = field(default_factory=set)
    bases: list[ast.expr] = field(default_factory=list)
    lengths: list[ast.expr] = field(default_factory=list)
    elements: set[ast.AST] = field(default_factory=set)
    numbers: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.arrays = Arrays(self.region)
        self.walked = Walks(self.region, self.generators, self.temporaries, self.widen,
                            self.assumptions)  # fmt: skip
        self.depth = len(self.generators)

    def moves(self, node: ast.AST) -> bool:
        """Whether an expression changes from step to step."""
        return self.walked.moves(node)

    @abstractmethod
    def shape(self, node: ast.expr) -> Shaped:
        """What ``node`` is over all steps. Raises ``CannotVectorise``."""

    @abstractmethod
    def spell(self, node: ast.expr) -> str:
        """The text of an expression over all steps."""

    # -- arrays

    def meets(self, library: str) -> None:
        """An array of a library takes part. Raises ``CannotVectorise`` beside one of the other:
        they exchange numbers, not arrays."""
        self.libraries.add(library)
        if {"torch", "numpy"} <= self.libraries:
            raise CannotVectorise("arrays of two libraries meet in the loop", "libraries")

    def _base(self, base: ast.expr, consumed: int) -> tuple[Axes, int, bool]:
        """Axes of ``base`` beyond the ``consumed`` first ones: how many, at least how many; and
        whether its elements are certainly floating-point numbers."""
        if not self.arrays.certain(base):
            name = self.region.module.source(base)
            if not self._beside(base) or is_container(self.region, base):
                raise CannotVectorise(f"`{name}` is not known to be an array")
            self.walked.assume(f"`{name}` is an array")
        library = self.arrays.library(base)
        if library is not None:
            self.meets(library)
        for known in (self.bases, self.lengths):
            if not any(same(base, other) for other in known):
                known.append(base)
        rank = self.arrays.rank(base)
        rank = self.numbers.get(ast.unparse(base)) if rank is None else rank
        stated = self.arrays.stated_rank(base) if rank is None else None
        if stated is not None:
            rank, sentence = stated
            self.walked.assume(sentence)
        floating = self.arrays.floating(base)
        if rank is not None:
            if rank < consumed:
                raise CannotVectorise("there are more subscripts than axes")
            return rank - consumed, rank - consumed, floating
        return (ast.unparse(base), consumed), 0, floating

    def _beside(self, base: ast.expr) -> bool:
        """Whether the loop walks an array that certainly is one, beside ``base``: a parameter or
        something else of which the code shows no more than its subscripts."""
        if isinstance(base, ast.Name) and any(
            isinstance(n, (ast.Assign, ast.AnnAssign)) and is_name(getattr(n, "target", None)
            or n.targets[0], base.id) for n in self.region.nodes  # type: ignore[union-attr]
        ):  # fmt: skip
            return False
        if isinstance(base, ast.Name) and any(
            isinstance(n, ast.arg) and n.arg == base.id and n.annotation is not None
            for n in self.region.nodes
        ):
            return False
        return any(
            isinstance(n, ast.Subscript) and self.moves(n.slice) and self.arrays.certain(n.value)
            for generator in self.generators for n in everything_in(self.holder(generator))
        )  # fmt: skip

    def holder(self, generator: Generator) -> ast.AST:
        """The loop statement that a generator was read from."""
        at: ast.AST | None = self.region.parents.get(generator.iter) or self.loop
        return at if at is not None else generator.iter

    def library(self) -> str:
        """What the file calls the one library of the arrays."""
        names = [name for name, path in self.region.module.names.items() if path in self.libraries]
        if len(names) != 1:
            raise CannotVectorise("nothing says of which library the arrays are", "library")
        return names[0]

    # -- subscripts

    def _subscript(self, node: ast.Subscript) -> Shaped:
        base, items = self._chained(node)
        if isinstance(base, ast.Name) and base.id in self.walked.elements:
            return self._part_of_element(node, self.walked.elements[base.id], items)
        if self.moves(base):
            raise CannotVectorise("something that changes from step to step is subscripted")
        moving = [p for p, item in enumerate(items) if self.moves(item)]
        if any(self._picks(items[p]) for p in moving):
            return self._picked(node, base, items)
        used = [self.walked.variable(items[p]) for p in moving]
        if len(items) == len(moving) == 2 and same(*items) and isinstance(items[0], ast.Name):
            return self._diagonal(node, base)
        if used != self.walked.order or moving != list(range(moving[0], moving[0] + len(moving))):
            raise CannotVectorise("the subscripts are in another order than the loops")
        texts: list[str] = []
        lead: int | None = 0
        after = inserted = consumed = 0
        dots = False
        for position, item in enumerate(items):
            source = self._source(item)
            if position in moving:
                texts.append("?")
                consumed += 1
            elif isinstance(item, ast.Slice):
                texts.append(source if not _whole(item) else ":")
                consumed += 1
                if position < moving[0]:
                    lead = None if lead is None else lead + 1
                else:
                    after += 1
            elif constant(item) is None:
                texts.append("None")
                if position < moving[0]:
                    lead = None if lead is None else lead + 1
                else:
                    after += 1
                    inserted += 1
            elif isinstance(item, ast.Constant) and item.value is Ellipsis:
                texts.append("...")
                dots = True
                if position < moving[0]:
                    lead = None
            elif isinstance(constant(item), int) or self.arrays.whole(item):
                texts.append(source)
                consumed += 1
            else:
                raise CannotVectorise(f"the subscript `{source}` is not followed")
        if lead is None:
            right: Axes
            right, least, floating = after, after, self.arrays.floating(base)
            self._base(base, 0)
        else:
            rest, least, floating = self._base(base, consumed)
            if isinstance(rest, int):
                right, least = rest + after, rest + after
            else:
                right, least = (rest[0], rest[1] - after), least + after
        axis = (
            -after - 1
            if lead is None
            else sum(1 for item in items[: moving[0]] if constant(item) is not None)
        )
        for offset, position in enumerate(moving):
            texts[position] = self.walked.slice(base, items[position], axis + offset)
        if not inserted:
            texts = without_idle(texts)
        text = tight(self.region.module.source(base))
        if texts and not (dots and set(texts) <= {":", "..."}):
            text = f"{text}[{', '.join(texts)}]"
        self.texts[node] = text
        self.elements.add(node)
        return Shaped("steps", lead, right, least, floating, leaf=True)

    def _chained(self, node: ast.Subscript) -> tuple[ast.expr, list[ast.expr]]:
        """The array and the subscripts of ``m[i][j]``, which are those of ``m[i, j]`` where ``m``
        is an array and all that come before the last take one place."""
        base, items = node.value, _items(node)
        while isinstance(base, ast.Subscript) and self.moves(base):
            before = _items(base)
            if not self.arrays.certain(base.value) or not all(map(self._one_place, before)):
                break
            base, items = base.value, [*before, *items]
        return base, items

    def _source(self, item: ast.expr) -> str:
        """The text of a subscript, which may have been put together from a target."""
        return self.region.module.source(item) if hasattr(item, "lineno") else ast.unparse(item)

    def _diagonal(self, node: ast.Subscript, base: ast.expr) -> Shaped:
        """``m[i, i]`` over all rows, or all columns, of a matrix."""
        first = all(w.start is ZERO and w.stride == 1 for w in self.walked.walks.values())
        if not first or not any(self.walked.covers(base, axis) for axis in (0, 1)):
            raise CannotVectorise("only a part of a diagonal is read")
        rest, _, floating = self._base(base, 2)
        if not isinstance(rest, int):
            self.walked.assume(f"`{self.region.module.source(base)}` has 2 axes")
        elif rest:
            raise CannotVectorise("a diagonal of rows")
        self.texts[node] = f"{tight(self.region.module.source(base))}.diagonal()"
        return Shaped("steps", 0, 0, 0, floating, leaf=True)

    # -- places that arrays list, parts of elements

    def _one_place(self, item: ast.expr) -> bool:
        if self.moves(item):
            return not isinstance(item, ast.Slice) and not self._picks(item)
        return isinstance(constant(item), int) or self.arrays.whole(item)

    def _picks(self, item: ast.expr) -> bool:
        """Whether a subscript is itself an element of an array: ``y[i]`` in ``m[y[i]]``."""
        if isinstance(item, ast.Name):
            return item.id in self.walked.elements
        return isinstance(item, ast.Subscript) and self.moves(item)

    def _picked(self, node: ast.Subscript, base: ast.expr, items: list[ast.expr]) -> Shaped:
        """``m[y[i]]`` and ``m[i, y[i]]`` over all steps: places that an array lists."""
        if self.depth != 1:
            raise CannotVectorise("places that an array lists, in two loops")
        if not self.arrays.certain(base):  # a dictionary has keys as well
            name = self.region.module.source(base)
            raise CannotVectorise(f"`{name}` is not known to be an array")
        lengths = [*self.lengths]
        right, least, floating = self._base(base, len(items))
        self.lengths = lengths
        texts = [self._listed(item) for item in items]
        self.texts[node] = f"{tight(self.region.module.source(base))}[{', '.join(texts)}]"
        self.elements.add(node)
        return Shaped("steps", 0, right, least, floating, leaf=True)

    def _walked(self, item: ast.expr) -> ast.expr:
        """The array whose elements a name is given."""
        assert isinstance(item, ast.Name)
        base = self.walked.elements[item.id].base
        return base.value if isinstance(base, ast.Subscript) else base

    def _listed(self, item: ast.expr) -> str:
        """The places of all steps as one array."""
        if isinstance(item, ast.Name) and item.id in self.walked.walks:
            return self._counted(item)
        bases = [*self.bases]
        shape = self.shape(item) if self._picks(item) else None
        self.bases = bases
        if shape is None or not shape.leaf or shape.lead != 0 or shape.floating:
            raise CannotVectorise(f"a read at `{self.region.module.source(item)}`")
        base = item.value if isinstance(item, ast.Subscript) else self._walked(item)
        if not isinstance(shape.right, int):
            self.walked.assume(has_axes(*shape.right))
        elif shape.right:
            raise CannotVectorise("rows of places", "axes")
        if not self.arrays.integer(base):
            name = self.region.module.source(base)
            self.walked.assume(f"`{name}` holds integers of 32 or 64 bits")
        return self.spell(item)

    def _counted(self, item: ast.Name) -> str:
        """The places that a loop counts."""
        walk = self.walked.walks[item.id]
        if walk.start is not ZERO or walk.stride != 1 or self.walked.backward or self.widen:
            raise CannotVectorise("a part of the places that are counted")
        stop = self.region.module.source(walk.stop_node)
        sized = self.arrays.value(walk.stop_node)
        if sized is not None and sized.axes:
            stop = f"len({stop})"
        return f"{self.library()}.arange({stop})"

    def _part_of_element(self, node: ast.expr, element: Element, items: list[ast.expr]) -> Shaped:
        """``p[0]``, ``p[2:]`` or ``p[y]`` of the elements ``p`` that the loop walks."""
        if element.depth != 1 or self.depth != 1:
            raise CannotVectorise("an element of an element is subscripted")
        part = isinstance(element.base, ast.Subscript)
        array = element.base.value if isinstance(element.base, ast.Subscript) else element.base
        text = tight(self.region.module.source(element.base))
        texts = [] if element.place is None else [str(element.place)]
        slices, picked = 0, False
        for item in items:
            if self._picks(item):
                if part or slices:
                    raise CannotVectorise("places of a part of what is walked")
                texts.append(self._listed(item))
                picked = True
            elif self.moves(item) or not (isinstance(item, ast.Slice) or self._one_place(item)):
                raise CannotVectorise(f"a read at `{self.region.module.source(item)}`")
            else:
                slices += isinstance(item, ast.Slice)
                texts.append(self._source(item))
        rest, least, floating = self._base(array, 1 + len(texts))
        right: Axes = rest + slices if isinstance(rest, int) else (rest[0], rest[1] - slices)
        walked = self.walked.cut(element)[1:-1] or ":"
        if picked:
            walked = f"{self.library()}.arange({self.walked.number(element)})"
        self.texts[node] = f"{text}[{', '.join([walked, *texts])}]"
        self.elements.add(node)
        return Shaped("steps", 0, right, least + slices, floating, leaf=True)


def _items(node: ast.Subscript) -> list[ast.expr]:
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def _whole(item: ast.Slice) -> bool:
    return item.lower is None and item.upper is None and item.step is None
