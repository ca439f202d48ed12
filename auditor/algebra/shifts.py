"""Bits that each step moves up and joins with new ones: ``v << k | b``.

A shift is an endomorphism of the integers under or, exclusive or, and, and sums, so that one such
step after another is one of the same form: the shifts add up, and what was joined first is shifted
by what comes after. Bits above a mask never come down again, so that a mask may wait for the end.
"""

from __future__ import annotations

from auditor.algebra.monoid import Part, field, start_of
from auditor.algebra.semirings import SUMS
from auditor.algebra.states import Dependence
from auditor.notation import NONE, ZERO, Apply, Carry, Const, Read, Term, Value, transform

_FARTHEST = 64
_JOINS = {"bitor": "or", "bitxor": "exclusive or"}


def joined_bits(carries: list[Carry], dependence: Dependence) -> Part | None:
    """``s' = (s << k) op b``, with or without a mask of the lowest bits."""
    if len(carries) != 1:
        return None
    (carry,) = carries
    update, condition = _chosen(carry, dependence)
    update, mask = _masked(update)
    if not isinstance(update, Apply) or update.op not in _JOINS or len(update.args) != 2:
        return None
    moving = [arg for arg in update.args if dependence.mentions(arg, (carry.state,))]
    if len(moving) != 1 or carry.init in (None, NONE):
        return None
    added = update.args[1] if moving[0] is update.args[0] else update.args[0]
    by = _shift(moving[0], carry)
    if by is None or dependence.mentions(by, (carry.state,)):
        return None
    start = start_of(carry)
    if not isinstance(start.value if isinstance(start, Const) else 0, int):
        return None
    if by is ZERO and not isinstance(start, Const):
        return None  # nothing says that it is a number: sets and dictionaries have the operators
    if mask is not None and not _within(start, mask):
        return None
    shift = field(f"{carry.name}_shift", f"how far the piece moves {carry.name} up", ZERO)
    bits = field(carry.name, f"{carry.name} of the piece alone", ZERO)

    def then(moved: Term, more: Term) -> tuple[Term, Term]:
        whole: Term = Apply(update.op, (Apply("shl", (bits.left, moved)), more))
        whole = whole if mask is None else Apply("bitand", (whole, mask))
        return SUMS.add(shift.left, moved), whole

    step = then(by, added)
    if condition is not None:
        step = (
            Apply("where", (condition, step[0], shift.left)),
            Apply("where", (condition, step[1], bits.left)),
        )
    if start is ZERO:
        finish: Term = bits.left
    else:
        finish = Apply(update.op, (Apply("shl", (start, shift.left)), bits.left))
        if mask is not None:
            finish = Apply("bitand", (finish, mask))
    return Part(
        (carry.state,), (shift, bits), step, then(shift.right, bits.right), (finish,),
        f"shifted bits under {_JOINS[update.op]}",
        f"{carry.name}' = {carry.name} << k {'|' if update.op == 'bitor' else '^'} b: the shifts "
        "add up, and a shift moves what was joined before", "exact",
    )  # fmt: skip


def _chosen(carry: Carry, dependence: Dependence) -> tuple[Term, Term | None]:
    """The update in the steps that make one, and which these are (None: all)."""
    update, mine = carry.update, Read(carry.state, ())
    if not isinstance(update, Apply) or update.op != "where" or mine not in update.args[1:]:
        return update, None
    test, then, other = update.args
    if dependence.mentions(test, (carry.state,)):
        return update, None
    return (then, test) if other is mine else (other, Apply("not", (test,)))


def _masked(term: Term) -> tuple[Term, Const | None]:
    """What a mask of the lowest bits is put on, and the mask."""
    if isinstance(term, Apply) and term.op == "bitand" and len(term.args) == 2:
        for mask, inner in (term.args, term.args[::-1]):
            if lowest_bits(mask) is not None:
                assert isinstance(mask, Const)
                return inner, mask
    return term, None


def lowest_bits(mask: Term) -> int | None:
    """How many of the lowest bits a constant keeps, if it keeps just these."""
    value = mask.value if isinstance(mask, Const) else None
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        return None
    return value.bit_length() if value & (value + 1) == 0 else None


def _within(start: Term, mask: Const) -> bool:
    value, most = (one.value if isinstance(one, Const) else None for one in (start, mask))
    return isinstance(value, int) and isinstance(most, int) and 0 <= value <= most


def _shift(term: Term, carry: Carry) -> Term | None:
    """How far the carried value is moved up, if that is all that is done to it."""
    mine = Read(carry.state, ())
    if term is mine:
        return ZERO
    if not isinstance(term, Apply) or len(term.args) != 2 or mine not in term.args:
        return None
    if term.op == "shl":
        return term.args[1] if term.args[0] is mine else None
    other = term.args[1] if term.args[0] is mine else term.args[0]
    value = other.value if isinstance(other, Const) else None
    if term.op == "mul" and isinstance(value, int) and value > 0 and value & (value - 1) == 0:
        return Const(value.bit_length() - 1)
    return None


def as_numbers(term: Term, states: frozenset[Value]) -> Term:
    """``term`` with shifts of ``states`` as products by powers of two, and with masks of their
    lowest bits as remainders: the same of whole numbers, of which alone there are either."""
    dependence = Dependence()

    def change(node: Term) -> Term:
        if not isinstance(node, Apply) or not dependence.mentions(node, states):
            return node
        if node.op == "shl":
            by = node.args[1]
            if isinstance(by, Const) and isinstance(by.value, int) and 0 <= by.value <= _FARTHEST:
                return Apply("mul", (node.args[0], Const(1 << by.value)))
            return Apply("mul", (node.args[0], Apply("pow", (Const(2), by))))
        inner, mask = _masked(node)
        if mask is None or not isinstance(mask.value, int):
            return node
        return Apply("mod", (inner, Const(mask.value + 1)))

    return transform(term, change)
