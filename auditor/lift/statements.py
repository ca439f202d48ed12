"""Statements: a function body is read in order into named values."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.lift import attempts, conditions, contents, sharing
from auditor.lift.arrays import Unsupported
from auditor.lift.bound import names_bound
from auditor.lift.call_effects import Does, does
from auditor.lift.dtypes import PYTHON_SCALARS
from auditor.lift.forgotten import forget, forget_others
from auditor.lift.loop_arrays import join_writes, put_back, written_so_far
from auditor.lift.managers import swallows
from auditor.lift.objects import Cell, Collected, Growing, Named, Obj, Sequence, Unknown, Written
from auditor.lift.selected import selected
from auditor.lift.stored import LIST_METHODS
from auditor.lift.stores import store
from auditor.notation import Apply, Const, Value
from auditor.syntax import path_of
from auditor.tree import children, descendants

if TYPE_CHECKING:
    from auditor.lift.lifter import Env, Lifter

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def block(lifter: Lifter, body: list[ast.stmt], env: Env) -> bool:
    """Execute statements; False when control does not reach their end."""
    from auditor.lift.reading import mark, resumed

    if lifter.depth:
        return _in_turn(lifter, body, env, lambda: None)
    if body and (place := lifter.order.get(body[0])) is not None:
        places = itertools.count(place)
        return _in_turn(lifter, body, env, lambda: mark(lifter, next(places), env))
    return resumed(lifter, body, env, _in_turn)


def _in_turn(lifter: Lifter, body: list[ast.stmt], env: Env, reach: Callable[[], None]) -> bool:
    """Execute statements; ``reach`` is called before each."""
    for position, statement in enumerate(body):
        if lifter.depth == 0:
            lifter.scopes[statement] = dict(env)
        reach()
        if isinstance(statement, ast.If):
            return _if(lifter, statement, body[position + 1 :], env)
        if not _statement(lifter, statement, env):
            return False
        if lifter.stale:  # in what an expression or a loop has of the names as well
            contents.refresh(lifter, env)
    return True


def _statement(lifter: Lifter, node: ast.stmt, env: Env) -> bool:
    if isinstance(node, ast.Assign):
        _assign(lifter, node.targets, node.value, env)
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None:
            _assign(lifter, [node.target], node.value, env)
    elif isinstance(node, ast.AugAssign):
        _augmented(lifter, node, env)
    elif isinstance(node, ast.Expr):
        _expression(lifter, node, env)
    elif isinstance(node, (ast.For, ast.While)):
        from auditor.lift import loops

        loops.lift(lifter, node, env)
    elif isinstance(node, ast.Return):
        value: Obj = Named("None")
        if node.value is not None:
            value = lifter.eval(node.value, env)
        lifter.returns.append((node, value))
        if lifter.active and not lifter.depth:
            lifter.effect("exit", "returns from inside it", node)
        return False
    elif isinstance(node, (ast.Break, ast.Raise)):
        word = "may end early" if isinstance(node, ast.Break) else "raises"
        lifter.effect("exit" if isinstance(node, ast.Break) else "exception", word, node)
        return False
    elif isinstance(node, ast.Continue):
        return False
    elif isinstance(node, ast.Assert):
        conditions.asks(lifter, node.test)
        lifter.eval(node.test, env)
        lifter.learn_from_assert(node.test)
        lifter.effect("exception", "asserts", node)
    elif isinstance(node, _DEFINITIONS):
        _define(lifter, node, env)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        _imported(lifter, node, env)
    elif isinstance(node, ast.Pass):
        pass
    elif isinstance(node, ast.With) and not swallows(lifter.module, node):
        return _with(lifter, node, env)
    elif isinstance(node, ast.Try) and not lifter.active and attempts.only_raises(node):
        for part in (*node.handlers, *node.finalbody):
            _calls_unread(lifter, part)
        return attempts.attempt(lifter, node, env, block)
    elif isinstance(node, ast.Match) and not lifter.active and attempts.plain_cases(node):
        return attempts.cases(lifter, node, env, _branch)
    else:
        name = type(node).__name__.lower()
        kind = "exception" if name in ("try", "with") else "call"
        lifter.effect(kind, f"has a `{name}` statement", node)
        if kind == "exception":
            _calls_unread(lifter, node)
        forget(node, env, f"assigned in a `{name}` statement", lifter)
    return True


def _calls_unread(lifter: Lifter, node: ast.AST) -> None:
    """Note the calls of a statement that is not read which may do anything; what is raised is no
    more than an exception."""
    every = descendants(node)
    raised = {inner for one in every if isinstance(one, ast.Raise) for inner in descendants(one)}
    for part in every:
        if isinstance(part, ast.Call) and part not in raised:
            if does(lifter.module, part) in (Does.WRITES, Does.ANYTHING):
                lifter.effect("call", f"calls `{lifter.module.brief(part.func, 60)}`", part)


def _define(
    lifter: Lifter, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, env: Env
) -> None:
    from auditor.lift.objects import Function

    for default in _evaluated_at(node):
        lifter.eval(default, env)
    if isinstance(node, ast.ClassDef):
        _executed_at(lifter, node, env)
    if isinstance(node, ast.FunctionDef) and not node.decorator_list:
        env[node.name] = Function(node, env)
    else:
        env[node.name] = Unknown(f"`{node.name}` is defined here", lifter.module.span(node))


def _imported(lifter: Lifter, node: ast.Import | ast.ImportFrom, env: Env) -> None:
    """A name that is imported stands for nothing that it stood for before."""
    for name in names_bound(node):
        if name in env:
            env[name] = Unknown(f"`{name}` is imported here", lifter.module.span(node))


def _executed_at(lifter: Lifter, node: ast.ClassDef, env: Env) -> None:
    """What stands in a class besides definitions is executed where the class stands."""
    for statement in node.body:
        plain = isinstance(statement, (*_DEFINITIONS, ast.Pass))
        if not plain and any(isinstance(one, ast.expr) for one in children(statement)):
            if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Constant):
                _calls_unread(lifter, statement)
                contents.by_text(lifter, statement, env)


def _evaluated_at(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
) -> list[ast.expr]:
    """What a definition evaluates where it stands."""
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases]
    defaults = (default for default in node.args.kw_defaults if default is not None)
    return [*node.decorator_list, *node.args.defaults, *defaults]


def _with(lifter: Lifter, node: ast.With, env: Env) -> bool:
    for item in node.items:
        lifter.eval(item.context_expr, env)
        if item.optional_vars is not None:
            forget(item.optional_vars, env, "bound by a `with` statement", lifter)
            for part in descendants(item.optional_vars):
                if isinstance(part, ast.Name) and isinstance(held := env.get(part.id), Unknown):
                    sharing.lies_beneath(lifter, held, item.context_expr)
    lifter.effect("exception", "has a `with` statement", node)
    before = dict(env)
    reached = block(lifter, node.body, env)
    if any(_stops_gradients(item.context_expr) for item in node.items):
        for name, obj in env.items():
            if isinstance(obj, Value) and before.get(name) is not obj:
                env[name] = _detached(lifter, obj)
    return reached


def _stops_gradients(context: ast.expr) -> bool:
    return ast.unparse(context).split("(")[0].split(".")[-1] in ("no_grad", "inference_mode")


def _detached(lifter: Lifter, value: Value) -> Value:
    """What a value is outside of a block that records no gradients."""
    if value.kind != "derived" or not value.axes or value.library == "python":
        return value
    axes = lifter.ops.fresh(value.axes)
    body = Apply("call:detach", (lifter.ops.element(value, axes),))
    return Value(value.name, axes, body, value.dtype, "derived", value.library, value.span)


def _assign(lifter: Lifter, targets: list[ast.expr], source: ast.expr, env: Env) -> None:
    grown = _joined(lifter, targets, source, env)
    if grown is not None:
        lifter.bind(targets[0], grown, env)
        return
    obj = lifter.eval(source, env)
    if _runs_dry(source) and not lifter.depth and _used_again(lifter, targets[0]):
        obj = Unknown("what can be walked only once is used more than once",
                      lifter.module.span(source))  # fmt: skip
        sharing.remember(lifter, source, obj)
    for target in targets:
        store(lifter, target, selected(lifter, target, source, env) or obj, env)


def _joined(lifter: Lifter, targets: list[ast.expr], source: ast.expr, env: Env) -> Growing | None:
    """``out = out + [h]`` and ``out = [h, *out]``: the list with another item at an end."""
    (target, *others) = targets
    if others or not isinstance(target, ast.Name) or not isinstance(env.get(target.id), Growing):
        return None
    parts: list[ast.expr] = []
    if isinstance(source, ast.BinOp) and isinstance(source.op, ast.Add):
        parts = [source.left, source.right]
    elif isinstance(source, ast.List) and len(source.elts) == 2:
        parts = [e.value if isinstance(e, ast.Starred) else ast.List([e], ast.Load())
                 for e in source.elts]  # fmt: skip
    at = [p for p, part in enumerate(parts) if isinstance(part, ast.Name) and part.id == target.id]
    if len(at) != 1:
        return None
    held, new = parts[at[0]], parts[1 - at[0]]
    if not isinstance(new, ast.List) or len(new.elts) != 1:
        return None
    if isinstance(new.elts[0], ast.Starred):
        return None
    lifter.eval(held, env)
    item = lifter.eval(new.elts[0], env)
    holder = env[target.id]
    if not isinstance(item, Value) or not isinstance(holder, Growing):
        return None
    lifter.stored.add(item)
    if at[0] == 0:
        return replace(holder, back=(*holder.back, item))
    return replace(holder, front=(item, *holder.front))


def _runs_dry(source: ast.expr) -> bool:
    """Whether an expression makes something that can be walked only once."""
    if isinstance(source, ast.GeneratorExp):
        return True
    if not isinstance(source, ast.Call):
        return False
    function = source.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in _ITERATORS


_ITERATORS = ("iter", "zip", "map", "filter", "enumerate", "reversed", "accumulate", "chain",
              "islice", "pairwise", "takewhile", "dropwhile")  # fmt: skip


def _used_again(lifter: Lifter, target: ast.expr) -> bool:
    """Whether a name is read at several places, or by a loop that runs it again."""
    if not isinstance(target, ast.Name):
        return False  # taken apart at once
    inner = [node for statement in lifter.order for node in descendants(statement)]
    reads = [node for node in inner if isinstance(node, ast.Name) and node.id == target.id
             and isinstance(node.ctx, ast.Load)]  # fmt: skip
    if len(reads) != 1:
        return len(reads) > 1
    for loop in inner:
        if isinstance(loop, (ast.For, ast.While)):
            within = [node for part in loop.body for node in descendants(part)]
            if reads[0] in within and target not in within:
                return True
    return False


def _augmented(lifter: Lifter, node: ast.AugAssign, env: Env) -> None:
    if isinstance(node.target, ast.Subscript):
        plain = ast.copy_location(ast.BinOp(_as_load(node.target), node.op, node.value), node)
        chosen = selected(lifter, node.target, plain, env)
        if chosen is not None:
            store(lifter, node.target, chosen, env)
            return
    left = lifter.values[node.target] = lifter.eval(_as_load(node.target), env)
    right = lifter.eval(node.value, env)
    if isinstance(left, Growing) and isinstance(right, Sequence) and isinstance(node.op, ast.Add):
        try:
            items = tuple(lifter.as_value(item) for item in right.items)
        except Unsupported as problem:
            lifter.bind(node.target, Unknown(str(problem), lifter.module.span(node)), env)
            return
        lifter.bind(node.target, replace(left, back=(*left.back, *items)), env)
        return
    try:
        lifter.here(node.target)
        result = lifter.binary(node.op, left, right)
    except Unsupported as problem:
        result = Unknown(str(problem), lifter.module.span(node), f"line {node.lineno}")
        lifter.origins.anything(lifter, result)
    if isinstance(node.target, ast.Name) and isinstance(left, Value):
        result = _keeps_dtype(lifter, left, result, node)
        if isinstance(right, Value) and _floats_differ(left, right):
            lifter.effect("mutation", f"changes `{left.name}` in place to {left.dtype}", node)
        lifter.in_place(node, left, result, env)
    elif isinstance(node.target, ast.Name):
        _changed_as_a_whole(lifter, node, node.target, left, env)
    store(lifter, node.target, result, env)


def _changed_as_a_whole(
    lifter: Lifter, node: ast.AugAssign, target: ast.Name, held: Obj, env: Env
) -> None:
    """``y += 1`` where ``y`` is what a loop writes, or may lie in the memory of something."""
    memory = contents.memory_of(lifter, [node.target])
    if isinstance(held, (Sequence, Growing, Collected)):
        forget_others(lifter, target.id, held, node, env)
    if isinstance(held, (Written, Cell)) or memory:
        lifter.effect("mutation", f"changes `{target.id}` in place", node)
        lifter.overwritten.append((memory, lifter.module.span(node)))
        contents.written(lifter, node, memory, env)


def _floats_differ(old: Value, other: Value) -> bool:
    """Whether what an array is changed by is certainly of another floating-point type."""
    known = (old.dtype or "", other.dtype or "")
    return (
        old.library in ("torch", "numpy")
        and other.library in ("torch", "numpy")
        and all("float" in dtype and " " not in dtype for dtype in known)
        and known[0] != known[1]
    )


def _keeps_dtype(lifter: Lifter, old: Value, new: Obj, node: ast.AST) -> Obj:
    """An array changed in place keeps its dtype."""
    if not isinstance(new, Value) or old.library == "python" or old.dtype in PYTHON_SCALARS:
        return new
    # A number of NumPy is bound anew; a tensor without axes is changed.
    if (not old.axes and old.library != "torch") or new.dtype == old.dtype is not None:
        return new
    if new.dtype is not None and old.dtype is not None:
        lifter.effect("mutation", f"changes `{old.name}` in place to {old.dtype}", node)
    elif lifter.active:
        name = old.name
        lifter.facts.assume(f"dtype of {name}", f"what changes `{name}` in place has its dtype")
    return replace(new, dtype=old.dtype)


def _as_load(target: ast.expr) -> ast.expr:
    """The target of an augmented assignment as an expression to read."""
    if isinstance(target, ast.Name):
        made: ast.expr = ast.Name(target.id, ast.Load())
    elif isinstance(target, ast.Subscript):
        made = ast.Subscript(target.value, target.slice, ast.Load())
    else:
        assert isinstance(target, ast.Attribute)
        made = ast.Attribute(target.value, target.attr, ast.Load())
    return ast.copy_location(made, target)


def _expression(lifter: Lifter, node: ast.Expr, env: Env) -> None:
    call = node.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        base = call.func.value
        if isinstance(base, ast.Name) and call.func.attr == "reverse" and not call.args:
            holder = env.get(base.id)
            if isinstance(holder, Collected):
                env[base.id] = holder.backwards()
                return
        if isinstance(base, ast.Name) and call.func.attr in LIST_METHODS:
            holder = env.get(base.id)
            if isinstance(holder, (Growing, Sequence)):
                env[base.id] = _grow(lifter, holder, call, env)
                forget_others(lifter, base.id, holder, call, env)
                return
        call = _as_method(lifter, call)
        assert isinstance(call.func, ast.Attribute)
        base = call.func.value
        if isinstance(base, ast.Name) and call.func.attr.endswith("_"):
            holder = env.get(base.id)
            if isinstance(holder, (Value, Written)):
                _in_place_method(lifter, call, base, env)
                return
        if call.func.attr.endswith("_") and not call.func.attr.startswith("_"):
            _part_changed(lifter, base, call, env)
    lifter.eval(call, env)
    if isinstance(call, ast.Call) and _sorts_in_place(lifter, call):
        lifter.effect("mutation", f"calls `{lifter.module.brief(call.func, 60)}`", call)
        contents.after_call(lifter, call, env, True)


def _sorts_in_place(lifter: Lifter, call: ast.Call) -> bool:
    """``x.sort()`` of an array of NumPy, or of a list whose items are known one by one."""
    if (
        not isinstance(call.func, ast.Attribute)
        or does(lifter.module, call, True) is not Does.WRITES
    ):
        return False
    held = lifter.values.get(call.func.value)
    return isinstance(held, Sequence) or (isinstance(held, Value) and held.library == "numpy")


def _as_method(lifter: Lifter, call: ast.Call) -> ast.Call:
    """``np.fill_diagonal(x, v)`` as ``x.fill_diagonal_(v)``."""
    if path_of(lifter.module, call.func) != "numpy.fill_diagonal" or not call.args:
        return call
    method = ast.copy_location(ast.Attribute(call.args[0], "fill_diagonal_", ast.Load()), call.func)
    return ast.copy_location(ast.Call(method, call.args[1:], call.keywords), call)


def _part_changed(lifter: Lifter, part: ast.expr, call: ast.Call, env: Env) -> None:
    """``x[0].zero_()``, ``x.data.mul_(2)``: what shares the memory of a part is changed."""
    if isinstance(part, ast.Attribute) and part.attr == "data":
        part = part.value
    held = lifter.eval(part, env)
    if isinstance(held, Value):
        lifter.overwritten.append((lifter.memory(held), lifter.module.span(call)))


def _grow(lifter: Lifter, holder: Growing | Sequence, call: ast.Call, env: Env) -> Obj:
    """``list.append`` and its relatives."""
    assert isinstance(call.func, ast.Attribute)
    args = [lifter.eval(arg, env) for arg in call.args]
    method = call.func.attr
    for arg in args:
        if isinstance(arg, Value):
            lifter.stored.add(arg)
    at_front = method == "appendleft"
    if method == "insert" and len(args) == 2:
        first = args[0]
        if isinstance(first, Value) and isinstance(first.body, Const) and first.body.value == 0:
            at_front = True
            args = args[1:]
        else:
            return Unknown("items are inserted in the middle", lifter.module.span(call))
    if method == "extend" or len(args) != 1:
        return Unknown("the list is extended", lifter.module.span(call))
    if isinstance(holder, Sequence):
        items = (args[0], *holder.items) if at_front else (*holder.items, args[0])
        return Sequence(items, holder.kind)
    try:
        if isinstance(args[0], Collected):
            item = lifter.row(args[0])
            lifter.effect("lists", f"puts lists into `{holder.name}`", call)
            holder = replace(holder, rows=True)
        else:
            item = lifter.as_value(args[0])
    except Unsupported as problem:
        return Unknown(str(problem), lifter.module.span(call))
    if at_front:
        return replace(holder, front=(item, *holder.front))
    return replace(holder, back=(*holder.back, item))


def _in_place_method(lifter: Lifter, call: ast.Call, base: ast.Name, env: Env) -> None:
    """``x.add_(y)``: a new version of x, and a write that other names may see."""
    assert isinstance(call.func, ast.Attribute)
    holder = env[base.id]
    if isinstance(holder, Written):
        lifter.effect("mutation", f"writes `{base.id}` as a whole", call)
        return
    plain = ast.copy_location(
        ast.Call(
            ast.copy_location(
                ast.Attribute(call.func.value, call.func.attr.rstrip("_"), ast.Load()), call.func
            ),
            call.args,
            call.keywords,
        ),
        call,
    )
    result = lifter.eval(plain, env)
    assert isinstance(holder, Value)
    if isinstance(result, Unknown):
        lifter.effect("mutation", f"writes `{base.id}` in place", call)
    result = _keeps_dtype(lifter, holder, result, call)
    lifter.in_place(call, holder, result, env)
    lifter.bind(base, result, env)


def _if(lifter: Lifter, node: ast.If, rest: list[ast.stmt], env: Env) -> bool:
    """A conditional and what follows it. A branch that does not reach its end (``continue``,
    ``return``) leaves the rest to the other branch."""
    try:
        test = conditions.asked(lifter, node.test, env)
    except Unsupported as problem:
        span = lifter.module.span(node.test)
        test = Value(ast.unparse(node.test), (), None, "bool", "free", "python", span)
        lifter.origins.made(lifter, node.test, test, env)
        del problem
    if isinstance(test.body, Const):
        chosen = node.body if test.body.value else node.orelse
        return block(lifter, chosen, env) and block(lifter, rest, env)
    then, otherwise = dict(env), dict(env)
    before = written_so_far(lifter)
    lifter.branches += 1
    lifter.joined.append(True)
    reached_then = _branch(lifter, node.body, then)
    after_then = written_so_far(lifter)
    put_back(before)
    reached_else = _branch(lifter, node.orelse, otherwise)
    lifter.joined.pop()
    lifter.branches -= 1
    join_writes(lifter, node, test, before, after_then, reached_then and reached_else)
    if not reached_then and not reached_else:
        return False
    if reached_then and reached_else:
        _join(lifter, node, test, then, otherwise, env)
        return block(lifter, rest, env)
    if not lifter.active and not lifter.skipping:
        # A return or raise on one path: what follows runs only on the other.
        if len(node.body) == 1 and isinstance(node.body[0], ast.Raise) and not lifter.branches:
            lifter.learn_from_raise(node.test)
        env.clear()
        env.update(then if reached_then else otherwise)
        return block(lifter, rest, env)
    # `continue`: the rest of the body runs on one path only, then both meet.
    lifter.branches += 1
    lifter.joined.append(False)
    block(lifter, rest, then if reached_then else otherwise)
    lifter.joined.pop()
    lifter.branches -= 1
    _join(lifter, node, test, then, otherwise, env)
    return True


def _branch(lifter: Lifter, body: list[ast.stmt], env: Env) -> bool:
    """The statements of one branch. Shapes that contradict each other there say nothing about the
    rest of the function, which runs without it: what was learnt from them is forgotten."""
    facts = lifter.facts
    if facts.suspect is not None or lifter.active or not body:
        return block(lifter, body, env)
    before, equalities, loops = dict(env), facts.equalities(), len(lifter.loops)
    reached = block(lifter, body, env)
    if facts.suspect is None:
        return reached
    for loop in lifter.loops[loops:]:
        loop.doubt = facts.suspect
    doubtful = Unknown(f"the shapes are not certain: {facts.suspect}", lifter.module.span(body[0]))
    env.update({name: doubtful for name, obj in env.items() if before.get(name) is not obj})
    facts.restore(equalities)
    return reached


def _join(lifter: Lifter, node: ast.If, test: Value, then: Env, otherwise: Env, env: Env) -> None:
    for name in {**then, **otherwise}:
        a, b = then.get(name), otherwise.get(name)
        if a is b and a is not None:
            env[name] = a
        elif a is None or b is None:
            env[name] = Unknown(f"`{name}` is bound on one path only", lifter.module.span(node))
        else:
            try:
                lifter.here(node.test)
                lifter.ops.place = f"`{name}` at line {node.lineno}"
                env[name] = lifter.choose(test, a, b, (name,))
                joined = env[name]
                if isinstance(joined, Value) and joined.kind == "derived" and joined.axes:
                    object.__setattr__(joined, "name", name)
            except Unsupported as problem:
                env[name] = Unknown(str(problem), lifter.module.span(node))
