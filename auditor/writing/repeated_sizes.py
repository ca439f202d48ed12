"""Sizes that a fix writes out several times get a name, as a person would give them one.

``a[: min(a.shape[0], len(b))]`` and ``b[: min(a.shape[0], len(b))]`` become ``a[:steps]`` and
``b[:steps]`` below ``steps = min(a.shape[0], len(b))``. Only the least or greatest of sizes, in
functions, and where nothing that it reads is bound between its uses.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.lift.module import Module
from auditor.source import Places
from auditor.tree import children, everything_in
from auditor.verdict import Edit
from auditor.writing.written import Lines, Written, written

NAMES = ("steps", "length", "count", "size")
"""What they are called: the first name that the file does not have."""

_BOUNDS = ("min", "max")
_LATER = (
    ast.For, ast.While, ast.If, ast.With, ast.Try, ast.Match, ast.FunctionDef, ast.ClassDef,
    ast.Lambda, ast.comprehension, ast.NamedExpr, ast.IfExp, ast.BoolOp,
)  # fmt: skip
"""What may run some of its parts later, several times or not at all."""

_SEES_NAMES = re.compile(r"\b(locals|vars|exec|eval)\s*\(")


def named(module: Module, scope: str, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits of a fix in a function, with names for sizes that they repeat."""
    text = module.text
    added = "\n".join(edit.content for edit in edits)
    many = any(added.count(f"{bound}(") > 1 for bound in _BOUNDS)
    if scope == "<module>" or not many or _SEES_NAMES.search(text):
        return edits
    made = written(module.tree, text, edits)
    free = [name for name in NAMES if not re.search(rf"\b{name}\b", text + added)]
    if made is None or not free:
        return edits
    try:
        blocks = list(_blocks(ast.parse(made.new)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return edits
    places = Places(made.new)
    for block in blocks:
        repeated = _repeated(block, [n for n, s in enumerate(block) if _touched(s, made, places)])
        if repeated:
            return made.merged(list(_changes(block, repeated, free[0], made, places)))
    return edits


def _blocks(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """Statements that follow each other in a function."""
    for node in everything_in(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for inner in everything_in(node):
                for field in ("body", "orelse", "finalbody"):
                    block = getattr(inner, field, None)
                    if isinstance(block, list) and not isinstance(inner, ast.ClassDef):
                        yield block


def _touched(node: ast.stmt | ast.expr, made: Written, places: Places) -> bool:
    start = places.offset(node.lineno, 1)
    end = places.offset((node.end_lineno or node.lineno) + 1, 1)
    if start is None or end is None:
        return False
    return any(shift.start < end and shift.end > start for shift in made.shifts)


def _repeated(block: list[ast.stmt], touched: list[int]) -> list[tuple[int, ast.Call]]:
    """The places of the first least or greatest of sizes that the touched statements of a block
    write more than once, none of which is evaluated after what it reads is bound anew; each with
    its statement's number. No other statement is between them, where another fix could bind the
    same name."""
    found: dict[str, list[tuple[int, ast.Call]]] = {}
    for number in touched:
        for call in _bounds(block[number]):
            found.setdefault(ast.dump(call), []).append((number, call))
    for at in found.values():
        if len(at) > 1 and set(range(at[0][0], at[-1][0])) <= set(touched) and _stays(block, at):
            return at
    return []


def _changes(
    block: list[ast.stmt],
    repeated: list[tuple[int, ast.Call]],
    name: str,
    made: Written,
    places: Places,
) -> Iterator[tuple[Lines, str]]:
    """The statements with the name in those places, below one that binds it."""
    first = repeated[0][0]
    for number in sorted({number for number, _ in repeated}):
        node = block[number]
        calls = [call for at, call in repeated if at == number]
        start, end = node.lineno, node.end_lineno or node.lineno
        lines = places.lines[start - 1 : end]
        for call in sorted(calls, key=lambda c: (c.lineno, c.col_offset), reverse=True):
            line = lines[call.lineno - start]
            lines[call.lineno - start] = (
                line[: call.col_offset] + name + line[call.end_col_offset :]
            )
        if number == first:
            margin = lines[0][: node.col_offset]
            lines.insert(0, f"{margin}{name} = {ast.unparse(calls[0])}\n")
        begin, stop = places.offset(start, 1), places.offset(end + 1, 1)
        assert begin is not None and stop is not None
        yield Lines(start, end, begin, stop, False), "".join(lines)


def _bounds(node: ast.AST) -> Iterator[ast.Call]:
    """Outermost calls of min and max of sizes, in the order in which they are written."""
    if isinstance(node, ast.Call) and _is_bound(node):
        yield node
        return
    for child in children(node):
        yield from _bounds(child)


def _is_bound(call: ast.Call) -> bool:
    function = isinstance(call.func, ast.Name) and call.func.id in _BOUNDS
    return function and len(call.args) > 1 and not call.keywords and all(map(_is_size, call.args))


def _is_size(node: ast.expr) -> bool:
    match node:
        case ast.Name() | ast.Constant(value=int()):
            return True
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=ast.Constant(value=int())):
            return isinstance(node.value, ast.Attribute) and _is_name(node.value.value)
        case ast.Call(func=ast.Name(id="len"), args=[one], keywords=[]):
            return _is_name(one)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return _is_size(left) and _is_size(right)
        case ast.Call():
            return _is_bound(node)
    return False


def _is_name(node: ast.expr) -> bool:
    """A name, or an attribute of one."""
    return isinstance(node.value if isinstance(node, ast.Attribute) else node, ast.Name)


def _stays(block: list[ast.stmt], repeated: list[tuple[int, ast.Call]]) -> bool:
    """Whether all places are evaluated, in simple statements, with the same values."""
    numbers = [number for number, _ in repeated]
    within = block[min(numbers) : max(numbers) + 1]
    call = repeated[0][1]
    read = {node.id for node in everything_in(call) if isinstance(node, ast.Name)}
    bound = {
        node.id
        for statement in within[:-1]
        for node in everything_in(statement)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    return (
        not bound & read
        and not any(isinstance(node, _LATER) for s in within for node in everything_in(s))
        and all(each.lineno == each.end_lineno for _, each in repeated)
    )
