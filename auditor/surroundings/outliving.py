"""What outlives the code that binds it: names of the module itself, which another file may import,
those that a function declares to be its module's or its surrounding function's, and attributes and
items that a loop has for its variable.

What a script binds for itself alone, below ``if __name__ == "__main__"``, nobody imports. What only
its loops bind may go, where it is said so and the file does not name it as its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from auditor.assumed import assuming, listed
from auditor.lift.module import Module
from auditor.notation import Span
from auditor.syntax import set_elsewhere
from auditor.tree import children, everything_in
from auditor.verdict import Edit

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_EVERY_NAME = frozenset({"globals", "locals", "vars", "dir"})
_SETTING = {
    ast.For: "target", ast.AsyncFor: "target", ast.comprehension: "target",
    ast.withitem: "optional_vars",
}  # fmt: skip
_INNER = (*_SCOPES, ast.For, ast.AsyncFor, ast.While, ast.comprehension)


def unbound(before: ast.Module, after: ast.Module, spans: list[Span]) -> str | None:
    """A name of the module that an edit of ``spans``, which makes ``after`` of ``before``, takes
    from those who may read it: it is bound no more, or to what is no list any more."""
    stays, then = left(before), left(after)
    gone = stays.keys() - then.keys() - {"_"}
    loops = _of_loops(before, spans)
    gone |= {name for name in loops if name in _named_as_data(before, loops)}
    if gone:
        return f"`{min(gone)}` may be read by whoever imports this file"
    for name, bound in stays.items():
        if is_list(bound) and name in then and not is_list(then[name]):
            return f"`{name}` may be read as a list by whoever imports this file"
    return None


def declared_elsewhere(module: Module, spans: list[Span]) -> str | None:
    """A name declared ``global`` or ``nonlocal`` that is bound within ``spans``."""
    if not module.shared_names:
        return None
    for name, line in _declared(module.tree, spans):
        return f"`{name}` outlives the function (line {line})"
    return None


def bound_in_passing(module: Module, function: ast.AST, edits: Iterable[Edit]) -> str | None:
    """A name that edited code of a function binds with ``:=`` and other code reads, where the new
    text binds it no more, or not as many times, or before other reads than the old text did."""
    if ":=" not in module.text:
        return None
    edits = list(edits)
    nodes = list(everything_in(function))
    reads = [n for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store)]
    repeated = _repeated(nodes)
    for node in nodes:
        if not isinstance(node, ast.NamedExpr):
            continue
        name, own = node.target.id, set(everything_in(node))
        again = node in repeated
        for edit in edits:
            if not _holds(edit.span, node.target):
                continue
            kept = f"{name} :=" in edit.content
            for read in reads:
                if read.id != name:
                    continue
                inside = any(_holds(other.span, read) for other in edits)
                carried = again and kept if read in own else inside or again or not kept
                if carried:
                    return f"`{name}` is bound in what is replaced"
    return None


def set_in_passing(module: Module, function: ast.AST, edits: Iterable[Edit]) -> str | None:
    """An attribute or item that a loop, a comprehension or a ``with`` in edited code sets."""
    spans = [edit.span for edit in edits]
    for node in everything_in(function):
        target = getattr(node, _SETTING[type(node)]) if type(node) in _SETTING else None
        for place in set_elsewhere(target) if target is not None else ():
            if any(span.covers(module.span(place)) for span in spans):
                return f"`{module.source(place)}` is set by what is replaced"
    return None


def _repeated(nodes: list[ast.AST]) -> set[ast.AST]:
    """What statements of loops bind with ``:=``, once a step."""
    return {
        inner
        for loop in nodes
        if isinstance(loop, (ast.For, ast.AsyncFor, ast.While))
        for part in (*loop.body, *([loop.test] if isinstance(loop, ast.While) else []))
        for inner in everything_in(part)
        if isinstance(inner, ast.NamedExpr)
    }


def assumed_unread(before: ast.Module, spans: list[Span]) -> str | None:
    """What is assumed of the names that only loops of the module bind, within edited ``spans``."""
    names = [f"`{name}`" for name in sorted(_of_loops(before, spans))]
    if not names:
        return None
    return assuming([f"no other file reads {listed(names)}"])


def left(tree: ast.Module) -> dict[str, ast.stmt]:
    """The names that statements of a module bind outside of loops, with the last that does."""
    found: dict[str, ast.stmt] = {}
    waiting: list[ast.stmt] = [*tree.body]
    while waiting:
        statement = waiting.pop(0)
        if isinstance(statement, _INNER) or _only_run(statement):
            continue
        waiting[:0] = [node for node in children(statement) if isinstance(node, ast.stmt)]
        found |= dict.fromkeys(_stored(statement), statement)
    return found


def is_list(statement: ast.stmt) -> bool:
    """Whether a statement binds one name to a new list."""
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return False
    value = statement.value
    called = value.func if isinstance(value, ast.Call) else None
    return isinstance(value, (ast.List, ast.ListComp)) or (
        isinstance(called, ast.Name) and called.id == "list"
    )


def _stored(node: ast.AST) -> Iterator[str]:
    """The names that a node binds, other than by loops and statements in it."""
    for part in children(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        if not isinstance(part, (*_INNER, ast.stmt)):
            yield from _stored(part)


def _only_run(statement: ast.stmt) -> bool:
    """``if __name__ == "__main__":``"""
    return isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)


def _of_loops(tree: ast.Module, spans: list[Span]) -> set[str]:
    """The names that only loops of a module bind, in edited code."""
    found: set[str] = set()
    waiting: list[ast.stmt] = [*tree.body]
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, _SCOPES) or _only_run(statement):
            continue
        if isinstance(statement, (ast.For, ast.AsyncFor, ast.While)):
            found |= {
                node.id
                for node in everything_in(statement)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
                if any(_holds(span, node) for span in spans)
            }
        else:
            waiting += [n for n in children(statement) if isinstance(n, ast.stmt)]
    return found - left(tree).keys() - {"_"}


def _named_as_data(tree: ast.Module, names: set[str]) -> set[str]:
    """Those of the names that the file lists in ``__all__``; all where it asks for its names."""
    listed: set[str] = set()
    for node in everything_in(tree) if names else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in _EVERY_NAME and not node.args:
                return names
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and node.value is not None:
            if "__all__" in _stored(node):
                parts = everything_in(node.value)
                listed |= {str(part.value) for part in parts if isinstance(part, ast.Constant)}
    return names & listed


def _declared(tree: ast.Module, spans: list[Span]) -> Iterator[tuple[str, int]]:
    """Names declared to belong elsewhere that are bound within ``spans``, with the lines of their
    declarations."""
    for function in everything_in(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        declared = {
            name: node.lineno
            for node in everything_in(function)
            if isinstance(node, (ast.Global, ast.Nonlocal))
            for name in node.names
        }
        for node in everything_in(function) if declared else ():
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                if node.id in declared and any(_holds(span, node) for span in spans):
                    yield node.id, declared[node.id]


def _holds(span: Span, node: ast.Name) -> bool:
    place = (node.lineno, node.col_offset + 1)
    return (span.line, span.column) <= place < (span.end_line, span.end_column)
