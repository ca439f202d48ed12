"""Choices by data: ``a if x[i] > t else b``, ``if x[i] > t: ... else: ...``, ``np.where`` of what a
step reads, as terms that say which of two is taken.

    if x[i] > 0:            out[i] becomes choose(x[i] > 0, x[i], what it was)
        out[i] = x[i]

All at once both ways are computed for every cell, so that a way may only do what does no harm
where a step does not take it (``auditor.nests.harmless``). ``np.where`` of a step computes both
already, which is a ``where`` and no ``choose``.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.nests import harmless
from auditor.nests.conditions import TRUTHS, condition, holds
from auditor.nests.integers import NoNest
from auditor.nests.parts import Filled, Moved, Part, Scope, put
from auditor.notation import ZERO, Apply, Const, Read, Reduce, Term, Value, walk

if TYPE_CHECKING:
    from auditor.nests.cells import WrittenCell
    from auditor.nests.expressions import Expressions
    from auditor.nests.reader import Reader

CHOICES = frozenset(("choose", "where"))


def picked(reading: Expressions, node: ast.IfExp, scope: Scope, least: int) -> Part:
    """``a if c else b``. Raises ``NoNest``."""
    test = holds(reading, node.test, scope)
    return _chosen(
        reading, test, *(reading.part(s, scope, least) for s in (node.body, node.orelse))
    )


def where(reading: Expressions, given: list[ast.expr], scope: Scope, least: int) -> Part:
    """``np.where(c, a, b)``, which computes both. Raises ``NoNest``."""
    test = condition(reading, given[0], scope)
    return reading.pointwise("where", test, *(reading.part(s, scope, least) for s in given[1:]))


def _chosen(reading: Expressions, test: Term, one: Part, other: Part) -> Part:
    """One of two parts."""
    if one.term is other.term and one.axes == other.axes:
        return one
    _require_harmless(one.term, other.term)
    if reading.free:
        _one_type(reading, one, other)
    return reading.pointwise("choose", Part((), test), one, other)


def _require_harmless(one: Term, other: Term) -> None:
    always = harmless.surely(one) & harmless.surely(other)
    if not all(harmless.everywhere(side, always) for side in (one, other)):
        raise NoNest("computes what only some steps may")


def _one_type(reading: Expressions, one: Part, other: Part) -> None:
    """Where no cell says so, the type of the items must not depend on which of them are taken."""
    if len(one.axes) != len(other.axes):
        raise NoNest("numbers and rows in one list")
    kinds = {_kind(term) for side in (one, other) for term in ways(side.term)}
    if len({(numbers, constant) for numbers, constant, _ in kinds}) > 1:
        raise NoNest("numbers of several types in one list")
    if len(kinds) > 1:
        read = {n.value.name for side in (one, other) for n in values(side.term)
                if isinstance(n, Read) and n.value.axes}  # fmt: skip
        for name in sorted(read):
            reading.assume(f"`{name}` holds floating-point numbers")
    if one.axes:
        reading.assume("rows that a step chooses from are equally long")


def ways(term: Term) -> list[Term]:
    """What a term may be, by what is chosen."""
    if isinstance(term, Apply) and term.op == "choose":
        return [way for arg in term.args[1:] for way in ways(arg)]
    return [term]


def _kind(term: Term) -> tuple[frozenset[Value], type | None, bool]:
    """What says the type of a term: the numbers in it, that of a mere constant, fractions."""
    found = list(values(term))
    read = [node.value for node in found if isinstance(node, Read)]
    constants = {type(node.value) for node in found if isinstance(node, Const)}
    only = None if any(value.axes for value in read) else float if float in constants else int
    numbers = frozenset(value for value in read if not value.axes)
    return numbers, only, float in constants and only is None


def values(term: Term) -> list[Term]:
    """The parts of a term without the conditions in it, and the places that it reads at."""
    if isinstance(term, Apply):
        if term.op in TRUTHS:
            return []
        inner = term.args[1:] if term.op in CHOICES else term.args
        return [term, *(node for arg in inner for node in values(arg))]
    if isinstance(term, Read):
        return [term]
    return [term, *values(term.body)] if isinstance(term, Reduce) else list(walk(term))


# -- statements


def either(
    reader: Reader, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt], scope: Scope
) -> None:
    """Two blocks of which a step runs one, as what each name and cell is after either of them.
    Raises ``NoNest``."""
    if not all(map(_sets, [*body, *orelse])):
        raise NoNest("does something else where a condition holds")
    chosen = holds(reader.reading, test, scope)
    one, other = dict(scope), dict(scope)
    before = _copied(reader)
    reader._block(body, one)
    after = _copied(reader)
    _go_back(reader, before)
    reader._block(orelse, other)
    for key, cell in reader.levels[-1].items():
        left = after.get(key)
        held: Term = Read(cell.old, cell.rest)
        if left is not None:
            held = put(left.held, reader.renaming(left.place, cell.place))
            cell.written |= left.written
            cell.rounded |= left.rounded
        if held is not cell.held:
            _require_harmless(held, cell.held)
            cell.held = Apply("choose", (chosen, held, cell.held))
    for name in one.keys() | other.keys():
        _bind(reader.reading, name, chosen, (one.get(name), other.get(name)), scope)


def _copied(reader: Reader) -> dict[tuple[str, str], WrittenCell]:
    """The cells as they are."""
    return {key: replace(cell) for key, cell in reader.levels[-1].items()}


def _go_back(reader: Reader, before: dict[tuple[str, str], WrittenCell]) -> None:
    """The cells as they were, and as they were before the step where nothing had named them."""
    for key, cell in reader.levels[-1].items():
        held = Read(cell.old, cell.rest)
        kept = before.get(key) or replace(cell, held=held, written=False)
        reader.levels[-1][key] = replace(kept)


def _bind(
    reading: Expressions,
    name: str,
    test: Term,
    ways: tuple[Part | Moved | Term | None, ...],
    scope: Scope,
) -> None:
    """A name after either of two blocks; none where only one of them binds it."""
    one, other = ways
    if one is other and one is not None:
        scope[name] = one
    elif isinstance(one, Part) and isinstance(other, Part):
        scope[name] = _chosen(reading, test, one, other)
    else:
        scope.pop(name, None)


def _sets(node: ast.stmt) -> bool:
    """Whether a statement does nothing but set names and cells."""
    if isinstance(node, ast.If):
        return all(map(_sets, [*node.body, *node.orelse]))
    return isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Pass))


# -- what they may be part of


def require_plain(filled: Filled) -> None:
    """Raises ``NoNest`` where truth values are computed with, or choices added up that are not
    between something and nothing: what is added and multiplied as numbers is another thing for
    arrays of them."""
    if _counts(filled.term, True):
        raise NoNest("computes with truth values")
    sums = (node for node in walk(filled.term) if isinstance(node, Reduce))
    if any(_by_data(node) and not _or_nothing(node) for one in sums for node in walk(one)) or (
        filled.scattered and any(map(_by_data, walk(filled.term)))
    ):
        raise NoNest("adds up what steps choose")


def _by_data(term: Term) -> bool:
    """Whether a term is chosen by what is read, not by the loop variables; bounds of these may have
    numbers in them that no step changes."""
    if not isinstance(term, Apply) or term.op not in CHOICES:
        return False
    read = [node for node in walk(term.args[0]) if isinstance(node, Read)]
    if term.op == "where":
        return any(node.subs or node.value.kind == "state" for node in read)
    return bool(read)


def _counts(term: Term, allowed: bool) -> bool:
    """Whether a truth value stands where a number does."""
    if isinstance(term, Reduce):
        return _counts(term.body, False)
    if not isinstance(term, Apply):
        return False
    if term.op in TRUTHS:
        logic = term.op in ("and", "or", "not")
        return not allowed or any(_counts(arg, logic) for arg in term.args)
    if term.op in CHOICES:
        return _counts(term.args[0], True) or any(_counts(a, allowed) for a in term.args[1:])
    return any(_counts(arg, allowed and term.op == "cast:int64") for arg in term.args)


def _or_nothing(term: Term) -> bool:
    """Whether something of an array's type, or a whole number, is added or not."""
    if not isinstance(term, Apply) or term.op != "choose" or term.args[2] is not ZERO:
        return False
    added = term.args[1]
    whole = isinstance(added, Const) and type(added.value) is int
    return whole or any(isinstance(node, Read) and node.value.axes for node in values(added))
