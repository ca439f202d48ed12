"""What is found of a stage of a loop: that it is a scan, or why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from auditor.algebra.states import Dependence
from auditor.notation import Apply, Carry, Const, Index, Read, Term, Value, walk
from auditor.verdict import Numerics
from auditor.writing.readable import Naming

LONGEST = 100
WIDTHS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "long")


@dataclass(frozen=True)
class Summary:
    """A stage that is a scan: what its elements are and how they combine.

    ``elements`` are terms over the state's axes and the step, in the user's own structure; of a
    stage of several carries they are named by slot (``a01`` multiplies carry 1 in carry 0).
    ``identity`` is None for a semigroup. ``state`` are the carries' slots.

    A summary of several stages in one pass is made of ``parts``: of values that are remembered
    from where a key was best (domain ``best``) the key's; of a stage under finite control
    (``controlled``) what it is given the values of the carries in ``control``; where values are
    forgotten after the ``first`` steps (``first steps``) what it is given them; of monoids
    ``side by side`` those.
    """

    domain: str
    state: tuple[int, ...]
    combine: str
    identity: str | None
    proof: str
    numerics: Numerics
    elements: dict[str, Term] = field(default_factory=dict)
    parts: tuple[Summary, ...] = ()
    control: frozenset[int] = frozenset()
    first: int = 0


@dataclass(frozen=True)
class Refused:
    """A stage that is no scan in any domain. ``certain`` means that the program text shows why;
    otherwise it is unknown. ``final`` means that no algebra mends it."""

    state: tuple[int, ...]
    reason: str
    certain: bool
    final: bool = False


Stage = Summary | Refused


def integer(carry: Carry) -> bool:
    """Is what is carried certainly a whole number, at every step?"""
    whole = {*WIDTHS, "int", "bool"}
    if carry.state.dtype is not None:
        return carry.state.dtype in whole
    init = carry.init
    if not isinstance(init, Const) or not isinstance(init.value, int):
        return False
    return whole.issuperset(_kinds(carry.update, carry.state))


def fixed_width(carry: Carry) -> bool:
    """May the carried integers wrap around? Also where a step makes them of no known type: from a
    start of fixed width, or of nothing but such elements."""
    if carry.state.dtype in WIDTHS:
        return True
    if carry.state.dtype not in (None, "int"):
        return False
    start = carry.init.value.dtype if isinstance(carry.init, Read) else carry.begins
    if carry.state.dtype is None and start in WIDTHS:
        return True
    kinds = set(_kinds(carry.update, carry.state))
    return bool(kinds) and kinds <= {*WIDTHS, "int", "bool"} and not kinds.isdisjoint(WIDTHS)


def _kinds(term: Term, state: Value) -> Iterator[str | None]:
    """The dtypes of the numbers that a term is computed from, but for the state."""
    if isinstance(term, Read):
        if term.value is not state:
            yield _kind(term.value)
    elif isinstance(term, Const):
        if not (isinstance(term.value, int) or term.value in (float("inf"), float("-inf"))):
            yield "float"
    elif isinstance(term, Apply) and term.op.startswith("cast:"):
        yield term.op.removeprefix("cast:")
    elif isinstance(term, Apply) and term.op in _NUMBERS:
        for arg in term.args[1:] if term.op == "where" else term.args:
            yield from _kinds(arg, state)
    else:
        yield None


# what integers that wrap around do as well as integers do: a ring, its bits
_OF_A_RING = frozenset(("add", "sub", "mul", "neg"))
_OF_BITS = frozenset(("bitand", "bitor", "bitxor"))
_OF_AN_ORDER = frozenset("max min lt le gt ge eq ne and or not".split())


def wraps(carries: Sequence[Carry], dependence: Dependence) -> bool:
    """Are integers carried that may wrap around, and would that show? Sums and products of them
    are those of a ring; where they are also compared or divided the laws of integers fail."""
    if not any(map(fixed_width, carries)):
        return False
    states = [carry.state for carry in carries]
    under = {
        node.op
        for carry in carries
        for node in walk(carry.update)
        if isinstance(node, Apply)
        and node.op != "where"
        and any(dependence.mentions(arg, states) for arg in node.args)
    }
    return not any(under <= kinds for kinds in (_OF_A_RING | _OF_BITS, _OF_AN_ORDER | _OF_BITS))


_BITS = {
    "float16": 16, "half": 16, "bfloat16": 16, "float32": 32, "float": 64, "float64": 64,
    "double": 64,
}  # fmt: skip


def rounded(carry: Carry, update: Term, dependence: Dependence) -> str | None:
    """Why a state that is kept in a narrower type than its own at every step is rounded on purpose;
    None where none is."""
    held = _BITS.get(carry.state.dtype or "", 0)
    for node in walk(update):
        kind = node.op.removeprefix("cast:") if isinstance(node, Apply) else ""
        if _BITS.get(kind, held) < held and dependence.states(node):
            return f"every step rounds {carry.name} to {kind}: the order of rounding is deliberate"
    return None


def _kind(value: Value) -> str | None:
    """The dtype of a value, also where only the text of a call says it."""
    if value.dtype is None and value.kind == "opaque":
        return next((width for width in WIDTHS if width in value.name), None)
    return value.dtype


_NUMBERS = ("add", "sub", "mul", "neg", "max", "min", "abs", "relu", "where")


def letters(carries: Sequence[Carry], updates: Sequence[Term], step: Index) -> Naming:
    """One letter for each index in all that is said of a stage."""
    naming = Naming()
    for update in updates:
        naming.avoid(update)
    naming.letter(step, step.name)
    for carry in carries:
        for axis in carry.state.axes:
            if not axis.group:
                naming.letter(axis, axis.name)
    return naming
