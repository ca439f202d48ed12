"""The last few elements: a list of which each step appends something and keeps the last k. The
same of a list that is sorted before it is cut: the few largest, or smallest."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

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
    cut = _cut(update, carry.state)
    limit = None if cut is None else cut.limit
    if cut is None or limit is None or dependence.mentions(condition, (carry.state,)):
        return None
    kept = field(carry.name, f"the {cut.words} of the piece, as many as are kept", EMPTY)
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
    both = Apply(f"call:{cut.both}", (kept.left, kept.right, most))
    combine: list[Term] = [both, *(_either(one) for one in fields[1:])]
    if len(fields) > 1:  # two pieces of no elements know no limit
        neither = Apply("is", (most, NONE))
        combine[0] = Apply("where", (neither, kept.left, both))
    finish: Term = kept.left
    if made != "[]":
        finish = Apply(f"call:{made}", (kept.left,))
    return Part(
        (carry.state,), tuple(fields), tuple(updates), tuple(combine), (finish,),
        f"the {cut.words} few elements",
        f"{carry.name} keeps the {cut.words}: of two pieces it is the {cut.words} of both together",
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


@dataclass(frozen=True)
class _Cut:
    """How many elements a list keeps, which ones, and the text that cuts two such lists to them."""

    limit: Term
    words: str
    both: str


def _cut(term: Term, state: Value) -> _Cut | None:
    """How a term cuts the carried list with one more element."""
    if not isinstance(term, Apply) or not term.op.startswith("call:"):
        return None
    node = ast.parse(term.op[5:], mode="eval").body
    holes = {f"_{n}": arg for n, arg in enumerate(term.args)}
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Slice):
        return None
    bounds, whole = node.slice, node.value
    ordered, down = _sorted(whole), False
    if ordered is not None:
        whole, down = ordered
    most = bounds.upper
    last = bounds.upper is None
    if last:
        low = bounds.lower
        if not isinstance(low, ast.UnaryOp) or not isinstance(low.op, ast.USub):
            return None
        most = low.operand
    elif bounds.lower is not None or ordered is None:
        return None
    if most is None or bounds.step is not None or not _one_more(whole, holes, state):
        return None
    limit = _how_many(most, holes)
    if limit is None:
        return None
    words = "last" if ordered is None else "largest" if down != last else "smallest"
    joined = "(_0 + _1)" if ordered is None else f"sorted(_0 + _1{', reverse=True' * down})"
    return _Cut(limit, words, f"{joined}{'[-_2:]' if last else '[:_2]'}")


def _sorted(node: ast.expr) -> tuple[ast.expr, bool] | None:
    """What is sorted, and whether from the largest down."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != "sorted" or len(node.args) != 1:
        return None
    given = {k.arg: k.value for k in node.keywords}
    if given.keys() - {"reverse"}:
        return None
    down = given.get("reverse", ast.Constant(False))
    known = isinstance(down, ast.Constant) and isinstance(down.value, bool)
    return (node.args[0], bool(down.value)) if known else None  # type: ignore[attr-defined]


def _one_more(whole: ast.expr, holes: Mapping[str, Term], state: Value) -> bool:
    """Is it the carried list with one more element behind it?"""
    if not isinstance(whole, ast.BinOp):
        return False
    listed = isinstance(whole.op, ast.Add) and isinstance(whole.right, ast.List)
    base = holes.get(whole.left.id) if isinstance(whole.left, ast.Name) else None
    mine = Read(state, ())
    if not listed or base is not mine or list(holes.values()).count(mine) != 1:
        return False
    if len(whole.right.elts) != 1 or isinstance(whole.right.elts[0], ast.Starred):  # type: ignore[attr-defined]
        return False
    inside = everything_in(whole.right)
    return not any(isinstance(n, ast.Name) and holes.get(n.id) is mine for n in inside)


def _how_many(node: ast.expr, holes: Mapping[str, Term]) -> Term | None:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return Const(node.value) if node.value > 0 else None
    if isinstance(node, ast.Name) and node.id not in holes:
        return Read(Value(node.id, (), kind="input"), ())
    return None  # how many are kept differs from step to step


def _with(term: Term, state: Value, kept: Term) -> Term:
    assert isinstance(term, Apply)
    mine = Read(state, ())
    return Apply(term.op, tuple(kept if arg is mine else arg for arg in term.args))
