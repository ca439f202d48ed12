"""What the file changes in place of what a function of its own is given, or gives.

``F.layer_norm(x, ...)`` keeps `x` for the backward pass and ``softmax`` its result, which the same
by hand does not: a caller that goes on with ``x += h`` worked, and would not any more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from auditor.lift import Lifted
from auditor.lift.module import Module
from auditor.lift.tables.modules import IN_PLACE
from auditor.notation import Value
from auditor.syntax import called_name
from auditor.tree import descendants
from auditor.verdict import Finding
from auditor.whole_file.own_calls import own_nodes
from auditor.whole_file.passed_on import Passing, handed, passing_on, taken_by, viewed

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_PLAIN = ("RED501", "RED502", "RED503", "RED504", "RED505")
"""Rules whose fixes keep nothing more for a backward pass."""
_NO_RESULTS = ("ASC108",)
"""Rules of which what is computed is not kept itself: a norm keeps what it is given."""


def kept_by_callers(findings: list[Finding], lifted: Lifted) -> list[Finding]:
    """The findings of a function; those of tensors are not safe where a caller changes in place
    what the backward pass may need."""
    node = lifted.node
    if not any(map(_at_stake, findings)) or not isinstance(node, ast.FunctionDef):
        return findings
    text = lifted.module.text
    if "torch" not in text or not (_changing(lifted.module) or "Sequential" in text):
        return findings
    known = passing_on(lifted, _tensors(lifted))
    given = next(_given_changed(lifted.module, known), None)
    made = next(_made_changed(lifted.module, known), None)
    return [_doubted(one, given, made) if _at_stake(one) else one for one in findings]


def _tensors(lifted: Lifted) -> frozenset[str]:
    """The parameters of a function that may be tensors."""
    return frozenset(
        name for name, value in lifted.parameters.items()
        if isinstance(value, Value) and value.axes and value.library != "numpy"
    )  # fmt: skip


def _doubted(finding: Finding, given: int | None, made: int | None) -> Finding:
    line = given if given is not None or finding.code in _NO_RESULTS else made
    if line is None or finding.fix is None:
        return finding
    doubt = f"the backward pass may need what line {line} changes in place"
    return replace(finding, fix=finding.fix.doubted(doubt))


def _at_stake(finding: Finding) -> bool:
    safe = finding.fix is not None and finding.fix.applicability == "safe"
    return safe and finding.code not in _PLAIN


def _given_changed(module: Module, known: Passing) -> Iterator[int]:
    """The lines behind calls of a function that change in place what these pass."""
    for scope in _changing(module):
        for call in scope.calls:
            touched = {ast.unparse(value) for value in handed(module, call, known)}
            if touched:
                touched |= scope.named_before(call, touched, module)
                touched -= {bound.name for bound in scope.bound if bound.node.value is call}
                yield from _changed_behind(module, scope, call, touched)


def _made_changed(module: Module, known: Passing) -> Iterator[int]:
    """The lines behind calls of a function that change in place what these give."""
    for scope in _changing(module):
        for call in scope.calls:
            if not any(taken.gives for taken in taken_by(module, call, known)):
                continue
            part, above = _outermost_view(module.parents(scope.node), call)
            if _changes_at_once(module, above, part):
                yield call.lineno
            if isinstance(above, ast.Assign):
                touched = {ast.unparse(target) for target in above.targets}
                yield from _changed_behind(module, scope, call, touched)
    yield from _in_a_row(module, known)


def _changed_behind(
    module: Module, scope: _Scope, call: ast.Call, touched: set[str]
) -> Iterator[int]:
    """The lines behind a call, in the order in which they run, that change in place what is
    ``touched``, or a view of it."""
    for bound in scope.bound:
        if bound.node.lineno > call.lineno and bound.whole in touched:
            touched.add(bound.name)
    loop = _loop_around(module, scope, call)
    for name, node in scope.changes:
        first = call.lineno if node.lineno >= call.lineno else loop
        if name in touched and node.lineno >= first:
            if not scope.binds(name, first, node, module, touched):
                yield node.lineno


def _loop_around(module: Module, scope: _Scope, call: ast.Call) -> int:
    """The line of the outermost loop that a call stands in, or its own."""
    first, parents = call.lineno, module.parents(scope.node)
    above = parents.get(call)
    while above is not None:
        if isinstance(above, (ast.For, ast.While)):
            first = above.lineno
        above = parents.get(above)
    return first


def _outermost_view(
    parents: Mapping[ast.AST, ast.AST], call: ast.Call
) -> tuple[ast.expr, ast.AST | None]:
    """The last view that is taken of what a call gives where it stands, and what that is in."""
    part: ast.expr = call
    above = parents.get(part)
    while above is not None:
        method = parents.get(above) if isinstance(above, ast.Attribute) else None
        outer = method if isinstance(method, ast.Call) and method.func is above else above
        if not isinstance(outer, ast.expr) or outer is part or viewed(outer) is not viewed(part):
            break
        part, above = outer, parents.get(outer)
    return part, above


def _changes_at_once(module: Module, above: ast.AST | None, part: ast.AST) -> bool:
    """Whether what a call gives is changed where it stands: ``torch.relu_(f(x))``."""
    if isinstance(above, ast.Attribute):
        return _is_in_place(above.attr)
    return isinstance(above, ast.Call) and part in above.args and _in_place(module, above)


def _in_a_row(module: Module, known: Passing) -> Iterator[int]:
    """The lines of lists of layers, ``nn.Sequential(Softmax(), nn.ReLU(inplace=True))``, in which
    one gives what the next changes in place."""
    if "Sequential" not in module.text:
        return
    for node in descendants(module.tree):
        if isinstance(node, ast.Call) and called_name(node) == "Sequential":
            for one, following in pairwise(node.args):
                if isinstance(one, ast.Call) and called_name(one) in known:
                    if _is_in_place_layer(following):
                        yield node.lineno


class _Bound(NamedTuple):
    """A name that is bound to a value, a view of something ``whole``."""

    name: str
    whole: str
    node: ast.Assign


@dataclass(frozen=True)
class _Scope:
    """What a function, or the statements outside of functions, calls, binds and changes in
    place, in the order of the text."""

    node: ast.AST
    calls: tuple[ast.Call, ...]
    changes: tuple[tuple[str, ast.expr | ast.stmt], ...]
    bound: tuple[_Bound, ...]

    def binds(
        self, name: str, first: int, last: ast.AST, module: Module, wholes: Set[str] = frozenset()
    ) -> bool:
        """Whether a statement behind a line binds a name anew, to no view of what had it or of
        ``wholes``, in every run that comes to ``last`` from there."""
        before = _run_before(module.parents(self.node), last)
        return any(
            each.name == name and each.whole not in wholes | {name}
            and each.node in before and each.node.lineno > first
            for each in self.bound
        )  # fmt: skip

    def named_before(self, call: ast.Call, touched: set[str], module: Module) -> set[str]:
        """Other names, before a call, of what it is passed: ``residual = x``."""
        return {
            each.name for each in self.bound
            if each.whole in touched and each.node.lineno < call.lineno
            and not self.binds(each.whole, each.node.lineno, call, module)
        }  # fmt: skip


def _run_before(parents: Mapping[ast.AST, ast.AST], node: ast.AST) -> set[ast.stmt]:
    """The statements before a node in the blocks that it stands in."""
    found = set[ast.stmt]()
    above = parents.get(node)
    while above is not None:
        for block in ("body", "orelse", "finalbody"):
            statements = getattr(above, block, None)
            if isinstance(statements, list) and node in statements:
                found.update(statements[: statements.index(node)])
        node, above = above, parents.get(above)
    return found


def _changing(module: Module) -> tuple[_Scope, ...]:
    """The scopes of a file that change anything in place."""
    if "changing" not in module.once:
        scopes = (module.tree, *(one for one in module.statements if isinstance(one, _FUNCTIONS)))
        read = ((scope, tuple(_changes(module, scope))) for scope in scopes)
        module.once["changing"] = tuple(_seen(scope, changes) for scope, changes in read if changes)
    found: tuple[_Scope, ...] = module.once["changing"]
    return found


def _seen(scope: ast.AST, changes: tuple[tuple[str, ast.expr | ast.stmt], ...]) -> _Scope:
    calls, bound = list[ast.Call](), list[_Bound]()
    for node in own_nodes(scope):
        if isinstance(node, ast.Call):
            calls.append(node)
        elif isinstance(node, ast.Assign):
            whole = ast.unparse(viewed(node.value))
            bound += [_Bound(ast.unparse(target), whole, node) for target in node.targets]
    return _Scope(scope, tuple(calls), changes, tuple(bound))


def _changes(module: Module, scope: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt]]:
    """What a scope changes in place, as its code has it, and where."""
    for node in own_nodes(scope):
        if isinstance(node, ast.AugAssign):
            yield _root(node.target), node
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            yield _root(node), node
        elif isinstance(node, ast.Call) and _in_place(module, node):
            if node.args:
                yield _root(node.args[0]), node
            if isinstance(node.func, ast.Attribute):
                yield _root(node.func.value), node


def _root(node: ast.expr) -> str:
    return ast.unparse(viewed(node))


def _in_place(module: Module, call: ast.Call) -> bool:
    """Whether a call changes its object or its first argument: ``x.add_(1)``, ``F.relu_(x)``, or
    runs a layer that does."""
    named = isinstance(call.func, ast.Attribute) and _is_in_place(call.func.attr)
    return named or _says_so(call) or called_name(call) in _layers(module)


def _layers(module: Module) -> set[str]:
    """The names that a file gives to layers that change what they are given."""
    if "changing layers" not in module.once:
        module.once["changing layers"] = {
            name for node in module.statements if isinstance(node, ast.Assign)
            if _first_in_place(node.value) for target in node.targets
            if (name := _last_name(target))
        }  # fmt: skip
    found: set[str] = module.once["changing layers"]
    return found


def _last_name(target: ast.expr) -> str:
    if isinstance(target, ast.Attribute):
        return target.attr
    return target.id if isinstance(target, ast.Name) else ""


def _first_in_place(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and called_name(node) == "Sequential" and node.args:
        return _first_in_place(node.args[0])
    return _is_in_place_layer(node)


def _is_in_place_layer(node: ast.expr) -> bool:
    """Whether an expression makes a layer that changes what it is given."""
    if not isinstance(node, ast.Call):
        return False
    place = IN_PLACE.get(called_name(node))
    told = place is not None and place < len(node.args) and _is_true(node.args[place])
    return told or _says_so(node)


def _says_so(call: ast.Call) -> bool:
    return any(word.arg == "inplace" and _is_true(word.value) for word in call.keywords)


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _is_in_place(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__") and name != "requires_grad_"
