"""Uses of a walk, as plain loops: a list of its items, a loop over it, a fold of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from auditor.lift.bound import stored_in
from auditor.plain.array_walks import FOLDED
from auditor.plain.text import Body, Written, append, assign, loads_in, name
from auditor.plain.walks import NoWalk, Walks, evaluated_first, hands_out
from auditor.surroundings.purity import impurity
from auditor.syntax import path_of
from auditor.tree import descendants, everything_in, replaced
from auditor.verdict import Edit


def folds(written: Written) -> Iterator[list[Edit]]:
    """One after the other, each use of a walk in the function as a plain loop."""
    for block, place in written.own():
        statement = block[place]
        for edits in (_for(written, statement), *_expressions(written, block, place)):
            if edits is not None:
                yield edits


def _for(written: Written, node: ast.stmt) -> list[Edit] | None:
    """``for h in states(x): ...`` as the loop of ``states``, with the body where it yields."""
    if not isinstance(node, ast.For) or node.orelse or not isinstance(node.iter, ast.Call):
        return None
    if any(isinstance(n, (ast.Break, ast.Continue, ast.Return)) for n in descendants(node)):
        return None
    walks = Walks(written, set())
    uses = 0

    def sink(item: ast.expr) -> Body:
        nonlocal uses
        uses += 1
        return [ast.Assign([deepcopy(node.target)], item, lineno=0), *deepcopy(node.body)]

    try:
        body = walks.loop(node.iter, sink)
    except NoWalk:
        return None
    read = loads_in(node.iter)
    if uses != 1 or read & (stored_in(node) - stored_in(node.iter)):
        return None
    edit = written.replaced([node], body)
    return None if edit is None else [edit, *_unused(written, node.iter)]


def _unused(written: Written, call: ast.expr) -> list[Edit]:
    """A generator defined in this function that nothing else calls goes."""
    words = {n.id for n in everything_in(call) if isinstance(n, ast.Name)}
    edits: list[Edit] = []
    for node in written.nodes:
        if isinstance(node, ast.FunctionDef) and node.name in words and hands_out(node):
            reads = [n for n in written.nodes if isinstance(n, ast.Name) and n.id == node.name]
            holder = written.parents[node]
            others = [b for b in getattr(holder, "body", []) if b is not node]
            if len(reads) == 1 and others:
                edit = written.replaced([node], [])
                edits += [edit] if edit is not None else []
    return edits


def _expressions(written: Written, block: Body, place: int) -> Iterator[list[Edit] | None]:
    """The walks that a statement evaluates."""
    statement = block[place]
    if not isinstance(statement, (ast.Return, ast.Assign, ast.AnnAssign, ast.Expr)):
        return
    for node in descendants(statement):
        if not isinstance(node, (ast.Call, ast.ListComp, ast.List)):
            continue
        made = _plain(written, statement, node)
        if made is None:
            continue
        body, result = made
        if not evaluated_first(written, statement, node):
            continue
        given = getattr(statement, "value", None)
        target = getattr(statement, "targets", [None])[0]
        rest: Body = []
        taken_over = (
            node is given
            and isinstance(target, ast.Name)
            and isinstance(result, ast.Name)
            and target.id == result.id
        )
        if not taken_over:
            rest = [_with(statement, node, result)]
        edit = written.replaced([statement], [*body, *rest])
        if edit is not None:
            yield [edit, *_unused(written, node)]
        return
    yield _named(written, block, place)


def _named(written: Written, block: Body, place: int) -> list[Edit] | None:
    """``states = accumulate(...)`` that is walked once, further on: put where that happens."""
    statement = block[place]
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    (target, *others) = statement.targets
    if others or not isinstance(target, ast.Name):
        return None
    uses = written.names[target.id]
    if len(uses) != 2 or not _is_walk(written, statement.value):
        return None
    (use,) = [n for n in uses if n is not target]
    later = block[place + 1 :]
    holder = next((s for s in later if any(n is use for n in descendants(s))), None)
    if holder is None or (isinstance(holder, ast.For) and not _within(use, holder.iter)):
        return None
    if isinstance(holder, (ast.While, ast.If, ast.With, ast.Try, ast.FunctionDef)):
        return None
    between = later[: later.index(holder)]
    read = loads_in(statement.value)
    for one in between:
        held = getattr(one, "value", None)
        if not isinstance(one, (ast.Assign, ast.AnnAssign)) or held is None:
            return None
        if impurity(written.module, held) is not None or stored_in(one) & read:
            return None
        if not all(isinstance(t, ast.Name) for t in getattr(one, "targets", [])):
            return None
    dropped = written.replaced([statement], [])
    if dropped is None:
        return None
    return [dropped, written.swapped(use, written.module.source(statement.value))]


def _within(node: ast.AST, outer: ast.AST) -> bool:
    return any(inner is node for inner in descendants(outer))


def _is_walk(written: Written, node: ast.expr) -> bool:
    try:
        Walks(written, set()).loop(node, lambda item: [ast.Expr(item)])
    except NoWalk:
        return False
    return True


def _with(statement: ast.stmt, node: ast.expr, result: ast.expr) -> ast.stmt:
    """A copy of the statement with another expression for ``node``."""

    # The original tree stays as it is: the way down to `node` is copied with it.
    memo: dict[int, object] = {}
    marked = deepcopy(statement, memo)
    copied = memo[id(node)]
    made = replaced(marked, lambda at: result if at is copied else None)
    assert isinstance(made, ast.stmt)
    return made


def _plain(written: Written, statement: ast.stmt, node: ast.expr) -> tuple[Body, ast.expr] | None:
    """The loop that an expression stands for, and the expression of its result."""
    walks = Walks(written, set())
    try:
        if isinstance(node, ast.ListComp):
            return _listed(walks, statement, node, node)
        if isinstance(node, ast.List):
            if len(node.elts) == 1 and isinstance(node.elts[0], ast.Starred):
                return _listed(walks, statement, node.elts[0].value, node)
            return None
        assert isinstance(node, ast.Call)
        path = path_of(written.module, node.func)
        if path == "functools.reduce" and len(node.args) in (2, 3) and not node.keywords:
            return _reduced(walks, statement, node)
        word = node.func.id if isinstance(node.func, ast.Name) else ""
        if word in written.stored or word in written.module.bound:
            word = ""
        walks.folding = word in FOLDED or path == "math.prod"
        if word in ("max", "min") and len(node.args) == 1:
            return _extremum(walks, node, word)
        if node.keywords:
            word = ""
        if word in ("list", "tuple") and len(node.args) == 1:
            body, made = _listed(walks, statement, node.args[0], node)
            return body, made if word == "list" else ast.Call(name("tuple"), [made], [])
        if word == "sum" and len(node.args) in (1, 2):
            return _folded(walks, statement, node, ast.Add())
        if path == "math.prod" and len(node.args) == 1 and not node.keywords:
            return _folded(walks, statement, node, ast.Mult())
        if word in ("any", "all") and len(node.args) == 1:
            return _tested(walks, node, word)
    except NoWalk:
        return None
    return None


def _listed(
    walks: Walks, statement: ast.stmt, node: ast.expr, whole: ast.expr
) -> tuple[Body, ast.expr]:
    """A list of all items."""
    made = _own_name(statement, whole) or walks.written.fresh("items", walks.taken)
    body = walks.loop(node, lambda item: [append(made, item)])
    for place, one in enumerate(body):
        call = one.value if isinstance(one, ast.Expr) else None
        if isinstance(call, ast.Call) and ast.unparse(call.func) == f"{made}.append":
            # what is there before the loop
            body[place] = assign(made, ast.List(call.args, ast.Load()))
            return body, name(made)
        if not isinstance(one, ast.Assign):
            break
    return [assign(made, ast.List([], ast.Load())), *body], name(made)


def _own_name(statement: ast.stmt, whole: ast.expr) -> str | None:
    """The name that the statement gives a value, where that is not made of what it was before."""
    target = getattr(statement, "targets", [None])[0]
    if not isinstance(target, ast.Name) or getattr(statement, "value", None) is not whole:
        return None
    return None if target.id in loads_in(whole) | stored_in(whole) else target.id


def _reduced(walks: Walks, statement: ast.stmt, node: ast.Call) -> tuple[Body, ast.expr]:
    target = getattr(statement, "targets", [None])[0]
    function, source = node.args[:2]
    start = node.args[2] if len(node.args) == 3 else None
    state = None
    if isinstance(target, ast.Name) and statement.value is node:  # type: ignore[attr-defined]
        held = loads_in(source)
        if target.id not in held and not (start is None and target.id in loads_in(node)):
            state = target.id
    try:
        body = walks.fold(function, source, start, state, lambda item: [])
    except NoWalk:
        if state is None:
            raise
        state = None
        body = walks.fold(function, source, start, None, lambda item: [])
    return body, name(_carried(body) if state is None else state)


def _carried(body: Body) -> str:
    """The name that a fold's loop carries: what its last statement binds."""
    last = body[-1]
    while isinstance(last, ast.For):
        last = last.body[-1]
    assert isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name)
    return last.targets[0].id


def _folded(
    walks: Walks, statement: ast.stmt, node: ast.Call, way: ast.operator
) -> tuple[Body, ast.expr]:
    """``sum(walk, start)`` and ``math.prod(walk)``."""
    of_sum = isinstance(way, ast.Add)
    total = _own_name(statement, node) if walks.over_array(node.args[0]) else None
    if total is None:
        total = walks.written.fresh("total" if of_sum else "product", walks.taken)
    start = node.args[1] if len(node.args) == 2 else ast.Constant(0 if of_sum else 1)
    body = walks.loop(node.args[0], lambda item: [assign(total, ast.BinOp(name(total), way, item))])
    return [assign(total, start), *body], name(total)


def _extremum(walks: Walks, node: ast.Call, word: str) -> tuple[Body, ast.expr]:
    """``max(walk)``, ``min(walk, default=v)``. Of no items the loop leaves the worst number where
    the call raises."""
    best = walks.written.fresh("best", walks.taken)
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    if not given.keys() <= {"default"} or not all(map(_simple, given.values())):
        raise NoWalk
    walks.early = walks.early and not given

    def better(item: ast.expr) -> ast.expr:
        return ast.Call(name(word), [name(best), item], [])

    if walks.over_array(node.args[0]):
        if given:
            raise NoWalk
        return walks.after_first(node.args[0], lambda item, at_first: [
            assign(best, item if at_first else better(item))
        ]), name(best)  # fmt: skip
    if not given:
        body = walks.loop(node.args[0], lambda item: [assign(best, better(item))])
        if not _first_outside(body, best):
            worst = ast.Constant("-inf" if word == "max" else "inf")
            body.insert(0, assign(best, ast.Call(name("float"), [worst], [])))
        return body, name(best)
    none = ast.Compare(name(best), [ast.Is()], [ast.Constant(None)])
    body = walks.loop(
        node.args[0],
        lambda item: [assign(best, ast.IfExp(deepcopy(none), item, better(deepcopy(item))))],
    )
    result = ast.IfExp(none, given["default"], name(best))
    return [assign(best, ast.Constant(None)), *body], result


def _first_outside(body: Body, best: str) -> bool:
    """Whether a walk hands out an item before its loop, of which ``best`` then is made."""
    for place, one in enumerate(body):
        if not isinstance(one, ast.Assign):
            return False
        if isinstance(one.targets[0], ast.Name) and one.targets[0].id == best:
            assert isinstance(one.value, ast.Call)
            body[place] = assign(best, one.value.args[1])
            return True
    return False


def _simple(node: ast.expr) -> bool:
    """What may be evaluated later: a number or a name, and either with its sign."""
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, (ast.Constant, ast.Name))


def _tested(walks: Walks, node: ast.Call, word: str) -> tuple[Body, ast.expr]:
    """``any(walk)`` and ``all(walk)``, with all items looked at."""
    made = walks.written.fresh("found" if word == "any" else "every", walks.taken)
    operator = ast.Or() if word == "any" else ast.And()

    def sink(item: ast.expr) -> Body:
        truth = item
        if not isinstance(item, ast.Compare):
            truth = ast.Call(name("bool"), [item], [])
        return [assign(made, ast.BoolOp(operator, [name(made), truth]))]

    walks.early = False
    body = walks.loop(node.args[0], sink)
    return [assign(made, ast.Constant(word == "all")), *body], name(made)
