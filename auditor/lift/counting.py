"""``while`` loops that count, and loops that stop when nothing more can change."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.lift import extents
from auditor.lift.arrays import Unsupported
from auditor.lift.dtypes import WHOLE
from auditor.lift.objects import Iteration, Obj
from auditor.lift.stored import stored_names
from auditor.notation import ONE, Apply, Const, Index, Read, Symbol, Term, Value, walk
from auditor.tree import descendants, everything_in

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter
    from auditor.lift.loops import Loop


_OF_INTEGERS = frozenset("add sub mul neg abs floordiv mod min max".split())


def counter(lifter: Lifter, node: ast.While, env: Env) -> tuple[str, Iteration] | None:
    """``while i < n`` with one unconditional ``i += 1``; ``while n`` with ``n -= 1``, which
    ends where n is not negative."""
    test = node.test
    if isinstance(test, ast.Name):
        zero = ast.copy_location(ast.Constant(0), test)
        test = ast.Compare(test, [ast.NotEq()], [zero])
    if not (
        isinstance(test, ast.Compare)
        and len(test.ops) == 1
        and isinstance(test.left, ast.Name)
        and isinstance(test.ops[0], (ast.Lt, ast.LtE, ast.GtE, ast.Gt, ast.NotEq))
    ):
        return None
    name, op = test.left.id, test.ops[0]
    start = env.get(name)
    if not isinstance(start, Value) or start.axes or start.dtype != "int":
        return None
    stride = _stride(node.body, name)
    if stride not in (1, -1):
        return None
    if not isinstance(op, ast.NotEq) and (stride > 0) != isinstance(op, (ast.Lt, ast.LtE)):
        return None
    bound_names = {n.id for n in descendants(test.comparators[0]) if isinstance(n, ast.Name)}
    if bound_names & set(stored_names(node.body)):
        return None
    try:
        bound = lifter.as_value(lifter.eval(test.comparators[0], env))
        _take_for_integer(lifter, bound, test.comparators[0])
        stop = lifter.as_size(bound)
    except Unsupported:
        return None
    first = lifter.ops.element(start, ())
    length = extents.mul(Const(stride), extents.sub(stop, first))
    if isinstance(op, (ast.LtE, ast.GtE)):
        length = extents.add(length, ONE)

    def element(step: Term) -> Obj:
        return lifter.ops.scalar(extents.add(first, extents.mul(Const(stride), step)))

    return name, Iteration(length, element)


def _take_for_integer(lifter: Lifter, bound: Value, node: ast.expr) -> None:
    """Note what a bound is taken for. Once that is learnt it is read as an integer, and what was
    assumed stays. Raises ``Unsupported`` where it is none."""
    place, counted = lifter.module.span(node), lifter.facts.counted
    if not _may_be_whole(bound):
        counted.pop(place, None)
        raise Unsupported(f"`{bound.name}` may be no integer")
    taken = sorted({f"`{leaf.name}`" for leaf in _untyped(bound)})
    what = "is an integer" if len(taken) == 1 else "are integers"
    counted.setdefault(place, f"{' and '.join(taken)} {what}" if taken else None)


def _may_be_whole(bound: Value) -> bool:
    """Whether a bound is an integer if what it is made of is. A comparison, unlike a range, takes
    any number."""
    if bound.dtype in WHOLE or bound.body is None:
        return bound.dtype is None or bound.dtype in WHOLE
    return _stays_whole(bound.body)


def _stays_whole(term: Term) -> bool:
    if isinstance(term, Apply):
        return term.op in _OF_INTEGERS and all(map(_stays_whole, term.args))
    if isinstance(term, Read):
        return _may_be_whole(term.value)
    return isinstance(term, (Symbol, Index)) or (
        isinstance(term, Const) and isinstance(term.value, int)
    )


def _untyped(bound: Value) -> list[Value]:
    """What a bound is made of of which nothing says that it is an integer."""
    if bound.dtype in WHOLE:
        return []
    if bound.body is None:
        return [bound]
    reads = (node.value for node in walk(bound.body) if isinstance(node, Read))
    return [leaf for value in reads for leaf in _untyped(value)]


def _stride(body: list[ast.stmt], name: str) -> int:
    """The step of the only assignment to a counter, 0 when there is another."""
    found = 0
    for statement in body:
        for inner in descendants(statement):
            if (
                isinstance(inner, ast.Name)
                and isinstance(inner.ctx, ast.Store)
                and inner.id == name
            ):
                if found:
                    return 0
                found = _by_one(statement, name)
                if not found:
                    return 0
    return found


def _by_one(statement: ast.stmt, name: str) -> int:
    """1 of ``i += 1`` and ``i = i + 1``, -1 of ``i -= 1`` and ``i = i - 1``, else 0."""
    target: ast.expr
    if isinstance(statement, ast.AugAssign):
        target, op, sides = statement.target, statement.op, [statement.value]
    elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.BinOp):
        whole = statement.value
        (target, *others), op = statement.targets, whole.op
        sides = [side for side in (whole.left, whole.right)
                 if not (isinstance(side, ast.Name) and side.id == name)]  # fmt: skip
        if others or (isinstance(op, ast.Sub) and sides[:1] != [whole.right]):
            return 0
    else:
        return 0
    if not (isinstance(target, ast.Name) and target.id == name and len(sides) == 1):
        return 0
    (side,) = sides
    if not (isinstance(side, ast.Constant) and side.value == 1 and type(side.value) is int):
        return 0
    return 1 if isinstance(op, ast.Add) else -1 if isinstance(op, ast.Sub) else 0


def stops_when_settled(loop: Loop) -> bool:
    """Whether the only way out is ``if c: found = True; break``: going on would change nothing."""
    *before, last = loop.node.body if isinstance(loop.node, (ast.For, ast.While)) else [None]
    if not isinstance(last, ast.If) or last.orelse or not isinstance(last.body[-1], ast.Break):
        return False
    names: set[str] = set()
    for statement in last.body[:-1]:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Constant):
            return False
        names.update(t.id for t in statement.targets if isinstance(t, ast.Name))
    others = [inner for statement in before if statement for inner in everything_in(statement)]
    return (
        not any(isinstance(inner, ast.Break) for inner in others)
        and loop.states.keys() <= names
        and not names & {n.id for n in others if isinstance(n, ast.Name)}
        and not loop.arrays
    )
