"""What a carried value is from step to step: a recurrence and its coefficients, a running sum or
product, a running extremum."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from functools import partial

from auditor.algebra.affine import NotAffine, affine_in, is_number
from auditor.algebra.piecewise import NEGATIVE_INF, clamped
from auditor.algebra.states import Dependence
from auditor.algebra.subterms import everything
from auditor.arrays.wider_start import type_of_start
from auditor.lift.dtypes import HALF, NO_NARROW, UNSIGNED, WHOLE
from auditor.notation import (
    INF,
    ONE,
    ZERO,
    Apply,
    Carry,
    Const,
    Index,
    Read,
    Term,
    Value,
    children,
    substitute,
    walk,
)
from auditor.recurrences.readouts import Readout
from auditor.recurrences.recurrence import LoopRegion, canonical_subscripts
from auditor.writing.boundary import first_step
from auditor.writing.named_arrays import may_be_number
from auditor.writing.pieces import CannotRender


class NotLinear(Exception):
    """A carried value is no linear recurrence; the message says which."""


def running_kind(factor: Term | None, rest: Term) -> str | None:
    """Whether ``h = factor h + rest`` is a running sum or product: not what is only passed on."""
    if factor is None:
        return None
    if factor is ONE or is_number(factor, 1):
        return None if is_number(rest, 0) else "sum"
    return "prod" if is_number(rest, 0) else None


def running_extreme(region: LoopRegion, slot: int) -> tuple[str, Term] | None:
    """``("max", x)`` of ``h = max(h, x)``."""
    carry = region.scan.carries[slot]
    state = carry.state
    try:
        found = clamped(region.final_element(carry.name), state, Dependence())
    except NotAffine:
        return None
    if not is_number(found.a, 1) or not is_number(found.b, 0):
        return None
    if found.high is INF and found.low is not NEGATIVE_INF:
        return "max", found.low
    if found.low is NEGATIVE_INF and found.high is not INF:
        return "min", found.high
    return None


def coefficients(region: LoopRegion, slot: int) -> tuple[Term | None, Term]:
    """``(a, b)`` of ``h = a h + b`` for a carried value, with ``a`` None where the old value is not
    read. Raises ``NotLinear`` where the update is not of this form."""
    carry = region.scan.carries[slot]
    form = affine_in(region.final_element(carry.name), [carry.state])
    if form is None or _behind_what_has_no_notation(carry):
        raise NotLinear(f"`{carry.name}` is not a linear recurrence")
    if not form.coefficients:
        return None, form.constant
    if not form.diagonal(carry.state.axes) or len(form.coefficients) != 1:
        raise NotLinear(f"`{carry.name}` mixes the elements of the state")
    factor = next(iter(form.coefficients.values()))
    if carry.name in region.loop.born or _starts_as_nothing(region, carry):
        factor = _after_first(factor, region.step)
    return factor, _at_every_step(region, form.constant)


def _behind_what_has_no_notation(carry: Carry) -> bool:
    """Whether the old value is also read where no algebra follows it, such as by a loop within the
    loop that begins with what an unknown function makes of it."""
    reads = Dependence().mentions
    return any(
        isinstance(node, Apply) and node.op.startswith("call:value ") and reads(node, [carry.state])
        for node in walk(carry.update)
    )


def _starts_as_nothing(region: LoopRegion, carry: Carry) -> bool:
    start = region.init_of(carry.name)
    return start is not None and isinstance(start.body, Const) and start.body.value == 0


def _starts_infinite(region: LoopRegion, carry: Carry) -> bool:
    """Whether an infinite number is written where a carried value begins."""
    start = region.init_of(carry.name)
    return start is not None and start.body is not None and any(
        isinstance(node, Const) and isinstance(node.value, float) and math.isinf(node.value)
        for node in everything([start.body])
    )  # fmt: skip


def let_go(region: LoopRegion, slot: int) -> list[str]:
    """What is assumed of a carried value that some steps do not read: they multiply it by 0 now,
    which an infinite one survives. Raises ``NotLinear`` where it starts as one."""
    carry = region.scan.carries[slot]
    reads = Dependence().mentions
    if carry.name in region.loop.born:
        return []
    for node in walk(region.final_element(carry.name)):
        if isinstance(node, Apply) and node.op == "where":
            condition, *branches = (reads(arg, [carry.state]) for arg in node.args)
            if not condition and any(branches) and not all(branches):
                name = carry.name.partition("[")[0]
                if _starts_infinite(region, carry):
                    raise NotLinear(f"`{name}` starts infinite, and not every step reads it")
                begun = first_step(node.args[0], region.step) is not None
                met = begun and _starts_as_nothing(region, carry)
                more = [f"what the first step would multiply `{name}` by is finite"] if met else []
                return [f"`{name}` stays finite", *more]
    return []


def gathered(region: LoopRegion, slot: int, slots: Iterable[int] = ()) -> list[str]:
    """What is assumed of carried values that a step of one of them reads more than once: gathered
    in one factor, an infinite one is no longer taken away from itself. ``slots`` are the values
    that the step reads, if it is not its own alone."""
    carries = region.scan.carries
    names = {carries[read].state: carries[read].name for read in (*slots, slot)}
    reads = _times_read(region.inlined(region.final_element(carries[slot].name)), names.keys())
    often = {names[state].partition("[")[0] for state, times in reads.items() if times > 1}
    return [f"`{name}` stays finite" for name in sorted(often)]


def _times_read(term: Term, states: Set[Value]) -> Counter[Value]:
    """How often a step computes with each state, at most: of a choice one side counts."""
    if isinstance(term, Read):
        return Counter((term.value,) if term.value in states else ())
    reads = Counter[Value]()
    if isinstance(term, Apply) and term.op == "where":
        for side in term.args[1:]:
            reads |= _times_read(side, states)
    elif isinstance(term, Apply):
        for part in term.args:
            reads += _times_read(part, states)
    return reads


def divided(region: LoopRegion, slot: int) -> list[str]:
    """What is assumed of a carried value that a step adds to before it divides: over zero both
    parts are infinite for themselves now, and of either sign."""
    carry = region.scan.carries[slot]
    reads = Dependence().mentions
    for node in walk(region.inlined(region.final_element(carry.name))):
        if not isinstance(node, Apply) or node.op != "div":
            continue
        above, below = node.args
        whole = isinstance(above, Read) and above.value is carry.state
        data = any(isinstance(part, Read) for part in walk(below))
        if not whole and data and reads(above, [carry.state]):
            return [f"no step of `{carry.name.partition('[')[0]}` divides by zero"]
    return []


def taken_away(region: LoopRegion, slot: int) -> list[str]:
    """What is assumed of the start where a step takes the state away from something: of unsigned
    integers that is none below zero, while the coefficients are. Raises ``NotLinear``."""
    carry = region.scan.carries[slot]
    start, reads = region.init_of(carry.name), Dependence().mentions
    if start is None or start.library == "python":
        return []
    taken = (
        node.args[-1] for node in walk(region.final_element(carry.name))
        if isinstance(node, Apply) and node.op in ("sub", "neg")
    )  # fmt: skip
    if not any(reads(term, [carry.state]) for term in taken):
        return []
    name = carry.name.partition("[")[0]
    if start.dtype in UNSIGNED:
        raise NotLinear(f"`{name}` starts as {start.dtype}, which a step takes away from a number")
    return [f"`{name}` starts as no unsigned integers"] if start.dtype is None else []


def made_floats(region: LoopRegion, slot: int, *terms: Term) -> list[str]:
    """What is assumed of what is added to a state that starts as 0.0, or as a tensor of that: it
    makes floats of whole numbers, and is left out. Raises ``NotLinear``."""
    carry = region.scan.carries[slot]
    start = region.init_of(carry.name)
    if start is None or start.axes or not isinstance(start.body, Const) or start.body.value != 0:
        return []
    if not (start.dtype or "").startswith(("float", "bfloat")) or any(map(_floating, terms)):
        return []
    *factors, rest = (_arrays(region.inlined(term)) for term in terms)
    added = {value.name: value for value in rest or itertools.chain(*factors)}
    for name, value in added.items():
        if value.dtype in WHOLE:
            raise NotLinear(f"the start makes floats of the integers `{name}`")
    return [f"`{name}` holds floating-point numbers" for name, value in sorted(added.items())
            if value.dtype is None]  # fmt: skip


def left_out(region: LoopRegion, slot: int, *terms: Term) -> list[str]:
    """What is assumed where the start is a tensor of 0 without axes and what is added may have none
    either: such numbers widen each other, and this one is left out. Raises ``NotLinear``."""
    carry = region.scan.carries[slot]
    start = region.init_of(carry.name)
    if start is None or start.library != "torch" or start.axes or start.body is not ZERO:
        return []
    if not all(axis.group for axis in carry.state.axes):
        return []
    name, inlined = carry.name.partition("[")[0], [region.inlined(term) for term in terms]
    casts = {f"cast:{dtype}" for dtype in HALF}
    if any(isinstance(n, Apply) and n.op in casts for term in inlined for n in walk(term)):
        raise NotLinear(
            f"`{name}` starts as a tensor that may widen what is added in half precision"
        )
    added = {value.dtype for term in inlined for value in _arrays(term)}
    return type_of_start(name, start, added)


def turned_negative(*terms: Term) -> list[str]:
    """What is assumed of arrays that the coefficients take with a minus, where the loop takes them
    away from the state: of unsigned integers none is below zero. Raises ``NotLinear``."""
    turned = {
        node.args[0].value for term in terms for node in walk(term)
        if isinstance(node, Apply) and node.op == "neg" and isinstance(node.args[0], Read)
    }  # fmt: skip
    for value in turned:
        if value.dtype in UNSIGNED:
            raise NotLinear(f"`{value.name}` holds unsigned integers, of which none is negative")
    names = sorted(value.name for value in turned if value.axes and value.dtype is None)
    return [f"`{name}` holds no unsigned integers and no truth values" for name in names]


def regrouped(region: LoopRegion, slot: int) -> list[str]:
    """What is assumed of the dtypes of a coefficient whose factors met the state one by one: a
    number beside integers or truth values makes single precision of them, and beside a state in
    another precision it did not."""
    carry = region.scan.carries[slot]
    met = list(_met(region.inlined(region.final_element(carry.name)), carry.state, Dependence()))
    arrays = [_certain(region, term) for term in met]
    if all(arrays):
        return []
    single = partial(_is_single, carry, region.init_of(carry.name))
    numbers = [term for term, held in zip(met, arrays, strict=True) if not held]
    cast = any(map(_in_single, met))
    if cast and not all(map(_is_exact, numbers)):
        return [single()]
    counted = [value for term, held in zip(met, arrays, strict=True) if not _floating(term)
               for value in held]  # fmt: skip
    open_ = [value for value in dict.fromkeys(counted) if value.dtype is None]
    if len(open_) < len(set(counted)):
        return [single()]
    return [f"`{value.name}` holds floating-point numbers, or {single()}" for value in open_]


def _is_single(carry: Carry, start: Value | None) -> str:
    """That a state is in single precision. Raises ``NotLinear`` where it is known not to be."""
    name, dtype = carry.name.partition("[")[0], carry.state.dtype
    dtype = dtype if start is None or start.dtype is None else start.dtype
    if dtype in ("float64", "complex128", "complex64", *HALF):
        raise NotLinear(f"`{name}` is {dtype}, what it is multiplied by is in single precision")
    return f"`{name}` is float32"


def summed_alike(region: LoopRegion, slot: int, readouts: Iterable[Readout]) -> list[str]:
    """What is assumed of what is multiplied with a state and summed: sums of integers have 64 bits,
    and a product of matrices has as many as they. Raises ``NotLinear``."""
    carry = region.scan.carries[slot]
    met = _met(region.inlined(region.final_element(carry.name)), carry.state, Dependence())
    start = region.init_of(carry.name)
    states = (Read(value, ()) for value in (carry.state, start) if value is not None)
    if any(map(_floating, (*states, *met))):
        return []
    assumed: list[str] = []
    for one in readouts:
        weights = region.inlined(one.weights)
        if any(map(_floating, (weights, *_factors(weights)))):
            continue
        held = list(dict.fromkeys(_arrays(weights)))
        if any(value.dtype == "int64" for value in held):
            continue
        open_ = [value for value in held if value.dtype not in WHOLE]
        if not open_:
            raise NotLinear("a sum of integers has more bits than they")
        assumed.append(f"`{open_[0].name}` holds {NO_NARROW}")
    return assumed


def chosen_numbers(region: LoopRegion, slot: int, *terms: Term) -> list[str]:
    """What is assumed of a state whose coefficients are numbers that a condition chooses: an array
    of those is in single precision, and one of whole numbers has 64 bits."""
    carry = region.scan.carries[slot]
    start = region.init_of(carry.name)
    name = f"`{carry.name.partition('[')[0]}`"
    for term in terms:
        chosen = [node for node in walk(term) if isinstance(node, Apply) and node.op == "where"
                  and not any(_certain(region, arg) for arg in node.args[1:])]  # fmt: skip
        number = any(_is_fraction(region, node) for node in walk(term))
        if not chosen or any(map(_floating, _factors(term))):
            continue
        if number:
            return [_is_single(carry, start)]
        if carry.state.dtype is None or carry.state.dtype in WHOLE:
            return [f"{name} holds {NO_NARROW}", *_chosen_floats(region, slot, *terms)]
    return []


def _chosen_floats(region: LoopRegion, slot: int, *terms: Term) -> list[str]:
    """What is assumed of what is added where a number of floating point may be chosen in the place
    of the state, or is the state at first: it makes floats of whole numbers, and the coefficients
    are whole. Raises ``NotLinear``."""
    carry = region.scan.carries[slot]
    start = region.init_of(carry.name)
    chosen = [start.body] if start is not None and start.library == "python" else []
    chosen += [
        arg for node in walk(region.inlined(region.final_element(carry.name)))
        if isinstance(node, Apply) and node.op == "where" for arg in node.args[1:]
    ]  # fmt: skip
    if not any(isinstance(one, Const) and isinstance(one.value, float) for one in chosen):
        return []
    added = {value.name: value for term in terms for value in _taken(region.inlined(term))}
    for name, value in added.items():
        if value.dtype in WHOLE:
            raise NotLinear(f"a number that is chosen makes floats of the integers `{name}`")
    return [f"`{name}` holds floating-point numbers" for name, value in sorted(added.items())
            if value.dtype is None]  # fmt: skip


def _in_single(term: Term) -> bool:
    """Whether a term was made single precision, or is put together of such and of numbers."""
    if isinstance(term, Read):
        return term.value.library == "torch" and term.value.dtype in _PRECISIONS
    if not isinstance(term, Apply):
        return False
    if term.op in ("add", "sub", "mul", "neg"):
        arrays = [arg for arg in term.args if not isinstance(arg, Const)]
        return bool(arrays) and all(map(_in_single, arrays))
    return term.op in _SINGLE


_PRECISIONS = ("float32", "float16", "bfloat16")
_SINGLE = tuple(f"cast:{dtype}" for dtype in _PRECISIONS)


def _is_exact(term: Term) -> bool:
    """Whether a number that is written out is the same in eight bits of precision."""
    if not isinstance(term, Const) or not isinstance(term.value, (int, float)):
        return False
    return math.ldexp(math.frexp(term.value)[0], 8).is_integer()


def _is_fraction(region: LoopRegion, term: Term) -> bool:
    """Whether a term may be a number of Python that is no whole one."""
    if isinstance(term, Read):
        number = not term.value.axes or may_be_number(term.value, region.is_array)
        return number and term.value.dtype in ("float", None)
    return isinstance(term, Const) and isinstance(term.value, float)


def _factors(term: Term) -> list[Term]:
    """The arrays that a coefficient is a product of."""
    if isinstance(term, Apply) and term.op == "mul":
        return [factor for arg in term.args for factor in _factors(arg)]
    return [term] if isinstance(term, Read) and term.value.axes else []


def _met(term: Term, state: Value, dependence: Dependence) -> Iterator[Term]:
    """The factors that a state is multiplied by, one after the other."""
    if not isinstance(term, Apply):
        return
    reads = [dependence.mentions(arg, [state]) for arg in term.args]
    for arg, own in zip(term.args, reads, strict=True):
        if own:
            yield from _met(arg, state, dependence)
        elif term.op in ("mul", "div") and any(reads):
            yield arg


def _arrays(term: Term) -> list[Value]:
    return [node.value for node in walk(term) if isinstance(node, Read) and node.value.axes]


def _taken(term: Term) -> Iterator[Value]:
    """The arrays that a term takes elements of, and does not only ask about."""
    waiting = [term]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Read):
            asks = isinstance(node, Apply) and node.op == "where"
            waiting += children(node)[1 if asks else 0 :]
        elif node.value.axes:
            yield node.value


def _certain(region: LoopRegion, term: Term) -> list[Value]:
    """The arrays that a term reads, without what may as well be a number."""
    return [value for value in _arrays(term) if not may_be_number(value, region.is_array)]


def _floating(term: Term) -> bool:
    """Whether a term certainly is no integer and no truth value."""
    if isinstance(term, Read):
        return (term.value.dtype or "").startswith(("float", "bfloat", "complex"))
    if isinstance(term, Const):
        return isinstance(term.value, float)
    if not isinstance(term, Apply):
        return False
    if term.op in ("add", "sub", "mul", "neg", "where"):
        return any(map(_floating, term.args))
    if term.op.startswith("cast:"):
        return term.op.startswith(("cast:float", "cast:bfloat", "cast:complex"))
    return not term.op.startswith(_COUNTED)


_COUNTED = ("eq", "ne", "lt", "le", "gt", "ge", "and", "or", "not", "max", "min", "abs", "mod")


def _at_every_step(region: LoopRegion, term: Term) -> Term:
    """What is added, without a choice at the first step of what it is there anyway."""
    step = region.step
    if not isinstance(term, Apply) or term.op != "where":
        return term
    condition, then, otherwise = term.args
    first = first_step(condition, step)
    if first is None:
        return term
    there, rest = (then, otherwise) if first else (otherwise, then)
    moved = substitute(region.inlined(rest), {step: ZERO})
    same = canonical_subscripts(moved) is canonical_subscripts(region.inlined(there))
    return rest if same else term


def _after_first(factor: Term, step: Index) -> Term:
    """The coefficient of a state that the first step makes and does not read, or that starts as 0:
    what it is there does not matter, as long as it is finite."""
    if not isinstance(factor, Apply) or factor.op != "where":
        return factor
    condition, then, otherwise = factor.args
    first = first_step(condition, step)
    if first is None or (then if first else otherwise) is not ZERO:
        return factor
    rest = otherwise if first else then
    for node in walk(rest):
        if isinstance(node, Apply) and node.op in _UNBOUNDED and step in walk(node):
            raise CannotRender("a coefficient may be infinite before the state is read")
    return rest


_UNBOUNDED = ("div", "log", "reciprocal", "rsqrt", "pow", "log1p", "log2", "log10")
