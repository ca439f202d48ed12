"""The last few elements: a list of which each step appends something and keeps the last k."""

from __future__ import annotations

import ast
import re

from auditor.algebra.monoid import Field, Part, field
from auditor.algebra.sequences import EMPTY
from auditor.algebra.states import Dependence
from auditor.notation import NONE, TRUE, Apply, Carry, Const, Read, Term, Value
from auditor.tree import everything_in

_BOUNDED = re.compile(r"[\w.]*deque\(_0, maxlen=")  # how what is kept is made again of a list


def window(carries: list[Carry], dependence: Dependence) -> Part | None:
    """``s' = (s + [x])[-k:]``, maybe of some elements alone."""
    if len(carries) != 1 or not isinstance(carries[0].init, Read):
        return None
    (carry,) = carries
    made = carry.init.value.name  # type: ignore[attr-defined]
    if made != "[]" and not _BOUNDED.match(made):
        return None
    condition, update = _guarded(carry)
    limit = _limit(update, carry.state)
    if limit is None or dependence.mentions(condition, (carry.state,)):
        return None
    kept = field(carry.name, "the last of the piece, as many as are kept", EMPTY)
    own = _with(update, carry.state, kept.left)
    step = own if condition is TRUE else Apply("where", (condition, own, kept.left))
    fields: list[Field] = [kept]
    updates: list[Term] = [step]
    most = limit
    if not isinstance(limit, Const):
        said = field(f"{carry.name}_limit", f"how many {carry.name} keeps", NONE)
        fields.append(said)
        updates.append(limit)
        most = _either(said)
    both = Apply("call:(_0 + _1)[-_2:]", (kept.left, kept.right, most))
    combine: list[Term] = [both, *(_either(one) for one in fields[1:])]
    if len(fields) > 1:  # two pieces of no elements know no limit
        neither = Apply("is", (most, NONE))
        combine[0] = Apply("where", (neither, kept.left, both))
    finish: Term = kept.left
    if made != "[]":
        finish = Apply(f"call:{made}", (kept.left,))
    return Part(
        (carry.state,), tuple(fields), tuple(updates), tuple(combine), (finish,),
        "the last few elements",
        f"{carry.name} keeps what came last: of two pieces it is the last of both together",
        "exact",
    )  # fmt: skip


def _guarded(carry: Carry) -> tuple[Term, Term]:
    update, mine = carry.update, Read(carry.state, ())
    if isinstance(update, Apply) and update.op == "where":
        if update.args[2] is mine:
            return update.args[0], update.args[1]
        if update.args[1] is mine:
            return Apply("not", (update.args[0],)), update.args[2]
    return TRUE, update


def _either(one: Field) -> Term:
    return Apply("where", (Apply("is", (one.left, NONE)), one.right, one.left))


def _limit(term: Term, state: Value) -> Term | None:
    """How many are kept, where a term is the carried list, one more and the last of both."""
    if not isinstance(term, Apply) or not term.op.startswith("call:"):
        return None
    node = ast.parse(term.op[5:], mode="eval").body
    holes = {f"_{n}": arg for n, arg in enumerate(term.args)}
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Slice):
        return None
    cut, whole = node.slice, node.value
    low = cut.lower
    if cut.upper is not None or cut.step is not None or not isinstance(low, ast.UnaryOp):
        return None
    if not isinstance(low.op, ast.USub) or not isinstance(whole, ast.BinOp):
        return None
    listed = isinstance(whole.op, ast.Add) and isinstance(whole.right, ast.List)
    base = holes.get(whole.left.id) if isinstance(whole.left, ast.Name) else None
    mine = Read(state, ())
    if not listed or base is not mine or list(holes.values()).count(mine) != 1:
        return None
    if len(whole.right.elts) != 1 or isinstance(whole.right.elts[0], ast.Starred):  # type: ignore[attr-defined]
        return None
    if any(isinstance(n, ast.Name) and holes.get(n.id) is mine for n in everything_in(whole.right)):
        return None
    if isinstance(low.operand, ast.Constant) and type(low.operand.value) is int:
        return Const(low.operand.value) if low.operand.value > 0 else None
    if isinstance(low.operand, ast.Name) and low.operand.id not in holes:
        return Read(Value(low.operand.id, (), kind="input"), ())
    return None  # how many are kept differs from step to step


def _with(term: Term, state: Value, kept: Term) -> Term:
    assert isinstance(term, Apply)
    mine = Read(state, ())
    return Apply(term.op, tuple(kept if arg is mine else arg for arg in term.args))
