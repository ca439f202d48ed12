"""What has to hold of types for all steps at once to fill cells as one after the other does.

A loop cuts off and rounds at every step what the type of the array does not hold, and its numbers
are as wide as Python's; what a library adds up at once is of the type of what it is given.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from auditor.arrays.complex_numbers import NO_COMPLEX, maybe_complex
from auditor.assumed import hold, listed
from auditor.lift.dtypes import HALF, NO_NARROW, WHOLE, fits
from auditor.nests import scatter
from auditor.nests.applied import PLACES, TRUTHS
from auditor.nests.choices import values
from auditor.nests.kinds import contractions
from auditor.nests.parts import Filled
from auditor.notation import (
    Apply,
    Const,
    Read,
    Reduce,
    Term,
    Value,
    children,
    walk,
)

if TYPE_CHECKING:
    from auditor.nests.plan import Plan

NARROW = WHOLE - {"bool", "int", "int64", "uint64"}
WIDE = frozenset(("float64", "complex128"))


def same_types(plan: Plan, filled: Filled, added: Term | None) -> None:
    """Whether all at once comes out in the type that one step after the other does."""
    if filled.rounded:
        _rounded(plan, filled)
    term = filled.term if added is None else added
    summed = any(isinstance(node, Reduce) for node in walk(term))
    truth = isinstance(term, Apply) and term.op in TRUTHS
    if added is None and (truth or not summed):
        return
    held, read, library = filled.array.dtype, plan.read(term), plan.library(filled)
    names = listed(f"`{value.name}`" for value in read)
    place = isinstance(term, Apply) and term.op in PLACES
    plan.site.require(
        held not in WHOLE or _whole(term, read) or place,
        "integers",
        f"`{filled.name}` holds integers, so that every step cuts off a fraction",
    )
    known = held is not None and not held.startswith(("like", "to"))
    if not known and not all(value.dtype == held and held for value in read):
        plan.reasons.append(f"`{filled.name}` is of no narrower type than what is put into it")
    plan.site.require(
        library != "torch" or not plan.widens(filled, library) or not _multiplies(filled),
        "rounding",
        f"`{filled.name}` adds up in double precision, whatever the types of what is multiplied",
    )
    if held is not None and known and not held.startswith("complex"):
        _no_complex(plan, read)
    _one_type(plan, library, read)
    _no_booleans(plan, filled, term, read)
    _of_whole_numbers(plan, filled, read)
    if known and held not in WHOLE and filled.stepwise and library == "numpy":
        if any(value.dtype is None for value in read) and summed:
            plan.reasons.append(f"{names} {_hold(read)} {NO_NARROW}")


def _no_complex(plan: Plan, read: list[Value]) -> None:
    """A cell that holds real numbers takes the real part of another, an array of such cells takes
    none."""
    names = [f"`{value.name}`" for value in read if maybe_complex(value)]
    if names:
        plan.reasons.append(hold(names, NO_COMPLEX))


def _rounded(plan: Plan, filled: Filled) -> None:
    """Whether the type of an array keeps what a step puts into it and reads again, and what is
    computed in between would be computed in that of the operands."""
    held, read = filled.array.dtype, plan.read(filled.term)
    if held is not None and all(value.dtype == held for value in read):
        return
    plan.site.require(
        held not in WHOLE or (_whole(filled.term, read) and held in ("int", "int64")),
        "integers",
        f"`{filled.name}` holds integers, so that every step cuts off a fraction",
    )
    plan.site.require(
        held in WIDE or held is None or all(v.dtype not in WIDE for v in read),
        "rounding",
        f"a step reads again what the type of `{filled.name}` rounded",
    )
    plan.site.require(
        all(value.dtype not in {*NARROW, "bool"} for value in read),
        "integers",
        f"integers are narrower than the numbers that `{filled.name}` makes of them",
    )
    if held not in WIDE and held not in WHOLE:
        plan.reasons.append(f"`{filled.name}` is of no narrower type than what is put into it")
    _unknown_wide(plan, read)


def writes_out(plan: Plan, term: Term) -> None:
    """What is assumed where the sums of a term are written out: a sum of narrow integers is
    wider than they are, one and another of them are not."""
    summed = [node for node in walk(term) if isinstance(node, Reduce) and node.op == "sum"]
    inside = (node for one in summed for node in walk(one))
    values = {n.value for n in inside if isinstance(n, Read)}
    no_narrow(plan, values)
    no_half(plan, (v for v in values if v.axes and v in plan.nest.expressions.summed))


def no_half(plan: Plan, values: Iterable[Value]) -> None:
    """What a library sums in half precision it holds in single precision on the way, as a mean
    does not have to fit where its sum has to."""
    read = sorted(values, key=lambda value: value.name)
    plan.site.require(
        all(value.dtype not in HALF for value in read), "halves",
        "a sum in half precision may be too large where what the step computes is not",
    )  # fmt: skip
    unknown = [v for v in read if v.dtype is None or v.dtype.startswith(("like", "to"))]
    names = listed(f"`{value.name}`" for value in unknown)
    reason = f"{names} {'is' if len(unknown) == 1 else 'are'} no narrower than float32"
    if unknown and reason not in plan.reasons:
        plan.reasons.append(reason)


def no_narrow(plan: Plan, values: set[Value]) -> None:
    """Sums of these are taken to be as wide as the loops' are."""
    read = {value for value in values if value.axes}
    if any(value.dtype is not None and "float" in value.dtype for value in read):
        return
    plan.site.require(
        all(value.dtype not in {*NARROW, "bool"} for value in read),
        "integers",
        "sums of narrow integers are wider than the integers",
    )
    _unknown_wide(plan, read)


def unsummed(term: Term) -> set[Value]:
    """The arrays of which a term has more than sums, which are as wide as Python's numbers."""
    own = {term.value} if isinstance(term, Read) else set[Value]()
    while isinstance(term, Reduce) and term.op == "sum":
        term = term.body
        if isinstance(term, Read):
            return {value for sub in term.subs for value in unsummed(sub)}
    return own.union(*map(unsummed, children(term)))


def _unknown_wide(plan: Plan, values: Iterable[Value]) -> None:
    """What is assumed of those whose type is not known, said once."""
    unknown = sorted((v for v in values if v.dtype is None), key=lambda value: value.name)
    names = listed(f"`{value.name}`" for value in unknown)
    reason = f"{names} {_hold(unknown)} {NO_NARROW}"
    if unknown and reason not in plan.reasons:
        plan.reasons.append(reason)


def of_floats(plan: Plan, filled: Filled) -> None:
    """A sum that starts at 0 or in a cell counts truth values and is as wide as that; one of
    elements alone is of their type, as one is that a loop starts at a whole number."""
    for node in walk(filled.term):
        if isinstance(node, Apply) and any(map(_started, node.args)):
            no_narrow(plan, {n.value for n in walk(node) if isinstance(n, Read)})
        if _from_number(node, int):
            no_narrow(plan, {n.value for n in walk(node) if isinstance(n, Read)})


def looked_up(plan: Plan, filled: Filled) -> None:
    """Whether places and values are of types that the call takes as the loop does."""
    op, value = scatter.combination(filled)
    held, read = filled.array.dtype, plan.read(value)
    places = sorted({name for sub in filled.place for name in scatter.looked_up_in(sub)})
    library = plan.library(filled)
    # what torch adds to integers in place is whole
    untold = [v for v in read if library == "torch" and v.dtype is None]
    whole = all(v.dtype in WHOLE or v in untold for v in read) and not any(
        (isinstance(n, Apply) and n.op not in ("add", "sub", "mul", "neg"))
        or (isinstance(n, Const) and isinstance(n.value, float)) for n in walk(value)
    )  # fmt: skip
    kept = op == "set"  # in whatever type the cell has, as one assigned alone
    counts = held in WHOLE and not kept
    plan.site.require(
        not counts or (whole and (held != "bool" or library == "torch")), "integers",
        f"`{filled.name}` holds integers, so that every step cuts off a fraction",
    )  # fmt: skip
    if counts and untold:
        names = listed(f"`{v.name}`" for v in untold)
        plan.reasons.append(f"{names} {_hold(untold)} whole numbers")
    if library != "torch" and not kept:
        if held not in WHOLE and held not in WIDE:
            plan.reasons.append(f"`{filled.name}` is of no narrower type than what is put into it")
    elif op != "add" and not kept:
        plan.reasons.append(hold((f"`{name}`" for name in places), "no negative places"))
    for name in places:
        if all(v.name != name or v.dtype not in WHOLE for v in plan.nest.expressions.nodes):
            plan.reasons.append(f"`{name}` holds {plan._held_by_places(filled)}")


def _no_booleans(plan: Plan, filled: Filled, term: Term, read: list[Value]) -> None:
    """Products of truth values add up as numbers, and as matrices to truth values; sums of
    narrow integers are wider than they are, and products of matrices are not."""
    if filled.stepwise and plan._accumulate(filled, plan.library(filled), "") is not None:
        return
    if not _multiplies(filled):
        return
    plan.site.require(
        all(value.dtype != "bool" for value in read), "booleans",
        "truth values are counted, which a product of matrices does not do",
    )  # fmt: skip
    names = listed(f"`{value.name}`" for value in read if value.dtype is None)
    plan.site.require(
        all(value.dtype not in NARROW for value in read), "integers",
        "sums of narrow integers are wider than products of matrices",
    )  # fmt: skip
    if names:
        held = "holds" if " and " not in names else "hold"
        plan.reasons.append(f"{names} {held} {NO_NARROW}")


def _of_whole_numbers(plan: Plan, filled: Filled, read: list[Value]) -> None:
    """Folds that start as a floating-point number are such numbers, whatever they add up; those
    of a library are of the type of what it is given, unless it is told."""
    if not from_float(filled.term) or plan._accumulate(filled, plan.library(filled), ""):
        return
    whole = all(value.dtype in WHOLE for value in read) and bool(read)
    plan.site.require(
        not whole, "integers", "the loop adds up floating-point numbers, the library integers"
    )
    unknown = [value for value in read if value.dtype is None]
    if unknown and len(unknown) == len(read):
        names = listed(f"`{value.name}`" for value in unknown)
        plan.reasons.append(f"{names} {_hold(unknown)} {fits('sum')}")


def _one_type(plan: Plan, library: str | None, read: list[Value]) -> None:
    """torch multiplies matrices of one type only."""
    if library == "numpy" or len(read) < 2:
        return
    if len({value.dtype for value in read}) > 1 or read[0].dtype is None:
        names = listed(f"`{value.name}`" for value in read)
        plan.reasons.append(f"{names} are of one type")


def as_put(plan: Plan, filled: Filled) -> None:
    """What torch puts at listed places has to be of the array's type, as one number alone has
    not."""
    read, held = plan.read(filled.term), filled.array.dtype
    own = any(isinstance(n, Read) and n.value is filled.old for n in walk(filled.term))
    if plan.library(filled) == "numpy" or not (read or own):
        return
    if held is not None and all(value.dtype == held for value in read):
        if held not in WHOLE or _whole(filled.term, read):
            return
    names = sorted({filled.name, *(value.name for value in read)})
    said, one = listed(f"`{name}`" for name in names), len(names) == 1
    kind = "floating-point numbers" if one else "floating-point numbers of one type"
    reason = f"{said} {'holds' if one else 'hold'} {kind}"
    if reason not in plan.reasons:
        plan.reasons.append(reason)


def _multiplies(filled: Filled) -> bool:
    """Whether what is added up are products, which matrices may have."""
    return any(len(parts) > 1 for _, parts in contractions(filled))


def _whole(term: Term, read: list[Value]) -> bool:
    """Whether a term of some arrays is certainly a whole number."""
    return all(value.dtype in WHOLE for value in read) and not any(
        (isinstance(n, Apply) and n.op not in ("add", "sub", "mul", "neg", "choose"))
        or (isinstance(n, Const) and isinstance(n.value, float) and n.value != 0)
        or (isinstance(n, Read) and n.value.library == "python" and n.value.dtype == "float")
        for n in values(term)
    )


def from_float(term: Term) -> bool:
    """Whether a sum, or a product, starts as a floating-point number: ``0.0 + sum_k ...``."""
    return any(_from_number(node, float) for node in walk(term))


def _from_number(term: Term, kind: type) -> bool:
    """Whether a term is a sum, or a product, that starts as a number of some kind."""
    if not isinstance(term, Apply) or term.op not in ("add", "sub", "mul"):
        return False
    way = "prod" if term.op == "mul" else "sum"
    return any(isinstance(arg, Const) and type(arg.value) is kind for arg in term.args) and any(
        isinstance(arg, Reduce) and arg.op == way for arg in term.args
    )


def _started(term: Term) -> bool:
    """``0 + x[i]``, ``0.0 + x[i]``, ``cell + x[i]``, with no sum of its own."""
    if not isinstance(term, Apply) or term.op not in ("add", "sub"):
        return False
    first, *rest = term.args
    zero = isinstance(first, Const) and first.value == 0
    cell = isinstance(first, Read) and first.value.kind == "state"
    summed = any(isinstance(node, Reduce) for arg in rest for node in walk(arg))
    return (zero or cell) and not summed


def _hold(read: list[Value]) -> str:
    return "holds" if len(read) == 1 else "hold"
