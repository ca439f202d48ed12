"""What the file changes in place of what a function of its own is given, or gives.

``F.layer_norm(x, ...)`` keeps `x` for the backward pass and ``softmax`` its result, which the same
by hand does not: a caller that goes on with ``x += h`` worked, and would not any more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from auditor.lift import Lifted
from auditor.lift.module import Module
from auditor.notation import Value
from auditor.syntax import called_name
from auditor.verdict import Finding
from auditor.whole_file.known_as import called_as
from auditor.whole_file.own_calls import by_name, own_nodes

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
    if "torch" not in lifted.module.text:
        return findings
    calls = list(_calls(lifted))
    given, made = (next(_changed(lifted, node, calls, of), None) for of in (True, False))
    return [_doubted(one, given, made) if _at_stake(one) else one for one in findings]


def _doubted(finding: Finding, given: int | None, made: int | None) -> Finding:
    line = given if given is not None or finding.code in _NO_RESULTS else made
    if line is None or finding.fix is None:
        return finding
    doubt = f"the backward pass may need what line {line} changes in place"
    return replace(finding, fix=finding.fix.doubted(doubt))


def _at_stake(finding: Finding) -> bool:
    safe = finding.fix is not None and finding.fix.applicability == "safe"
    return safe and finding.code not in _PLAIN


def _calls(lifted: Lifted) -> Iterator[tuple[_Scope, ast.Call]]:
    """The calls of a function, each in the scope that changes something in place."""
    known = called_as(lifted)
    for scope in _changing(lifted.module):
        yield from ((scope, call) for call in scope.calls if called_name(call) in known)


def _changed(
    lifted: Lifted, node: ast.FunctionDef, calls: list[tuple[_Scope, ast.Call]], given: bool
) -> Iterator[int]:
    """The lines behind calls of a function that change in place what these pass, or else get."""
    tensors = {
        name for name, value in lifted.parameters.items()
        if isinstance(value, Value) and value.axes and value.library != "numpy"
    }  # fmt: skip
    for scope, call in calls:
        above = lifted.module.parents(scope.node).get(call)
        touched: set[str] = set()
        if given:
            passed = by_name(node, lifted.lifter.klass is not None, call)
            touched = {ast.unparse(value) for name, value in passed if name in tensors}
        elif isinstance(above, ast.Assign):
            touched = {ast.unparse(target) for target in above.targets}
        if not given and _changes_at_once(above, call):
            yield call.lineno
        yield from (line for name, line in scope.changes if name in touched and line >= call.lineno)


def _changes_at_once(above: ast.AST | None, call: ast.Call) -> bool:
    """Whether what a call gives is changed where it stands: ``torch.relu_(f(x))``."""
    if isinstance(above, ast.Attribute):
        return _is_in_place(above.attr)
    return isinstance(above, ast.Call) and call in above.args and _in_place(above)


@dataclass(frozen=True)
class _Scope:
    """What a function, or the statements outside of functions, calls and changes in place."""

    node: ast.AST
    calls: tuple[ast.Call, ...]
    changes: tuple[tuple[str, int], ...]


def _changing(module: Module) -> tuple[_Scope, ...]:
    """The scopes of a file that change anything in place."""
    if "changing" not in module.once:
        scopes = (module.tree, *(one for one in module.statements if isinstance(one, _FUNCTIONS)))
        read = ((scope, tuple(_changes(scope))) for scope in scopes)
        module.once["changing"] = tuple(_seen(scope, changes) for scope, changes in read if changes)
    found: tuple[_Scope, ...] = module.once["changing"]
    return found


def _seen(scope: ast.AST, changes: tuple[tuple[str, int], ...]) -> _Scope:
    calls = (node for node in own_nodes(scope) if isinstance(node, ast.Call))
    return _Scope(scope, tuple(calls), changes)


def _changes(scope: ast.AST) -> Iterator[tuple[str, int]]:
    """What a scope changes in place, as its code has it, and where."""
    for node in own_nodes(scope):
        if isinstance(node, ast.AugAssign):
            yield _root(node.target), node.lineno
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            yield _root(node), node.lineno
        elif isinstance(node, ast.Call) and _in_place(node):
            if node.args:
                yield _root(node.args[0]), node.lineno
            if isinstance(node.func, ast.Attribute):
                yield _root(node.func.value), node.lineno


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Subscript):
        node = node.value
    return ast.unparse(node)


def _in_place(call: ast.Call) -> bool:
    """Whether a call changes its object or its first argument: ``x.add_(1)``, ``F.relu_(x)``."""
    named = isinstance(call.func, ast.Attribute) and _is_in_place(call.func.attr)
    return named or any(
        word.arg == "inplace" and isinstance(word.value, ast.Constant) and word.value.value is True
        for word in call.keywords
    )


def _is_in_place(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__") and name != "requires_grad_"
