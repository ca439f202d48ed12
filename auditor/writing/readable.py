"""Terms as a person would write them, for evidence that is checked against the source.

Within one ``Naming`` every index has a letter of its own, which is no name of an array either;
values that the source does not name are written out; sums are written with minus signs; axes of
unknown number at the end of a subscript are left out. What is too long is cut inside brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from auditor.notation import (
    Apply,
    Const,
    Index,
    Order,
    Read,
    Reduce,
    Symbol,
    Term,
    Trace,
    Value,
    definition,
    substitute,
    walk,
)

_LETTERS = "ijklmnpqrstuvwabcdefgh"
_OPERATORS = {
    "mul": ("*", 5), "div": ("/", 5), "floordiv": ("//", 5), "mod": (" % ", 5), "pow": ("^", 7),
    "eq": (" == ", 3), "ne": (" != ", 3), "lt": (" < ", 3), "le": (" <= ", 3), "gt": (" > ", 3),
    "ge": (" >= ", 3), "and": (" and ", 2), "or": (" or ", 1),
}  # fmt: skip
_SUM, _UNARY, _WHOLE = 4, 6, 9
_PLACED = re.compile(r"expression at (\d+):\d+-\d+:\d+(?: \([^()]*(?:\([^()]*\)[^()]*)*\))?")
_NAMELESS = re.compile(r"\(expression at (\d+):\d+-\d+:\d+\)|expression at (\d+):\d+-\d+:\d+")
_DEEP = 40


def by_lines(text: str) -> str:
    """A text in which results without a name are called by their line."""
    if "expression at " not in text:
        return text
    return _NAMELESS.sub(
        lambda m: f"(a result of line {m[1]})" if m[1] else f"a result of line {m[2]}", text
    )


class Naming:
    """Letters for indices, each its own. ``known`` are named first."""

    def __init__(self, known: Iterable[Index] = (), taken: Iterable[str] = ()) -> None:
        self._letters: dict[object, str] = {}
        self._taken = set(taken)
        for index in known:
            self.letter(index, index.name)

    def letter(self, key: object, wanted: str) -> str:
        """The letter of an index; ``wanted`` if that is a name and free (an index that stands for
        a place ``i + j`` is neither), or else what the source calls it."""
        if key not in self._letters:
            own = (wanted,) if wanted.isidentifier() else ()
            base = wanted if own else "i"
            said = (key.said,) if isinstance(key, Index) and key.said else ()
            choices = (*own, *said, *_LETTERS, *(f"{base}{n}" for n in range(2, 99)))
            found = next((c for c in choices if c not in self._taken), base)
            self._taken.add(found)
            self._letters[key] = found
        return self._letters[key]

    def call(self, key: object, letter: str) -> None:
        """Another key of an index that has its letter."""
        self._letters[key] = letter

    def avoid(self, term: Term) -> None:
        """Arrays keep their names: no index is named like one of them."""
        for node in walk(term):
            if isinstance(node, (Read, Symbol)):
                name = node.value.name if isinstance(node, Read) else node.name
                self._taken.add(name.partition(".")[0].partition("[")[0])

    def show(self, term: Term, limit: int = 100) -> str:
        """``term`` in at most about ``limit`` characters."""
        self.avoid(term)
        text = _Writer(self, _DEEP).write(term, 0)
        depth = 9
        while len(text) > limit and depth:
            text = _Writer(self, depth).write(term, 0)
            depth -= 1
        return text


def readable(*terms: Term, limit: int = 100) -> list[str]:
    """Several terms with the same letters for the same indices."""
    naming = Naming()
    for term in terms:
        naming.avoid(term)
    return [naming.show(term, limit) for term in terms]


class _Writer:
    def __init__(self, naming: Naming, depth: int) -> None:
        self._naming = naming
        self._depth = depth

    def write(self, term: Term, around: int) -> str:
        """``term``, in brackets where an operator of strength ``around`` would tear it apart."""
        if self._depth <= 0 and not isinstance(term, (Const, Symbol, Index)):
            return "..."
        self._depth -= 1
        text, strength = self._written(term)
        self._depth += 1
        if _says_nothing(text) or (strength == _SUM and "..." in text.split(" ")):
            return "..."
        return f"({text})" if strength < around else text

    def _written(self, term: Term) -> tuple[str, int]:
        if isinstance(term, Const):
            negative = isinstance(term.value, (int, float)) and term.value < 0
            return str(term.value), _SUM if negative else _WHOLE
        if isinstance(term, Symbol):
            # a size of what has no name but its place
            return _PLACED.sub(r"(a result of line \1)", term.name), _WHOLE
        if isinstance(term, Index):
            return self._index(term), _WHOLE
        if isinstance(term, Read):
            return self._read(term)
        if isinstance(term, Trace):
            name = term.scan.carries[term.slot].name
            return self._element(name, (term.step, *term.subs)), _WHOLE
        if isinstance(term, Reduce):
            if term.op == "call:some":  # any function of all elements, ``len(x[t])``
                whole = Index("g", term.index.extent, group=True)
                return self._written(substitute(term.body, {term.index: whole}))
            op = term.op.removeprefix("call:").removeprefix("value ")
            body: Term = term.body
            opposite = _opposite(body) if op == "argmax" else None
            if opposite is not None:
                op, body = "argmin", opposite
            if term.index.group:
                return f"{op}({self.write(body, 0)})", _WHOLE
            return f"{op}_{self._index(term.index)} {self.write(body, _UNARY)}", _SUM
        if isinstance(term, Order):
            way = "descending" if term.descending else "ascending"
            ordered = self.write(term.body, _UNARY)
            over = self._index(term.index)
            return f"{term.what} at {self.write(term.rank, 0)} of {ordered} over {over}, {way}", 0
        assert isinstance(term, Apply)
        return self._apply(term)

    def _index(self, index: Index) -> str:
        return "..." if index.group else self._naming.letter(index, index.name)

    def _element(self, name: str, subs: tuple[Term, ...]) -> str:
        kept = list(subs)
        while kept and isinstance(kept[-1], Index) and kept[-1].group:
            kept.pop()
        places = [self.write(sub, 0) for sub in kept]
        if " " in name and not name.startswith("`"):
            name = f"({name})"
        if not places:
            return name
        cut = all(place == "..." for place in places)  # an element all the same
        return f"{name}[{'...' if cut else ', '.join(places)}]"

    def _read(self, read: Read) -> tuple[str, int]:
        if not named(read.value):
            made = definition(read) or read.value.body
            if made is not None:
                return self._written(made)
        return self._element(read.value.name, read.subs), _WHOLE

    def _apply(self, term: Apply) -> tuple[str, int]:
        op, args = term.op, term.args
        if op in ("add", "sub", "neg") or (op == "mul" and _negative(args[0])):
            return self._sum(term), _SUM
        if op in _OPERATORS:
            sign, strength = _OPERATORS[op]
            parts = [self.write(args[0], strength)]
            one_sided = op not in ("mul", "and", "or")
            parts += [self.write(arg, strength + (one_sided or _whole(arg))) for arg in args[1:]]
            return sign.join(parts), strength
        if op == "not":
            return f"not {self.write(args[0], _UNARY)}", _UNARY
        name = op.removeprefix("call:").removeprefix("cast:")
        if name.startswith(("like ", "to ")):  # a value's dtype; its number is of this process
            name = "like"
        if name == "bool" and isinstance(args[0], Reduce):
            inner = args[0]
            while isinstance(inner, Reduce) and inner.op == "any":
                inner = inner.body  # type: ignore[assignment]
            return self._written(inner)
        if name.startswith("value "):
            return self._of_step(name[6:], args), _WHOLE
        return f"{name}({', '.join(self.write(arg, 0) for arg in args)})", _WHOLE

    def _of_step(self, name: str, args: tuple[Term, ...]) -> str:
        """An element of what each step makes anew, ``d(t)[0]``: ``args`` are the step, the place,
        and the states that it may read."""
        element = self._element("", tuple(filter(_is_place, args[1:])))
        if not element:
            return name
        name = name.removesuffix(" (changed by the loop)")
        name = f"({name})" if " " in name and not name.startswith("`") else name
        return f"{name}({self.write(args[0], 0)}){element}"

    def _sum(self, term: Term) -> str:
        parts = sorted(_addends(term, positive=True), key=lambda part: not part[1])
        out = ""
        for part, positive in parts:
            text = self.write(part, _SUM + 1)
            out += (
                (" + " if positive else " - ") + text if out else text if positive else f"-{text}"
            )
        return out


def _whole(term: Term) -> bool:
    """Is it a quotient or a remainder of whole numbers, which of a product is another one?"""
    return isinstance(term, Apply) and term.op in ("floordiv", "mod")


def _is_place(term: Term) -> bool:
    """Is it no state, nor something that depends on every element of one?"""
    if isinstance(term, Reduce):
        return term.op != "call:some"
    return not (isinstance(term, Read) and term.value.kind == "state")


def _opposite(term: Term) -> Term | None:
    """What a term is the negative of."""
    if isinstance(term, Apply) and term.op == "neg":
        return term.args[0]
    if isinstance(term, Apply) and term.op == "mul" and term.args[0] == Const(-1):
        rest = term.args[1:]
        return rest[0] if len(rest) == 1 else Apply("mul", rest)
    return None


def _says_nothing(text: str) -> bool:
    """Is all of it left out?"""
    return "..." in text and not any(c.isalnum() for c in text.replace("where", ""))


def _addends(term: Term, positive: bool) -> list[tuple[Term, bool]]:
    """The summands with their signs."""
    if isinstance(term, Apply):
        op, args = term.op, term.args
        if op == "add":
            return [part for arg in args for part in _addends(arg, positive)]
        if op == "sub":
            return [*_addends(args[0], positive), *_addends(args[1], not positive)]
        if op == "neg":
            return _addends(args[0], not positive)
        if op == "mul" and _negative(args[0]):
            factor = args[0]
            assert isinstance(factor, Const) and isinstance(factor.value, (int, float))
            rest = args[1:] if factor.value == -1 else (Const(-factor.value), *args[1:])
            return [(rest[0] if len(rest) == 1 else Apply("mul", rest), not positive)]
    if _negative(term):
        assert isinstance(term, Const) and isinstance(term.value, (int, float))
        return [(Const(-term.value), not positive)]
    return [(term, positive)]


def _negative(term: Term) -> bool:
    return (
        isinstance(term, Const)
        and isinstance(term.value, (int, float))
        and not isinstance(term.value, bool)
        and term.value < 0
        and term.value != float("-inf")
    )


def named(value: Value) -> bool:
    """Does the source name it?"""
    return value.body is None or all(part.isidentifier() for part in value.name.split("."))
