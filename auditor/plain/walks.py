"""What hands out items one by one, as the loop that makes them: ``accumulate``, generator functions
of the file, comprehensions that carry a value along (``[h := a * h + x for x in xs]``).

A walk knows how to write its loop around a *sink*, the statements that use one item.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

from auditor.lift.bound import stored_in
from auditor.plain.arguments import arguments_of, function_of
from auditor.plain.array_walks import walks_array
from auditor.plain.text import (
    Body,
    Sink,
    Written,
    assign,
    loads_in,
    name,
    renamed,
    swap,
)
from auditor.surroundings.purity import impurity
from auditor.syntax import constant, path_of
from auditor.tree import children, everything_in


class NoWalk(Exception):
    """The expression is no such walk."""


@dataclass
class Walks:
    """Writes walks into one function; ``taken`` are the names given out, ``early`` says that the
    first item may be taken before the loop, where its absence then raises, ``folding`` that the
    items become one value."""

    written: Written
    taken: set[str]
    early: bool = True
    folding: bool = False

    def loop(self, node: ast.expr, sink: Sink) -> Body:
        """The statements that hand each item of ``node`` to ``sink``. Raises ``NoWalk``."""
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return self._comprehension(node, sink)
        if not isinstance(node, ast.Call):
            raise NoWalk
        path = path_of(self.written.module, node.func)
        if path == "itertools.accumulate":
            return self._accumulate(node, sink, skip=False)
        if path == "itertools.islice":
            return self._islice(node, sink)
        if _is_builtin(self.written, node, "iter"):
            return self.loop(node.args[0], sink)
        if (
            path is None
            and isinstance(node.func, ast.Name)
            and node.func.id in ("zip", "enumerate")
        ):
            return self._beside(node, sink)
        return self._generator(node, sink)

    # -- itertools

    def _islice(self, node: ast.Call, sink: Sink) -> Body:
        """``islice(accumulate(..., initial=h), 1, None)``: all but what was there before."""
        rest = [constant(arg) for arg in node.args[1:]]
        inner = node.args[0]
        if rest != [1, None] or not isinstance(inner, ast.Call):
            raise NoWalk
        if path_of(self.written.module, inner.func) != "itertools.accumulate":
            raise NoWalk
        return self._accumulate(inner, sink, skip=True)

    def _accumulate(self, node: ast.Call, sink: Sink, *, skip: bool) -> Body:
        args: dict[str | None, ast.expr] = dict(zip(("iterable", "func"), node.args, strict=False))
        args |= {keyword.arg: keyword.value for keyword in node.keywords}
        if len(node.args) > 2 or not args.keys() <= {"iterable", "func", "initial"}:
            raise NoWalk
        function = args.get("func") or ast.Attribute(name("operator"), "add", ast.Load())
        start = args.get("initial")
        if start is None and skip:
            raise NoWalk
        if start is not None and constant(start) is None:
            start = None
        return self.fold(function, args["iterable"], start, None, sink, first=not skip)

    def _beside(self, node: ast.Call, sink: Sink) -> Body:
        """``zip(accumulate(xs), ys)`` and ``enumerate(accumulate(xs))``: the state, where the walk
        has the item."""
        word = node.func.id  # type: ignore[attr-defined]
        bound = word in self.written.stored or word in self.written.module.bound
        walks = [arg for arg in node.args if self._accumulates(arg)]
        if (
            bound
            or node.keywords
            or len(walks) != 1
            or (word == "enumerate" and len(node.args) > 1)
        ):
            raise NoWalk
        (walk,) = walks
        assert isinstance(walk, ast.Call)
        source, *rest = walk.args
        function = rest[0] if rest else ast.Attribute(name("operator"), "add", ast.Load())
        carried, item, update = self._step(function, None)
        given = [source if arg is walk else arg for arg in node.args]
        parts = [item if arg is walk else self.written.fresh("each", self.taken)
                 for arg in node.args]  # fmt: skip
        if word == "enumerate":
            parts.insert(0, self.written.fresh("place", self.taken))
        none = ast.Compare(name(carried), [ast.Is()], [ast.Constant(None)])
        handed = ast.Tuple([name(carried if p == item else p) for p in parts], ast.Load())
        body = [assign(carried, ast.IfExp(none, name(item), update)), *sink(handed)]
        target = ast.Tuple([ast.Name(p, ast.Store()) for p in parts], ast.Store())
        loop = ast.For(target, ast.Call(name(word), given, []), body, [], lineno=0)
        return [assign(carried, ast.Constant(None)), loop]

    def _accumulates(self, node: ast.expr) -> bool:
        """Whether an expression is ``accumulate`` from the first item on."""
        if not isinstance(node, ast.Call) or node.keywords or not 1 <= len(node.args) <= 2:
            return False
        return path_of(self.written.module, node.func) == "itertools.accumulate"

    def fold(
        self,
        function: ast.expr,
        source: ast.expr,
        start: ast.expr | None,
        state: str | None,
        sink: Sink,
        *,
        first: bool = False,
    ) -> Body:
        """``state = start``, then ``state = function(state, item)`` for each item; ``sink`` gets
        the state each time, at the ``first`` as well where that is wanted."""
        carried, item, update = self._step(function, state)
        before: Body = []
        if start is None and (first and not (self.early and _may_be_parted(source))):
            none = ast.Compare(name(carried), [ast.Is()], [ast.Constant(None)])
            update, first = ast.IfExp(none, name(item), update), False
            start = ast.Constant(None)
        elif start is None:
            start, source = _parted(source)
        if not (isinstance(start, ast.Name) and start.id == carried):
            before.append(assign(carried, start))
        if first:
            before += sink(name(carried))
        body = [assign(carried, update), *sink(name(carried))]
        target = ast.Name(item, ast.Store())
        try:
            # What is walked may itself be such a walk.
            return [*before, *self.loop(source, lambda each: [assign(item, each), *body])]
        except NoWalk:
            return [*before, ast.For(target, source, body, [], lineno=0)]

    def _step(self, function: ast.expr, state: str | None) -> tuple[str, str, ast.expr]:
        """The names of the state and of an item, and the new state in terms of both."""
        words = self.written.words(function)
        if isinstance(function, ast.Lambda):
            spec = function.args
            names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
            plain = not (spec.vararg or spec.kwarg or spec.kwonlyargs or spec.defaults)
            if not plain or len(names) != 2 or impure_names(function.body):
                raise NoWalk
            chosen = [self._free(each, words) for each in names]
            if state is not None:
                if state in loads_in(function.body) - {names[0]}:
                    raise NoWalk
                chosen[0] = state
            return *chosen, renamed(function.body, dict(zip(names, chosen, strict=True)))  # type: ignore[return-value]
        carried = state or self._free("state", words)
        item = self._free("item", words)
        path = path_of(self.written.module, function) or _default(function)
        operator = _OPERATORS.get(path or "")
        if operator is not None:
            return carried, item, ast.BinOp(name(carried), operator, name(item))
        if not isinstance(function, (ast.Name, ast.Attribute)):
            raise NoWalk
        return carried, item, ast.Call(deepcopy(function), [name(carried), name(item)], [])

    def _free(self, word: str, words: set[str]) -> str:
        """``word`` where the function uses it for nothing else."""
        if word not in words and word not in self.taken:
            self.taken.add(word)
            return word
        return self.written.fresh(word, self.taken)

    # -- comprehensions

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp, sink: Sink) -> Body:
        (generator, *others) = node.generators
        if self.over_array(node):
            return self._nested(node, sink)
        binds = any(
            isinstance(n, ast.NamedExpr) for test in generator.ifs for n in everything_in(test)
        )
        if others or binds or generator.is_async:
            raise NoWalk
        words = self.written.words(node)
        by = {each: self._free(each, words) for each in sorted(stored_in(generator.target))}
        if len(set(by)) != len(set(by.values())):
            raise NoWalk
        element = renamed(node.elt, by)
        target: ast.expr = swap(generator.target, {a: name(b) for a, b in by.items()})  # type: ignore[assignment]
        use: Body
        if isinstance(element, ast.NamedExpr):
            use = [assign(element.target.id, element.value), *sink(name(element.target.id))]
        else:
            use = sink(element)
        for test in reversed(generator.ifs):
            use = [ast.If(renamed(test, by), use, [])]
        carries = any(isinstance(inner, ast.NamedExpr) for inner in everything_in(node.elt))
        try:
            return self.loop(
                generator.iter,
                lambda item: [ast.Assign([deepcopy(target)], item, lineno=0), *deepcopy(use)],
            )
        except NoWalk:
            if not carries:
                raise
            return [ast.For(target, generator.iter, use, [], lineno=0)]

    def over_array(self, node: ast.expr) -> bool:
        """Whether a comprehension over arrays becomes one value."""
        comprehension = isinstance(node, (ast.ListComp, ast.GeneratorExp))
        return self.folding and comprehension and walks_array(self.written.node, node)  # type: ignore[arg-type]

    def after_first(self, node: ast.expr, sink: Callable[[ast.expr, bool], Body]) -> Body:
        """The same where the first item is taken before the loop; that there is none raises as it
        did. Raises ``NoWalk``."""
        assert isinstance(node, (ast.ListComp, ast.GeneratorExp))
        (generator, *others) = node.generators
        if others or generator.ifs or not isinstance(generator.target, ast.Name):
            raise NoWalk
        source, first = generator.iter, ast.Constant(0)
        item: ast.expr = first
        if isinstance(source, ast.Name):
            item = ast.Subscript(source, first, ast.Load())
            rest: ast.expr = ast.Subscript(source, ast.Slice(ast.Constant(1)), ast.Load())
        elif isinstance(source, ast.Call) and _is_builtin(self.written, source, "range"):
            rest = ast.Call(name("range"), [ast.Constant(1), *source.args], [])
        else:
            raise NoWalk
        before: ast.expr = swap(deepcopy(node.elt), {generator.target.id: item})  # type: ignore[assignment]
        again = deepcopy(node)
        again.generators[0].iter = rest
        return [*sink(before, True), *self._nested(again, lambda each: sink(each, False))]

    def _nested(self, node: ast.ListComp | ast.GeneratorExp, sink: Sink) -> Body:
        """The loops of a comprehension over arrays, one within the other."""
        if any(isinstance(n, (ast.NamedExpr, ast.Await)) for n in everything_in(node)):
            raise NoWalk
        words = self.written.words(node)
        names = {each for generator in node.generators for each in stored_in(generator.target)}
        by = {each: self._free(each, words) for each in sorted(names)}
        if len(set(by)) != len(set(by.values())) or len(names) < len(node.generators):
            raise NoWalk
        use = sink(renamed(node.elt, by))
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                use = [ast.If(renamed(test, by), use, [])]
            target = swap(generator.target, {a: name(b) for a, b in by.items()})
            use = [ast.For(target, renamed(generator.iter, by), use, [], lineno=0)]  # type: ignore[arg-type]
        return use

    # -- generator functions

    def _generator(self, node: ast.Call, sink: Sink) -> Body:
        function, shared = self._called(node.func)
        if function is None or not hands_out(function):
            raise NoWalk
        local = stored_in(function) | {arg.arg for arg in _parameters(function)}
        free = loads_in(function) - local
        here = self.written.stored | self.written.module.local_names(self.written.node)
        if not shared and free & here:
            raise NoWalk  # the same word means something else here
        words = self.written.words(*([function] if shared else []))
        by: dict[str, ast.expr] = {}
        before: Body = []
        bound = self._bound(node, function)
        kept = stored_in(function)
        for parameter, value in bound.items():
            simple = isinstance(value, (ast.Name, ast.Constant)) or _is_path(value)
            if simple and parameter not in kept:
                by[parameter] = value
            else:
                made = self._free(parameter, words - loads_in(value))
                if made in loads_in(value) and not (
                    isinstance(value, ast.Name) and parameter not in kept
                ):
                    made = self.written.fresh(parameter, self.taken)
                by[parameter] = name(made)
                before.append(assign(made, value))
        for each in sorted(kept - bound.keys()):
            by[each] = name(self._free(each, words))
        body: Body = []
        for statement in _after_docstring(function.body):
            body += _Handing(sink, by).statement(statement)
        return [*before, *body]

    def _called(self, node: ast.expr) -> tuple[ast.FunctionDef | None, bool]:
        """The function of the file that is called, and whether it stands in this very function."""
        written = self.written
        if isinstance(node, ast.Name):
            inside = [
                n for n in written.nodes if isinstance(n, ast.FunctionDef) and n.name == node.id
            ]
            if inside:
                alone = len(inside) == 1 and node.id not in written.stored
                return (inside[0] if alone and inside[0] is not written.node else None), True
        return function_of(written, node), False

    def _bound(self, node: ast.Call, function: ast.FunctionDef) -> dict[str, ast.expr]:
        found = arguments_of(node, function)
        if found is None:
            raise NoWalk
        return found


def impure_names(node: ast.expr) -> bool:
    """Whether an expression binds names of its own that renaming would miss."""
    scopes = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr)
    return any(isinstance(inner, scopes) for inner in everything_in(node))


_OPERATORS: dict[str, ast.operator] = {
    "operator.add": ast.Add(), "operator.mul": ast.Mult(), "operator.sub": ast.Sub(),
    "operator.truediv": ast.Div(), "operator.matmul": ast.MatMult(),
}  # fmt: skip


def _default(function: ast.expr) -> str | None:
    """``operator.add`` as it stands for a function that was not given."""
    text = ast.unparse(function)
    return text if text == "operator.add" else None


def _parted(source: ast.expr) -> tuple[ast.expr, ast.expr]:
    """The first item and the others, of what can be sliced."""
    if not _may_be_parted(source):
        raise NoWalk
    first = ast.Subscript(source, ast.Constant(0), ast.Load())
    others = ast.Subscript(deepcopy(source), ast.Slice(ast.Constant(1)), ast.Load())
    return first, others


def _may_be_parted(source: ast.expr) -> bool:
    return isinstance(source, (ast.Name, ast.Attribute)) or _unbinds(source)


def _unbinds(source: ast.expr) -> bool:
    return (
        isinstance(source, ast.Call)
        and isinstance(source.func, ast.Attribute)
        and source.func.attr == "unbind"
    )


def _is_builtin(written: Written, node: ast.Call, word: str) -> bool:
    return (
        isinstance(node.func, ast.Name)
        and node.func.id == word
        and len(node.args) == 1
        and not node.keywords
        and word not in written.stored
        and word not in written.module.bound
    )


def _is_path(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _parameters(function: ast.FunctionDef) -> list[ast.arg]:
    spec = function.args
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]


def _after_docstring(body: Body) -> Body:
    first = body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if documented else body


def hands_out(function: ast.FunctionDef) -> bool:
    """Whether a function is a generator that yields in statements of their own."""
    yields = 0
    for node in everything_in(function):
        if node is not function and isinstance(
            node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.YieldFrom)
            + (ast.Return, ast.Global, ast.Nonlocal, ast.Try, ast.With, ast.NamedExpr, ast.Await)
            + (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Delete)
        ):  # fmt: skip
            return False
        if isinstance(node, ast.Yield):
            yields += 1
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield):
            yields -= 1
            if node.value.value is None:
                return False
    return yields == 0 and any(isinstance(node, ast.Yield) for node in everything_in(function))


@dataclass
class _Handing:
    """Copies a generator's statements, with a sink for what they yield."""

    sink: Sink
    by: dict[str, ast.expr]

    def statement(self, node: ast.stmt) -> Body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield):
            assert node.value.value is not None
            return deepcopy(self.sink(swap(node.value.value, self.by)))  # type: ignore[arg-type]
        if isinstance(node, (ast.For, ast.While, ast.If)):
            made: ast.stmt = deepcopy(node)
            for part, value in ast.iter_fields(node):
                if part in ("body", "orelse"):
                    inner = [new for one in value for new in self.statement(one)]
                    setattr(made, part, inner)
                elif isinstance(value, ast.AST):
                    setattr(made, part, swap(value, self.by))
            return [made]
        return [swap(node, self.by)]  # type: ignore[list-item]


def evaluated_first(written: Written, statement: ast.stmt, node: ast.expr) -> bool:
    """Whether ``node`` is evaluated whenever ``statement`` is, exactly once, with nothing before it
    that does more than compute a value."""
    through = (ast.Call, ast.Tuple, ast.List, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Attribute)
    through = (*through, ast.keyword, ast.Starred, ast.Dict, ast.Slice)  # type: ignore[assignment]
    below: ast.AST = node
    for above in written.ancestors(node, statement):
        if above is statement:
            break
        if not isinstance(above, through):
            return False
        for part in children(above):
            if part is below:
                break
            if isinstance(part, ast.expr) and impurity(written.module, part) is not None:
                return False
        below = above
    held = getattr(statement, "value", None)
    return (
        isinstance(statement, (ast.Return, ast.Assign, ast.AnnAssign, ast.Expr)) and below is held
    )
