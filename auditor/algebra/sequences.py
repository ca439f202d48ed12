"""Lists and texts that steps add to at their end, where control or the element before decides what:
to put sequences together is to add over a semiring in which nothing is scaled."""

from __future__ import annotations

from auditor.algebra.semirings import NotLinear, Row, Semiring, chosen
from auditor.algebra.states import Dependence
from auditor.notation import ONE, Apply, Carry, Const, Read, Term, Value

SEQUENCES = "sequences put together"
EMPTY = Read(Value("[]", (), kind="input"), ())


def sequences(carry: Carry) -> Semiring | None:
    """The semiring of what a carried list or text is put together from, if it is."""
    text = isinstance(carry.init, Const) and isinstance(carry.init.value, str)
    listed = isinstance(carry.init, Read)
    if not text and not listed:
        return None
    nothing: Term = Const("") if text else EMPTY
    ops = ("concat", "add") if text else ("concat",)
    try:
        _row(carry.update, carry.state, ops)
    except NotLinear:
        return None

    def row(term: Term, states: frozenset[Value]) -> Row:
        (state,) = states
        return _row(term, state, ops, nothing)

    return Semiring(SEQUENCES, "concat", "repeat", nothing, ONE, row)


def _row(term: Term, state: Value, ops: tuple[str, ...], nothing: Term = EMPTY) -> Row:
    """What is put after the state. Raises ``NotLinear``."""
    if isinstance(term, Read) and term.value is state:
        return {state: ONE}
    if not isinstance(term, Apply):
        raise NotLinear
    if term.op in ops and len(term.args) == 2:
        before, after = term.args
        if Dependence().mentions(after, (state,)):
            raise NotLinear
        row = _row(before, state, ops, nothing)
        added = Apply("concat", (row[None], after)) if None in row else after
        return {**row, None: added}
    if term.op == "where" and not Dependence().mentions(term.args[0], (state,)):
        sides = [_row(arg, state, ops, nothing).get(None, nothing) for arg in term.args[1:]]
        return {state: ONE, None: chosen(term.args[0], *sides)}
    raise NotLinear
