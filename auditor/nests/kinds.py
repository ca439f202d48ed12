"""What a nest computes, told from its terms: products of matrices, neighbours, or neither."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from auditor.algebra.normal import equal
from auditor.lift import extents
from auditor.nests.applied import APPLIED, ROW
from auditor.nests.counting import NUMBERS
from auditor.nests.parts import Filled, indices, put
from auditor.notation import Apply, Const, Index, Read, Reduce, Term, free_indices, walk

LOOKS_UP = "a step writes its own place alone; what it looks up may lie anywhere"


def contractions(filled: Filled) -> Iterator[tuple[frozenset[Index], list[Term]]]:
    """The sums of products in a term: the indices that are summed, the factors that have any."""
    inside: set[Term] = set()
    for node in walk(filled.term):
        if not isinstance(node, Reduce) or node in inside:
            continue
        gone = []
        body: Term = node
        while isinstance(body, Reduce) and body.op == "sum":
            inside.add(body)
            gone.append(body.index)
            body = body.body
        if isinstance(body, Apply) and body.op == ROW:
            continue
        summed = frozenset(gone)
        for part in summands(body):
            yield summed, [f for f in factors(part) if summed & free_indices(f)]


def summands(term: Term) -> list[Term]:
    """What a sum adds or subtracts."""
    if isinstance(term, Apply) and term.op in ("add", "sub", "neg"):
        return [part for arg in term.args for part in summands(arg)]
    return [term]


def factors(term: Term) -> list[Term]:
    """The factors of a product, those aside that it is divided by."""
    if isinstance(term, Apply) and term.op in ("mul", "neg"):
        return [part for arg in term.args for part in factors(arg)]
    if isinstance(term, Apply) and term.op == "div":
        return factors(term.args[0])
    if isinstance(term, Apply) and term.op == "square":
        return factors(term.args[0]) * 2
    return [term]


def multiplies(filled: Filled) -> bool:
    """Whether sums of products of two factors or more fill the array, as a product of matrices
    does: the factors that are summed over have different indices."""
    found = False
    for summed, parts in contractions(filled):
        if slides(summed, parts) or len(parts) < 2:
            return False
        if len(set(parts)) == 1 and not isinstance(parts[0], Read):
            return False  # squares
        found = True
    return found


def sums(filled: Filled, loops: int) -> bool:
    """Whether each cell is filled with the sum of one array over some of its axes, of what a
    condition leaves of it, or, where some of the ``loops`` add up, of a function of elements."""
    found = list(contractions(filled))
    if any(isinstance(node, Apply) and node.op == ROW for node in walk(filled.term)):
        return False  # as well as other functions of rows
    return bool(found) and all(
        len(parts) == 1
        and (
            _is_array(parts[0])
            or _at_times(parts[0]) is not None
            or (loops > len(filled.axes) and _is_pointwise(parts[0]))
        )
        and not slides(summed, parts)
        for summed, parts in found
    )


def counts(filled: Filled) -> bool:
    """Whether each cell is given whole numbers for the steps at which conditions hold."""
    added = [_at_times(part) for _, parts in contractions(filled) for part in parts]
    return all(isinstance(one, Const) and type(one.value) is int for one in added)


def _is_pointwise(term: Term) -> bool:
    """Whether a term is an element at a place of its own, or made of such by functions of one or
    two numbers that are no product."""
    if isinstance(term, Apply):
        return term.op in _POINTWISE and all(map(_is_pointwise, term.args))
    return isinstance(term, Const) or _is_array(term)


_POINTWISE = frozenset(("abs", "sub", "add", "neg", "sqrt", "log1p", "tanh", "sin", "cos"))


def _is_array(term: Term) -> bool:
    """Whether a term is an element at a place of its own, none of a diagonal."""
    return isinstance(term, Read) and len(set(term.subs)) == len(term.subs)


def _at_times(term: Term) -> Term | None:
    """``x[i, j]``, or the number, of what is added where a condition holds."""
    if not isinstance(term, Apply) or term.op != "choose":
        return None
    added = term.args[1]
    added = added.args[0] if isinstance(added, Apply) and added.op == "neg" else added
    return added if isinstance(added, Const) or _is_array(added) else None


def convolves(filled: Filled) -> bool:
    """Whether sums over windows fill the array."""
    return any(slides(summed, parts) for summed, parts in contractions(filled))


def pools(filled: Filled) -> bool:
    """Whether extrema of windows fill the array, of elements as they are."""
    return any(
        isinstance(node, Reduce) and node.op in ("max", "min") and isinstance(node.body, Read)
        and slides(frozenset((node.index,)), [node.body]) for node in walk(filled.term)
    )  # fmt: skip


def of_windows(filled: Filled) -> bool:
    """Whether a function of windows fills the array: a median, a spread."""
    return any(
        isinstance(node, Reduce) and slides(frozenset((node.index,)), [node.body])
        for whole in walk(filled.term) if isinstance(whole, Apply) and whole.op in APPLIED
        for node in walk(whole)
    )  # fmt: skip


def slides(summed: frozenset[Index], parts: list[Term]) -> bool:
    """Whether a place moves with an index of the result and one that is summed."""
    return any(
        len(indices(sub)) > 1 and summed.intersection(indices(sub))
        for part in parts for node in walk(part) if isinstance(node, Read)
        for sub in node.subs
    )  # fmt: skip


def elementwise(filled: Filled) -> bool:
    """Whether each cell is made of single elements that are read as the loops count, or from the
    end as one of them counts."""
    return not filled.scattered and not any(
        isinstance(node, Reduce) or (isinstance(node, Read) and any(map(_lags, node.subs)))
        for node in walk(filled.term)
    )


def reduces(filled: Filled) -> bool:
    """Whether each cell is made of single elements and of rows of its own that are added up, or of
    which the largest is taken: no product of matrices, no window, no softmax."""
    reduced = [node for node in walk(filled.term) if isinstance(node, Reduce)]
    return (
        bool(reduced) and not filled.scattered and not filled.stepwise and not multiplies(filled)
        and not _weighs(filled.term)
        and not any(slides(frozenset((node.index,)), [node.body]) for node in reduced)
        and not any(isinstance(node, Read) and any(map(_counts_down, node.subs))
                    for node in walk(filled.term))
    )  # fmt: skip


def _weighs(term: Term) -> bool:
    """Whether exponentials are weights, as those of a softmax: of what a largest element or another
    sum is taken off, or beside their own sum."""
    added = {node for r in walk(term) if isinstance(r, Reduce) for node in walk(r.body)}
    powers = {node for node in walk(term) if isinstance(node, Apply) and node.op == "exp"}
    if powers.isdisjoint(added):
        return False
    return not powers <= added or any(
        isinstance(part, Reduce) for node in powers for part in walk(node)
    )


def from_the_end(filled: Filled) -> bool:
    """Whether elements are read as one of the loops counts down."""
    return any(
        isinstance(node, Read) and any(map(_counts_down, node.subs)) for node in walk(filled.term)
    )


def _lags(sub: Term) -> bool:
    """Whether one loop counts a place up and another one down."""
    return _counts_down(sub) and len(set(indices(sub))) > 1


def _counts_down(sub: Term) -> bool:
    return any(factor < 0 and any(isinstance(atom, Index) for atom in monomial)
               for monomial, factor in extents.polynomial(sub).items())  # fmt: skip


def neighbours(filled: Filled) -> bool:
    """Whether a cell is made of elements at several distances from its own place, none of which is
    counted from the end."""
    own = {index: sub for sub in filled.place for index in indices(sub)}
    found: dict[Index, set[Term]] = {}
    for node in walk(filled.term):
        if isinstance(node, Read) and node.value is not filled.old:
            if any(map(_counts_down, node.subs)):
                return False
            for sub in node.subs:
                for index in set(indices(sub)) & own.keys():
                    found.setdefault(index, set()).add(extents.canonical(sub))
    return any(
        len(subs) > 1
        or any(extents.constant(extents.sub(sub, own[index])) not in (0, None) for sub in subs)
        for index, subs in found.items()
    )


def computes(filled: Filled) -> bool:
    """Whether anything is computed or looked up, or elements are only moved."""
    operations = (node.op for node in walk(filled.term) if isinstance(node, Apply))
    return looks_up(filled) or any(op not in NUMBERS for op in operations)


def looks_up(filled: Filled) -> bool:
    """Whether elements are read at places that others say."""
    subs = (sub for node in walk(filled.term) if isinstance(node, Read) for sub in node.subs)
    return any(isinstance(inner, Read) and inner.subs for sub in subs for inner in walk(sub))


def gram(filled: Filled) -> bool:
    """Whether sums of products of two factors fill the array, of which each is the other with two
    axes of the array exchanged: rows of one matrix multiplied with each other."""
    if not multiplies(filled):
        return False
    own = filled.axes
    return all(
        len(parts) == 2 and any(
            equal(put(parts[0], {i: j, j: i}), parts[1])
            for i, j in combinations(own, 2)
            if {i, j} <= free_indices(parts[0]) ^ free_indices(parts[1])
        )
        for _, parts in contractions(filled)
    )  # fmt: skip
