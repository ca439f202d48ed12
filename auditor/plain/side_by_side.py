"""Lists that are bound beside other names, each in a statement of its own.

``out, total = [], 0`` is ``out = []`` and ``total = 0``: what is bound there is not read there.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from auditor.plain.text import Body, Written
from auditor.syntax import path_of
from auditor.tree import everything_in
from auditor.verdict import Edit

BESIDE = r"\n[ \t]*[(\[]?\w+, ?[\w, ]*[)\]]? = [^\n]*\[\]"
"""Where several names are bound at once, to an empty list among others."""


def side_by_side(written: Written) -> Iterator[list[Edit]]:
    """One statement after the other."""
    declared = (n for n in written.nodes if isinstance(n, (ast.Global, ast.Nonlocal)))
    shared = frozenset(name for node in declared for name in node.names)
    for block, place in written.own():
        single = _single(written, block[place], shared)
        edit = written.replaced([block[place]], single) if single else None
        if edit is not None:
            yield [edit]


def _single(written: Written, statement: ast.stmt, shared: frozenset[str]) -> Body:
    """The statements that bind one name each; none where it may be seen that they do it in turn."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return []
    target, values = statement.targets[0], statement.value
    if not all(isinstance(side, (ast.Tuple, ast.List)) for side in (target, values)):
        return []
    names, made = target.elts, values.elts  # type: ignore[attr-defined]
    bound = {name.id for name in names if isinstance(name, ast.Name)}
    if len(bound) != len(names) or len(names) != len(made) or bound & shared:
        return []
    if not any(isinstance(value, ast.List) and not value.elts for value in made):
        return []
    if any(_may_read(written, value, bound) for value in made):
        return []
    return [ast.Assign([name], value) for name, value in zip(names, made, strict=True)]


def _may_read(written: Written, value: ast.expr, bound: set[str]) -> bool:
    """Whether a value may be another once some names are bound: it reads them, or calls what the
    function defines."""
    for node in everything_in(value):
        if isinstance(node, (ast.Starred, ast.NamedExpr, ast.Lambda, ast.Yield, ast.Await)):
            return True
        if isinstance(node, ast.Name) and node.id in bound:
            return True
        if isinstance(node, ast.Call) and not _of_others(written, node.func):
            return True
    return False


def _of_others(written: Written, called: ast.expr) -> bool:
    """Whether a function is a library's or Python's own, which reads no names of this one."""
    plain = isinstance(called, ast.Name) and called.id not in written.stored
    return path_of(written.module, called) is not None or (
        plain and hasattr(builtins, ast.unparse(called))
    )
