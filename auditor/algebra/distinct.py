"""Elements that were not there before: kept in the order in which they come, or counted."""

from __future__ import annotations

import ast
from collections.abc import Callable

from auditor.algebra.choices import leaves, settled
from auditor.algebra.monoid import Field, Part, field, renamed, start_of
from auditor.algebra.semirings import SUMS
from auditor.algebra.sequences import EMPTY
from auditor.algebra.states import Dependence
from auditor.notation import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Apply,
    Carry,
    Read,
    Term,
    Value,
    transform,
    walk,
)
from auditor.tree import everything_in

_NEW = "call:[_x for _x in _0 if _x not in _1]"
_HOW_MANY = "call:len(_0 - _1)"
_SHARED = "call:not _0.isdisjoint(_1)"
_APART = "call:_0.isdisjoint(_1)"
_HOW_MANY_SHARED = "call:len(_0 & _1)"
_NO_SET = Read(Value("set()", (), kind="input"), ())


def distinct(carries: list[Carry], dependence: Dependence) -> Part | None:
    """A list or a set of which a step asks whether it holds its element, and what changes where it
    does not."""
    asked = {one for c in carries for node in walk(c.update) if (one := _question(node))}
    if len(asked) != 1:
        return None
    state, element = next(iter(asked))
    seen = next((carry for carry in carries if carry.state is state), None)
    if seen is None or not isinstance(seen.init, Read):
        return None
    added = {"[]": ("concat", f"[{element}]"), "set()": ("union", f"{{{element}}}")}
    if seen.init.value.name not in added:
        return None
    op, text = added[seen.init.value.name]
    guard, new = _guarded(_held(seen, False), seen)
    if not _adds(new, seen, op, text) or dependence.mentions(guard, {c.state for c in carries}):
        return None
    for leaf in leaves(_held(seen, True)):
        if leaf is not Read(state, ()) and (op == "concat" or not _adds(leaf, seen, op, text)):
            return None
    mine = field(seen.name, f"{seen.name} of the piece alone", EMPTY if op == "concat" else _NO_SET)
    both = Apply("union", (mine.left, mine.right)) if op == "union" else _joined(mine, mine)
    fields, combine, finish = [mine], [both], [mine.left]
    for carry in carries:
        if carry is seen:
            continue
        again_guard, update = _guarded(_held(carry, True), carry)
        again = _again(carry, update) if op == "union" and again_guard is guard else None
        if again is not None and _held(carry, False) is Read(carry.state, ()):
            own, joined, start = again
            fields.append(own)
            combine.append(joined(own, mine))
            finish.append(start)
            continue
        own_guard, change = _guarded(_held(carry, False), carry)
        if _held(carry, True) is not Read(carry.state, ()) or own_guard is not guard:
            return None
        own = field(carry.name, f"{carry.name} of the piece alone", ZERO)
        if _adds(change, carry, "concat", f"[{element}]"):
            own = field(own.name, own.meaning, EMPTY)
            combine.append(_joined(own, mine))
            finish.append(_started(carry, own))
        elif op == "union" and change is Apply("add", (Read(carry.state, ()), ONE)):
            more = Apply(_HOW_MANY, (mine.right, mine.left))
            combine.append(Apply("add", (own.left, more)))
            finish.append(SUMS.add(start_of(carry), own.left))
        else:
            return None
        fields.append(own)
    order = [seen, *(carry for carry in carries if carry is not seen)]
    by: dict[Value, Term] = {c.state: f.left for c, f in zip(order, fields, strict=True)}
    return Part(
        tuple(carry.state for carry in order), tuple(fields),
        tuple(renamed(carry.update, by) for carry in order), tuple(combine), tuple(finish),
        "the distinct elements",
        f"a step changes something where {seen.name} does not hold its element: of two pieces the "
        "later one adds what the earlier one does not hold",
        "exact",
    )  # fmt: skip


def _again(carry: Carry, update: Term) -> tuple[Field, Callable[[Field, Field], Term], Term] | None:
    """What a step changes where the element is held already, as a component: a flag that is
    turned, or a count."""
    if carry.init in (TRUE, FALSE) and update is (FALSE if carry.init is TRUE else TRUE):
        rises = carry.init is FALSE
        own = field(carry.name, f"{carry.name} of the piece alone", carry.init)

        def turned(own: Field, seen: Field) -> Term:
            op, text = ("or", _SHARED) if rises else ("and", _APART)
            both = Apply(op, (own.left, own.right))
            return Apply(op, (both, Apply(text, (seen.left, seen.right))))

        return own, turned, own.left
    if update is Apply("add", (Read(carry.state, ()), ONE)):
        own = field(carry.name, f"{carry.name} of the piece alone", ZERO)

        def counted(own: Field, seen: Field) -> Term:
            both = Apply("add", (own.left, own.right))
            return Apply("add", (both, Apply(_HOW_MANY_SHARED, (seen.left, seen.right))))

        return own, counted, SUMS.add(start_of(carry), own.left)
    return None


def _question(node: Term) -> tuple[Value, str] | None:
    """Of what it is asked whether it holds which element."""
    if not isinstance(node, Apply) or not node.op.startswith("call:"):
        return None
    if not all(isinstance(arg, Read) for arg in node.args):
        return None
    holes = {f"_{n}": arg.value for n, arg in enumerate(node.args) if isinstance(arg, Read)}
    asked = ast.parse(node.op[5:], mode="eval").body
    if not isinstance(asked, ast.Compare) or not isinstance(asked.ops[0], (ast.In, ast.NotIn)):
        return None
    into = asked.comparators[0]
    held = holes.get(into.id) if isinstance(into, ast.Name) else None
    if held is None or held.kind != "state" or len(asked.ops) != 1:
        return None
    parts = [n for n in everything_in(asked.left) if isinstance(n, ast.Name) and n.id in holes]
    if any(holes[part.id].kind == "state" for part in parts):
        return None
    for part in parts:
        part.id = holes[part.id].name
    return held, ast.unparse(asked.left)


def _held(carry: Carry, held: bool) -> Term:
    """What becomes of a value where the element is held already, or is not."""

    def change(node: Term) -> Term:
        if _question(node) is None:
            return node
        assert isinstance(node, Apply)
        return TRUE if held == (" not in " not in node.op) else FALSE

    update, mine = settled(transform(carry.update, change), {}), Read(carry.state, ())
    settles: dict[Term, Term] = {
        Apply("or", (mine, TRUE)): TRUE, Apply("or", (mine, FALSE)): mine,
        Apply("and", (mine, FALSE)): FALSE, Apply("and", (mine, TRUE)): mine,
    }  # fmt: skip
    return settles.get(update, update) if carry.init in (TRUE, FALSE) else update


def _guarded(term: Term, carry: Carry) -> tuple[Term, Term]:
    """When a value changes, and to what."""
    mine = Read(carry.state, ())
    if isinstance(term, Apply) and term.op == "where":
        if term.args[2] is mine:
            return term.args[0], term.args[1]
        if term.args[1] is mine:
            return Apply("not", (term.args[0],)), term.args[2]
    return TRUE, term


def _adds(term: Term, carry: Carry, op: str, text: str) -> bool:
    """Is nothing but the element put into a list or a set?"""
    if not isinstance(term, Apply) or term.op != op or term.args[0] is not Read(carry.state, ()):
        return False
    added = term.args[1]
    return isinstance(added, Read) and added.value.name == text


def _joined(own: Field, seen: Field) -> Term:
    return Apply("concat", (own.left, Apply(_NEW, (own.right, seen.left))))


def _started(carry: Carry, own: Field) -> Term:
    fresh = isinstance(carry.init, Read) and carry.init.value.name == "[]"
    return own.left if fresh else Apply("concat", (start_of(carry), own.left))
