"""From terms back to source text: what a person would have written with whole arrays.

``Renderer`` prints a term as an array expression in the user's names. Axes are laid out in a given
order and broadcast from the right; an axis that an operand lacks is inserted as ``None``, an axis
out of order is permuted. Whatever cannot be said raises ``CannotRender`` with the reason, which
becomes the refusal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from auditor.lift import extents
from auditor.notation import (
    ZERO,
    Apply,
    Const,
    Index,
    Read,
    Reduce,
    Symbol,
    Term,
    Value,
    definition,
    walk,
)
from auditor.surroundings.step_numbers import StepNumbers
from auditor.syntax import without_idle
from auditor.writing.boundary import at_the_boundary
from auditor.writing.joins import joined
from auditor.writing.layout import literal
from auditor.writing.named_arrays import named_array, only_of
from auditor.writing.pieces import CannotRender, Piece, UnknownRank
from auditor.writing.words import Torch, Words

_TURNED = re.compile(r"\.(?:transpose|swapaxes)\(0, 1\)$")

_INFIX = {
    "add": (" + ", 2), "sub": (" - ", 2), "mul": (" * ", 3), "div": (" / ", 3), "pow": ("**", 5),
    "floordiv": (" // ", 3), "mod": (" % ", 3), "eq": (" == ", 1), "ne": (" != ", 1),
    "lt": (" < ", 1), "le": (" <= ", 1), "gt": (" > ", 1), "ge": (" >= ", 1),
}  # fmt: skip

_DECIDED = ("where", "and", "or", "not")


@dataclass
class Renderer:
    """``name_of`` gives the text by which a value can be read where the code will stand, or None;
    ``dtype_of`` that of a dtype that the running code knows; ``order`` the layout of the axes;
    ``words`` how the library is spelled; ``met`` the sizes of broadcast axes, each with the axis of
    the layout that it meets. ``uncertain`` says that a rank was only assumed; ``plain`` are names
    of what may be a number; ``fresh`` gives a name that nothing has yet;
    ``edges`` are the names of choices at the first or last step, by what makes them."""

    name_of: Callable[[Value], str | None]
    scalar_of: Callable[[Term], str | None]
    order: tuple[Index, ...]
    words: Words = field(default_factory=Torch)
    step: Index | None = None
    assumptions: list[str] = field(default_factory=list)
    uncertain: bool = False
    lines: list[str] = field(default_factory=list)
    known: dict[Term, Piece] = field(default_factory=dict)
    dtype_of: Callable[[str], str | None] = lambda dtype: None
    keeps: Callable[[Value], bool] = lambda value: False
    naming: str | None = None
    fresh: Callable[[str], str] | None = None
    edges: dict[tuple[str, ...], str] = field(default_factory=dict)
    is_array: Callable[[Value], bool] = lambda value: False
    opened: Callable[[Term], Term] = lambda term: term
    sliced: Callable[[Index], bool] = lambda axis: False
    special: Callable[[Term, Renderer], Piece | None] = lambda term, renderer: None
    reindex: Callable[[Term], Term] = lambda term: term
    total: Callable[[Term, str], str] = lambda term, text: text
    plain: set[str] = field(default_factory=set)
    alike: Callable[[Index, Index], bool] = lambda sub, axis: sub.extent is axis.extent
    met: frozenset[tuple[Term, Term]] = frozenset()

    def array(self, term: Term) -> Piece:
        """The expression of ``term``; its axes are a subsequence of the order."""
        if term in self.known:
            return self.known[term]
        special = self.special(term, self)
        if special is not None:
            return special
        if isinstance(term, Const):
            return self._constant(term)
        known = self.scalar_of(term)
        if known is not None:
            return Piece(known, ())
        if isinstance(term, Read):
            return named_array(self, term)
        if isinstance(term, Apply):
            return self._apply(term)
        if isinstance(term, Reduce):
            return self._reduce(term)
        if isinstance(term, Symbol):
            if _PATH.match(term.name) is None:
                raise CannotRender(f"the size `{term.name}` has no name")
            return Piece(term.name, ())
        raise CannotRender(f"`{term}` is no array expression")

    def _constant(self, term: Const) -> Piece:
        if term.value in (float("inf"), float("-inf")):
            return Piece(f'float("{term.value}")', ())
        text = literal(term.value)
        return Piece(text, (), 4 if text.startswith("-") else 6)

    # -- leaves

    def stop(self, end: Term, axis: Index, start: Term = ZERO) -> str:
        """Where a slice of ``axis`` from ``start`` ends, as code that is not negative, unless
        nothing is dropped from the end for it: with ``n - 2`` of n elements."""
        text = self._integer(end)
        short = extents.constant(extents.sub(end, axis.extent))
        first = extents.constant(start)
        if short is not None and first is not None and short >= -2 - first:
            return text
        return self.total(end, text)

    def _integer(self, term: Term) -> str:
        return self.scalar(term).text

    def scalar(self, term: Term) -> Piece:
        """A scalar term as code."""
        known = self.scalar_of(term)
        if known is not None:
            return Piece(known, ())
        if isinstance(term, Apply) and term.op == "add":
            taken = [arg for arg in term.args if _is_taken(arg)]
            text = " + ".join(self.scalar(a).inside(2) for a in term.args if a not in taken)
            for arg in taken if text else ():
                text += f" - {self.scalar(extents.neg(arg)).inside(3)}"
            return Piece(text or " + ".join(self.scalar(a).inside(2) for a in taken), (), 2)
        if isinstance(term, Apply) and term.op in ("min", "max"):
            return Piece(f"{term.op}({', '.join(self.scalar(arg).text for arg in term.args)})", ())
        return self.array(term)

    # -- layout

    def _place(self, axis: Index) -> int:
        try:
            return self.order.index(axis)
        except ValueError:
            raise CannotRender(f"the axis `{axis.name}` has no place in the result") from None

    def arranged(self, piece: Piece) -> Piece:
        """The axes in the layout's order, by a transpose or permute."""
        known = [axis for axis in piece.axes if axis is not None]
        wanted = sorted(known, key=self._place)
        if known == wanted:
            return piece
        if None in piece.axes:
            raise CannotRender("axes of unknown number are out of order")
        rest = [axis for axis in known if axis is not self.step]
        first = self.step in (known[0], self.order[0])
        if first and rest == [axis for axis in wanted if axis is not self.step]:
            assert self.step is not None
            source, place = (_counted(axes, axes.index(self.step)) for axes in (known, wanted))
            text = self.words.moved(piece.inside(6), source, place)
            if len(known) > 2 or any(axis.group for axis in known):
                return Piece(text, tuple(wanted))
        if any(axis.group for axis in known):
            raise CannotRender("axes of unknown number are out of order")
        moved = [p for p, (a, b) in enumerate(zip(known, wanted, strict=True)) if a is not b]
        if len(moved) == 2:
            text = self.words.exchanged(piece.inside(6), *moved)
        else:
            order = (known.index(axis) for axis in wanted)
            text = self.words.permuted(piece.inside(6), order)
        return Piece(text, tuple(wanted))

    def spread(self, piece: Piece, axes: Sequence[Index]) -> Piece:
        """Insert the axes that broadcasting from the right would not."""
        mine = list(piece.axes)
        if not mine or (
            len(mine) == len(axes)
            and all(a is b or a is None for a, b in zip(mine, axes, strict=True))
        ):
            return piece
        if not set(mine) - {None} <= set(axes):
            raise CannotRender(f"`{piece.text}` has axes that the result does not have")
        places = _embedded(mine, axes)
        if places is None:
            return self.spread(self.dropping_ones(piece), axes)
        behind = len(axes) - len(mine) + 1
        if any(axis.group for p, axis in enumerate(axes) if p >= places[0] and p not in places):
            # so many axes cannot be inserted: the code sees to them that puts the steps first
            if self.order[:1] != (self.step,) or mine[0] is not self.step:
                raise UnknownRank("axes of unknown number stand beside a known one")
            if places[1:] != list(range(behind, len(axes))):
                raise CannotRender("axes of unknown number stand behind a known one")
            if any(not axis.group for axis in axes[places[0] + 1 : behind]):
                raise UnknownRank("axes of unknown number stand beside a known one")
            self.uncertain = True
            return replace(piece, axes=tuple(axes))
        items = [":" if p in places else "None" for p in range(places[0], len(axes))]
        if "None" not in items:
            return piece
        if only_of(piece.text, self.plain):
            raise UnknownRank(f"`{piece.text}` may be a number")
        inner = [axes[p] for p in range(places[0], len(axes))]
        if any(axis is not None and axis.group for axis in mine):
            items = ["..." if axis.group else item for item, axis in zip(items, inner, strict=True)]
        elif items[-1] == "None" and items.index("None") == len(mine):
            items = ["...", *items[len(mine) :]]
        if "..." not in items or "None" not in items[items.index("...") :]:
            while items[-1] in (":", "..."):
                items.pop()
        return Piece(f"{piece.inside(6)}[{', '.join(items)}]", tuple(inner))

    def dropping_ones(self, piece: Piece) -> Piece:
        """The axes of extent 1 dropped."""
        if None not in piece.axes:
            raise CannotRender("the result has no place for some axes")
        if any(axis is not None and axis.group for axis in piece.axes):
            raise CannotRender("an axis of size 1 stands among axes of unknown number")
        subs = ["0" if axis is None else ":" for axis in piece.axes]
        subs = without_idle(subs)
        kept = tuple(axis for axis in piece.axes if axis is not None)
        return Piece(f"{piece.inside(6)}[{', '.join(subs)}]", kept)

    # -- operations

    def _apply(self, term: Apply) -> Piece:
        if term.op.startswith("cast:"):
            inner = self.array(term.args[0])
            dtype = term.op.removeprefix("cast:")
            said = self.dtype_of(dtype) if " " in dtype else f"{self.words.module}.{dtype}"
            if said is None or not (inner.axes or inner.tail):
                raise CannotRender("a cast is to a dtype that has no name here")
            return replace(inner, text=self.words.cast(inner.inside(6), said), strength=6)
        if term.op == "call:detach":
            inner = self.array(term.args[0])
            if not inner.axes:
                raise CannotRender("a number is taken out of a tensor")
            return replace(inner, text=self.words.detached(inner.inside(6)), strength=6)
        if term.op == "where":
            edge = at_the_boundary(self, term)
            if edge is not None:
                return edge
            beside = joined(self, term)
            if beside is not None:
                return beside
        if term.op in _DECIDED and _is_plain(term.args[0], self.step):
            return self._decided(term)
        pieces = self._operands(term)
        union = sorted(
            {axis for piece in pieces for axis in piece.axes if axis is not None}, key=self._place
        )
        tail = any(piece.tail for piece in pieces)
        axes: tuple[Index | None, ...] = tuple(union)
        if union and (tail or any(None in piece.axes for piece in pieces)):
            # Something may have axes that its text does not show: everything is laid out in full.
            first = self._place(union[0])
            union = list(self.order[first:])
            present = {axis for piece in pieces for axis in piece.axes}
            axes = tuple(axis if axis in present else None for axis in union)
        spread = [self.spread(piece, union) for piece in pieces]
        if term.op in _INFIX:
            word, strength = _INFIX[term.op]
            text = spread[0].inside(strength + (term.op == "pow"))  # `a**b**c` is `a**(b**c)`
            for part, piece in zip(term.args[1:], spread[1:], strict=True):
                if term.op == "add" and isinstance(part, Apply) and part.op == "neg":
                    text += f" - {self.spread(self.array(part.args[0]), union).inside(3)}"
                    continue
                # in `a * (b * c)` integers may wrap around that `a` would make broken numbers of
                again = isinstance(part, Apply) and part.op == term.op in ("add", "mul")
                text += word + piece.after(term.op, strength + again)
            bound = term.op in ("floordiv", "mod") or (strength == 3 and spread[0].bound)
            return Piece(text, axes, strength, tail and not axes, bound)
        if term.op == "neg":
            return Piece(f"-{spread[0].inside(4)}", axes, 4, tail and not axes)
        function = self.words.function(term.op)
        if function is None:
            raise CannotRender(f"`{term.op}` has no array expression")
        if not axes and not (tail and len(pieces) == 1) and not self.words.of_numbers:
            raise CannotRender(f"`{term}` is a function of numbers")
        if term.op in ("max", "min"):
            return self._extremum(term.op, spread, axes)
        text = ", ".join(piece.text for piece in spread)
        return Piece(f"{function}({text})", axes, tail=tail and not axes)

    def _decided(self, term: Apply) -> Piece:
        """What a number or a truth of Python chooses, which no tensor does: only the branch that it
        chooses is computed, as in the loop."""
        asked, *parts = term.args
        if term.op == "where" and isinstance(asked, Apply) and asked.op == "not":
            asked, parts = asked.args[0], parts[::-1]
        condition = self.array(asked)
        if term.op == "not":
            return Piece(f"not {condition.inside(1)}", (), 0)
        chosen = parts if term.op == "where" else term.args
        then, *rest = self._arrays(chosen, keeps=lambda value: False)
        if condition.axes or any(one.axes != then.axes or one.tail for one in (then, *rest)):
            raise CannotRender("a choice is between values of different shapes")
        if term.op != "where":
            return Piece(f" {term.op} ".join(p.inside(1) for p in (then, *rest)), (), 0)
        text = f"{then.inside(1)} if {condition.inside(1)} else {rest[0].inside(1)}"
        return Piece(text, then.axes, 0)

    def _arrays(self, terms: Iterable[Term], **other: Any) -> list[Piece]:
        """Terms with ``other`` settings; what is assumed there is assumed here."""
        renderer = replace(self, **other)
        pieces = [renderer.array(term) for term in terms]
        self.uncertain |= renderer.uncertain
        return pieces

    def _operands(self, term: Apply) -> list[Piece]:
        """The arguments of a function; numbers that depend on the step meet an array there."""
        numbers = [arg for arg in term.args if self.counts(arg)]
        others = [arg for arg in term.args if arg not in numbers]
        if not numbers or not others:
            return [self.array(arg) for arg in term.args]
        pieces = {arg: self.array(arg) for arg in others}
        if not any(piece.axes for piece in pieces.values()):
            raise CannotRender("numbers that depend on the step meet no array")
        return [pieces.get(arg) or self.counted(arg, *others) for arg in term.args]

    def counts(self, term: Term) -> bool:
        """Whether a term is a number that depends on the step."""
        return self.step is not None and self._step_numbers().is_one(term)

    def counted(self, term: Term, *beside: Term) -> Piece:
        """Such numbers for all steps, as a tensor beside what the terms ``beside`` read."""
        assert self.step is not None
        names = {name for other in beside for name in self._tensors(other)}
        if len(names) != 1:
            raise CannotRender("numbers that depend on the step meet several arrays")
        name = names.pop()
        text = self._step_numbers().text(term, name)
        if any(axis.group for axis in self.order) and self.order[0] is self.step:
            return Piece(f"{text}.reshape(-1, *[1] * ({name}.ndim - 1))", self.order)
        return Piece(text, (self.step,))

    def as_beside(self, numbers: Piece, *beside: Term) -> str:
        """Numbers that a condition chooses, in the type that a number has beside what the terms
        ``beside`` read."""
        names = {name for other in beside for name in self._tensors(other)}
        if len(names) != 1:
            raise CannotRender("chosen numbers meet several arrays")
        meets = f"{self.words.module}.result_type({names.pop()}, 1.0)"
        return self.words.cast(numbers.inside(6), meets)

    def _tensors(self, term: Term) -> set[str]:
        """The names of the arrays that a term reads."""
        found: set[str] = set()
        for node in walk(term):
            special = self.special(node, self)
            if special is not None:
                found.add(special.text)
            elif isinstance(node, Read) and node.value.axes:
                name = self.name_of(node.value)
                inner = definition(node) if name is None else None
                found |= {name} if name is not None else self._tensors(inner) if inner else set()
        return {_name_in(text, self.words.module) for text in found}

    def _step_numbers(self) -> StepNumbers:
        assert self.step is not None
        return StepNumbers(self.step, self._count, self._integer, self.words)

    def _count(self) -> str:
        """How many steps there are."""
        assert self.step is not None
        return self.total(self.step.extent, self._integer(self.step.extent))

    def _extremum(self, op: str, pieces: list[Piece], axes: tuple[Index | None, ...]) -> Piece:
        arrays = [piece for piece in pieces if piece.axes]
        numbers = [piece for piece in pieces if not piece.axes]
        if len(arrays) == 1 and len(numbers) == 1:
            bounded = self.words.at_least if op == "max" else self.words.at_most
            return Piece(bounded(arrays[0].inside(6), numbers[0].text), axes)
        text = ", ".join(piece.text for piece in pieces)
        return Piece(f"{self.words.function(op)}({text})", axes)

    def _reduce(self, term: Reduce) -> Piece:
        if term.op.startswith("call:") and isinstance(term.body, Apply):
            return self._layer(term, term.body)
        if term.op not in ("sum", "prod", "max", "min"):
            raise CannotRender(f"a reduction by `{term.op}`")
        if term.index.group:
            raise CannotRender("a reduction runs over axes of unknown number")
        product = self.product(term)
        if product is not None:
            return product
        (inner,) = self._arrays([term.body], order=(*self.order, term.index))
        if not inner.axes or inner.axes[-1] is not term.index:
            raise CannotRender("a reduction over an axis that nothing has")
        if term.op in ("max", "min"):
            return Piece(self.words.extreme(inner.inside(6), term.op), inner.axes[:-1])
        return Piece(f"{inner.inside(6)}.{term.op}(-1)", inner.axes[:-1])

    def product(self, term: Reduce) -> Piece | None:
        """A sum of products that are larger than each of the factors: they are never built."""
        body = term.body
        if term.op != "sum" or not isinstance(body, Apply) or body.op != "mul":
            return None
        pieces = self._arrays(body.args, order=(*self.order, term.index))
        union = {axis for piece in pieces for axis in piece.axes}
        if any(set(piece.axes) == union for piece in pieces) or term.index not in union:
            return None
        pieces = [self.dropping_ones(p) if None in p.axes else p for p in pieces]
        union.discard(None)
        if any(axis is None or axis.group for axis in union) or any(p.tail for p in pieces):
            raise CannotRender("the shape of a matrix product is not known")
        axes = [axis for axis in self.order if axis in union]
        letters = dict(zip([*axes, term.index], "abcdefghijklmnop", strict=False))
        factors = [piece for piece in pieces if piece.axes]
        if len(letters) <= len(axes) or set(letters) != union:
            raise CannotRender("a matrix product has too many axes")
        inputs = ",".join(
            "".join(letters[axis] for axis in piece.axes if axis is not None) for piece in factors
        )
        scalars = [piece for piece in pieces if not piece.axes]
        numbers = [piece.inside(3) for piece in scalars[:1]]
        numbers += [piece.after("mul", 3) for piece in scalars[1:]]
        plain = _matrix_product(factors, term.index, tuple(axes))
        if plain is not None:
            return Piece(" * ".join([*numbers, plain]), tuple(axes), 3, bound=True)
        formula = f"{inputs}->{''.join(letters[axis] for axis in axes)}"
        text = f'{self.words.module}.einsum("{formula}", {", ".join(p.text for p in factors)})'
        return Piece(" * ".join([*numbers, text]), tuple(axes), 3 if numbers else 6)

    def _layer(self, term: Reduce, body: Apply) -> Piece:
        """A layer applied to the last axis: one call for all steps."""
        element, out = body.args
        assert isinstance(out, Index)
        order = (*(axis for axis in self.order if axis is not out), term.index)
        (inner,) = self._arrays([element], order=order)
        if not inner.axes or inner.axes[-1] is not term.index:
            raise CannotRender("a layer over an axis that nothing has")
        axes = (*inner.axes[:-1], out)
        if None in axes or [a for a in self.order if a in axes] != list(axes):
            raise CannotRender("a layer whose result has its axes in another order")
        return Piece(f"{term.op.removeprefix('call:')}({inner.text})", axes)


def _matrix_product(factors: Sequence[Piece], inner: Index, axes: tuple[Index, ...]) -> str | None:
    """``x @ w`` where it is the product of rows with a matrix, None where it is another one."""
    for left, right in (factors, factors[::-1]) if len(factors) == 2 else ():
        rows, out = left.axes[:-1], right.axes[:-1]
        if left.axes[-1] is inner is right.axes[-1] and len(out) == 1 and (*rows, *out) == axes:
            turned = _TURNED.sub("", right.text)
            matrix = turned if turned != right.text else f"{right.inside(6)}.T"
            return f"{left.inside(3)} @ {matrix}"
    return None


def _name_in(text: str, module: str) -> str:
    """The array that code of one array reads."""
    inner = re.sub(rf"^{re.escape(module)}\.\w+\(", "", text)
    return re.split(r"[^\w.]|\.movedim", inner)[0]


def _is_plain(term: Term, step: Index | None) -> bool:
    """Whether a number or a truth is one of Python, the same at all steps."""
    parts = list(walk(term))
    reads = [node.value for node in parts if isinstance(node, Read)]
    return step not in parts and all(not v.axes and v.library != "torch" for v in reads)


def _is_taken(term: Term) -> bool:
    """Whether a whole number is said to be subtracted: ``-1``, ``-2 * n``."""
    factor = term.args[0] if isinstance(term, Apply) and term.op == "mul" else term
    return (extents.constant(factor) or 0) < 0


def _counted(axes: Sequence[Index], place: int) -> int:
    """A place among axes, from the end where some before it are of unknown number."""
    return place - len(axes) if any(axis.group for axis in axes[:place]) else place


_PATH = re.compile(r"(?!.*\[\.\.\.\])[^\W\d][\w.]*(?:\[[^`]*)?$|len\([\w.]+\)$")
"""What a size is called in code: the others are named after where they were found, or are those of
axes of unknown number taken together."""


def _embedded(mine: Sequence[Index | None], axes: Sequence[Index]) -> list[int] | None:
    """Where each axis of an operand falls among ``axes``; an axis of extent 1 takes the next free
    place. None when they do not fit in this order."""
    places: list[int] = []
    for position, axis in enumerate(mine):
        at = places[-1] + 1 if places else 0
        if axis is not None:
            at = list(axes).index(axis)
        elif not places:
            known = [list(axes).index(a) for a in mine if a is not None]
            ones = next(p for p, a in enumerate(mine) if a is not None) if known else len(mine)
            at = (known[0] if known else len(axes)) - ones + position
        if at < 0 or at >= len(axes) or (places and at <= places[-1]):
            return None
        places.append(at)
    return places or None
