"""Functions of the file that the steps of a loop call, with what they compute in their place.

    def kernel(x, y, gamma):                K[i, j] = kernel(X[i], Y[j], gamma)
        d = x - y
        return np.exp(-gamma * np.dot(d, d))

is ``d = X[i] - Y[j]`` and then ``K[i, j] = np.exp(-gamma * np.dot(d, d))``. Such a function binds
names and returns, and all of it computes and does nothing else. What it is given is put where it
is read; where any of that is computed by a call, it is bound to a name before. What makes the items
of a list has no place for such names: there all is one expression.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from auditor.lift.module import ClassScope, Module
from auditor.notation import Span
from auditor.plain.arguments import arguments_of, function_of
from auditor.plain.text import Body, Written, assign, name, swap
from auditor.surroundings.purity import impurity
from auditor.syntax import is_name
from auditor.tree import children, descendants, everything_in
from auditor.verdict import Edit

_MOST = 6
"""How many statements such a function has."""

_STEPS = (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.Return)
_LISTS = (ast.ListComp, ast.GeneratorExp)
_AROUND = (ast.BinOp, ast.UnaryOp, ast.Call, ast.keyword, ast.Subscript, ast.Attribute, ast.Tuple)
_BRACKETS = (ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Attribute, ast.Compare)
_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def called(written: Written) -> Iterator[list[Edit]]:
    """All such calls in the loops and lists of the function at once."""
    taken: set[str] = set()
    edits = [
        edit
        for step, repeated in _steps(written)
        if any(function_of(written, call.func) is not None for call in _calls(_computed(step)))
        for edit in _Step(written, step, repeated, taken).edits()
    ]
    if edits:
        yield edits


def lists_calls(module: Module, klass: ClassScope | None, node: ast.stmt) -> bool:
    """Whether a statement lists what such a function computes."""
    return any(
        _is_said(module, klass, call)
        for made in descendants(node) if isinstance(made, _LISTS)
        for call in everything_in(made.elt) if isinstance(call, ast.Call)
    )  # fmt: skip


def fills_by_calls(module: Module, klass: ClassScope | None, loop: ast.AST) -> bool:
    """Whether the steps of a loop put into cells, or add up, what such a function computes."""
    steps = (node for node in descendants(loop) if isinstance(node, (ast.Assign, ast.AugAssign)))
    for step in steps:
        if isinstance(step, ast.AugAssign) or isinstance(step.targets[0], ast.Subscript):
            if any(_is_said(module, klass, call) for call in _calls(step.value)):
                return True
    return False


def _is_said(module: Module, klass: ClassScope | None, call: ast.Call) -> bool:
    """Whether a call may be of such a function."""
    node, function = call.func, None
    if isinstance(node, ast.Name):
        function = module.functions.get(node.id)
    elif isinstance(node, ast.Attribute) and is_name(node.value, "self") and klass is not None:
        function = klass.methods.get(node.attr)
    return function is not None and _bindings(function) is not None


def _steps(written: Written) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements of the function that may call something, and whether a loop over items repeats
    them."""
    for block, place in written.own():
        step = block[place]
        if isinstance(step, _STEPS):
            above = written.ancestors(step, written.node)
            yield step, any(isinstance(each, ast.For) for each in above)


def _calls(node: ast.expr) -> list[ast.Call]:
    return [inner for inner in everything_in(node) if isinstance(inner, ast.Call)]


def _computed(step: ast.stmt) -> ast.expr:
    """What a statement computes before it does anything else."""
    computed = step.test if isinstance(step, ast.If) else step.value  # type: ignore[attr-defined]
    return computed or ast.Constant(None)


@dataclass
class _Step:
    """One statement, ``repeated`` by a loop; ``before`` is what comes to stand before it,
    ``within`` are the functions that are being said."""

    written: Written
    statement: ast.stmt
    repeated: bool
    taken: set[str]
    before: Body = field(default_factory=list)
    within: list[str] = field(default_factory=list)

    def edits(self) -> list[Edit]:
        span = self.written.module.span(self.statement)
        found = list(self._said_in(_computed(self.statement), False))
        indent = self.written.module.lines[span.line - 1][: span.column - 1]
        if not self.before:
            return found
        if indent.strip():
            return []  # another statement on the same line
        lines = [ast.unparse(ast.fix_missing_locations(each)) for each in self.before]
        here = Span(span.line, span.column, span.line, span.column)
        return [Edit(here, "".join(f"{line}\n{indent}" for line in lines)), *found]

    def _said_in(self, node: ast.AST, listed: bool) -> Iterator[Edit]:
        """Calls that are made whenever the statement is run, or an item ``listed``; of those within
        others the outer."""
        said = None
        if isinstance(node, ast.Call) and (listed or self.repeated):
            said = self._said(node, listed)
        if said is not None:
            text = ast.unparse(ast.fix_missing_locations(said))
            tight = isinstance(self.written.parents.get(node), _BRACKETS)
            yield self.written.swapped(node, f"({text})" if tight else text)
        elif isinstance(node, _LISTS):
            yield from self._said_in(node.elt, True)
        elif isinstance(node, _AROUND) or (isinstance(node, ast.Compare) and len(node.ops) == 1):
            for child in children(node):
                yield from self._said_in(child, listed)

    def _said(self, call: ast.Call, listed: bool) -> ast.expr | None:
        """What a call gives; what it computes on the way is put ``before``, or where it is read."""
        function = function_of(self.written, call.func)
        if function is None or function.name in {*self.within, self.written.node.name}:
            return None
        given, body = arguments_of(call, function), _bindings(function)
        if given is None or body is None:
            return None
        module, own = self.written.module, self.written.stored
        here = own | module.local_names(self.written.node)
        if not module.free_names(function).isdisjoint(here):
            return None  # a name of the file that means another thing here
        self.within.append(function.name)
        body = [(word, _Inner(self).visit(deepcopy(value))) for word, value in body]
        self.within.pop()
        if not all(map(self._computes, (*given.values(), *(value for _, value in body)))):
            return None
        if _leaves_out(given, body, listed):
            return None
        by, calls = given, any(map(_calls, given.values()))
        if listed and (calls or any(_calls(value) for _, value in body[:-1])):
            return None
        if calls:
            by = {parameter: self._bound(parameter, value) for parameter, value in given.items()}
        for word, value in body[:-1]:
            told: ast.expr = swap(value, by)  # type: ignore[assignment]
            by[word] = told if listed else self._bound(word, told)
        return swap(body[-1][1], by)  # type: ignore[return-value]

    def _computes(self, value: ast.expr) -> bool:
        """Whether an expression has no effect, and binds no names that may hide others."""
        scopes = any(isinstance(inner, _SCOPES) for inner in everything_in(value))
        return not scopes and impurity(self.written.module, value) is None

    def _bound(self, word: str, value: ast.expr) -> ast.expr:
        made = self.written.fresh(word, self.taken)
        self.before.append(assign(made, value))
        return name(made)


class _Inner(ast.NodeTransformer):
    """Puts what other such functions compute into what one of them does."""

    def __init__(self, step: _Step) -> None:
        self._step = step

    def visit_Call(self, node: ast.Call) -> ast.expr:
        said = self._step._said(node, True)
        return said if said is not None else self.generic_visit(node)  # type: ignore[return-value]


def _leaves_out(given: dict[str, ast.expr], body: list[tuple[str, ast.expr]], listed: bool) -> bool:
    """Whether something that a call computes, and that may raise, is not computed in its place:
    nothing reads it, or not always. In a list what the function binds is put there as well."""
    read: set[str] = set()
    for word, value in reversed(body):
        if listed and word and word not in read and not _is_plain(value):
            return True
        read.discard(word)
        read |= _always_read(value)
    return any(word not in read and not _is_plain(value) for word, value in given.items())


def _always_read(node: ast.AST) -> set[str]:
    """The names that are read whenever an expression is computed."""
    if isinstance(node, ast.Name):
        return {node.id}
    parts: Sequence[ast.AST] = children(node)
    if isinstance(node, ast.IfExp):
        parts = [node.test]
    elif isinstance(node, ast.BoolOp):
        parts = node.values[:1]
    elif isinstance(node, ast.Compare):
        parts = [node.left, node.comparators[0]]
    return set().union(*map(_always_read, parts))


def _is_plain(node: ast.expr) -> bool:
    return isinstance(node, (ast.Name, ast.Constant))


def _bindings(function: ast.FunctionDef) -> list[tuple[str, ast.expr]] | None:
    """The names that a function binds one after the other with their values, and at last what it
    returns; None where it does anything else, or more than a little."""
    found: list[tuple[str, ast.expr]] = []
    *body, last = function.body
    for each in body:
        if isinstance(each, ast.Assign) and [type(to) for to in each.targets] == [ast.Name]:
            found.append((each.targets[0].id, each.value))  # type: ignore[attr-defined]
        elif not isinstance(each, ast.Expr) or not isinstance(each.value, ast.Constant):
            return None
    if not isinstance(last, ast.Return) or last.value is None or len(found) >= _MOST:
        return None
    return [*found, ("", last.value)]
