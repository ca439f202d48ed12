"""What of a file the generated module needs too: the imports, functions and constants that the
loop uses, and what those use."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable

from auditor.derive.scopes import top_level_names
from auditor.tree import children, everything_in


def known_names(tree: ast.Module) -> set[str]:
    """What any function of the file can see."""
    return {name for s in tree.body for name in top_level_names(s)} | set(dir(builtins))


def needed(
    tree: ast.Module,
    function: ast.FunctionDef | ast.AsyncFunctionDef | None,
    texts: Iterable[str],
    without: Iterable[str],
) -> list[str]:
    """The statements of the file, and the imports of the loop's function, that define what
    ``texts`` read, in their order."""
    defined: dict[str, list[ast.stmt]] = {}
    local = list(everything_in(function)) if function is not None else []
    imports = [node for node in local if isinstance(node, (ast.Import, ast.ImportFrom))]
    whole = [*tree.body, *imports]
    for statement in whole:
        for name in top_level_names(statement):
            defined.setdefault(name, []).append(statement)
    wanted = [n for text in texts for n in _names(ast.parse(text))]
    own = set(without)
    found: list[ast.stmt] = []
    while wanted:
        name = wanted.pop()
        if name in own:
            continue
        own.add(name)
        for statement in defined.get(name, []):
            if statement not in found:
                found.append(statement)
                wanted += _names(statement)
    kept = [s for s in whole if s in found]
    read = {n for text in texts for n in _names(ast.parse(text))}
    read |= {n for s in kept for n in _names(s)}
    return [ast.unparse(_trimmed(s, read)) for s in kept]


def _trimmed(statement: ast.stmt, read: set[str]) -> ast.stmt:
    """An import without the names that are not used."""
    if isinstance(statement, ast.ImportFrom):
        names = [a for a in statement.names if (a.asname or a.name) in read]
        return ast.ImportFrom(statement.module, names, statement.level)
    if isinstance(statement, ast.Import):
        return ast.Import(
            [a for a in statement.names if (a.asname or a.name).split(".")[0] in read]
        )
    return statement


def _names(node: ast.AST) -> list[str]:
    """The names that ``node`` reads and does not bind itself."""
    found = [n.id for n in everything_in(node) if isinstance(n, ast.Name)]
    scopes = [n for n in everything_in(node) if isinstance(n, ast.FunctionDef)]
    if isinstance(node, ast.FunctionDef) or len(scopes) != 1:
        own = _bound(node) if isinstance(node, ast.FunctionDef) else set()
        if len(scopes) > 1 and isinstance(node, ast.Module):
            return [name for part in node.body for name in _names(part)]
        return [name for name in found if name not in own]
    return [name for part in children(node) for name in _names(part)]


def _bound(function: ast.FunctionDef) -> set[str]:
    stored = {
        n.id
        for n in everything_in(function)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return stored | {n.arg for n in everything_in(function) if isinstance(n, ast.arg)}
