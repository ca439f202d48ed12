"""Weights that a caller has to ask for: they are computed where a flag of the function says so,
which is off unless it is given, and the attention itself goes without them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from auditor.expressions.removal import ServedRegion
from auditor.notation import Span, Value
from auditor.tree import ancestors
from auditor.verdict import Edit

_LEAVES = (ast.Return, ast.Raise)


@dataclass(frozen=True)
class Demand:
    """The flag of the function under which alone some names are read, and these reads."""

    flag: str
    reads: frozenset[ast.expr]


def demand(region: ServedRegion, values: Iterable[Value]) -> Demand | None:
    """Under which flag ``values`` are used besides the expression of a region; None where no use of
    them waits for one, or some for another."""
    flags = _flags(region)
    if not flags:
        return None
    asked: dict[ast.expr, str] = {}
    for value in values:
        for load in region.reads_of(value, (region.node,)):
            under = next((name for name in _holding(region, load) if name in flags), None)
            if under is not None:
                asked[load] = under
    if len({*asked.values()}) != 1:
        return None
    return Demand(next(iter(asked.values())), frozenset(asked))


def _flags(region: ServedRegion) -> frozenset[str]:
    """Parameters that are off unless they are given, and keep what they are given."""
    function = region.lifted.node
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return frozenset()
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    pairs = [*zip(plain[len(plain) - len(given.defaults) :], given.defaults, strict=True),
             *zip(given.kwonlyargs, given.kw_defaults, strict=True)]  # fmt: skip
    return frozenset(
        one.arg for one, default in pairs
        if isinstance(default, ast.Constant) and (default.value is None or default.value is False)
        and one.arg not in region.bound
    )  # fmt: skip


def _holding(region: ServedRegion, load: ast.expr) -> Iterator[str]:
    """The names that are certainly true where ``load`` is evaluated."""
    inner: ast.AST = load
    for outer in ancestors(load, region.parents):
        if isinstance(outer, ast.If):
            if inner in outer.body:
                yield from _true(outer.test)
            elif inner in outer.orelse:
                yield from _false(outer.test)
        elif isinstance(outer, ast.IfExp):
            if inner is outer.body:
                yield from _true(outer.test)
            elif inner is outer.orelse:
                yield from _false(outer.test)
        if isinstance(inner, ast.stmt):
            block = region.siblings(inner)
            for before in block[: block.index(inner)]:
                if isinstance(before, ast.If) and isinstance(before.body[-1], _LEAVES):
                    yield from _false(before.test)
        inner = outer
        if outer is region.lifted.node:
            return


def _true(test: ast.expr) -> Iterator[str]:
    """The names that are true where a test is."""
    if isinstance(test, ast.Name):
        yield test.id
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for part in test.values:
            yield from _true(part)


def _false(test: ast.expr) -> Iterator[str]:
    """The names that are true where a test is not."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _true(test.operand)


def under_flag(
    region: ServedRegion, statements: Collection[ast.stmt], flag: str
) -> list[Edit] | None:
    """``statements`` put under the flag, where they stand; None where their lines are not their
    own."""
    whole = [
        s for s in statements if not any(s is not o and region.within(s, o) for o in statements)
    ]
    edits: list[Edit] = []
    for block in _blocks(region, whole):
        for together, run in groupby(enumerate(block), lambda pair: pair[1] in whole):
            if together:
                edit = _indented(region, [statement for _, statement in run], flag)
                if edit is None:
                    return None
                edits.append(edit)
    return edits


def _blocks(region: ServedRegion, statements: Iterable[ast.stmt]) -> list[list[ast.stmt]]:
    found: list[list[ast.stmt]] = []
    for statement in statements:
        block = region.siblings(statement)
        if not any(block is other for other in found):
            found.append(block)
    return found


def _indented(region: ServedRegion, run: list[ast.stmt], flag: str) -> Edit | None:
    lines = region.module.lines
    first, last = run[0].lineno, run[-1].end_lineno or run[-1].lineno
    outside = [s for s in region.siblings(run[0]) if s not in run]
    if any(s.lineno <= last and (s.end_lineno or s.lineno) >= first for s in outside):
        return None
    text = "".join(lines[first - 1 : last])
    if '"""' in text or "'''" in text or "\\\n" in text or ";" in text:
        return None
    indent = region.indent(run[0])
    if lines[first - 1][: run[0].col_offset].strip():
        return None
    step = region.module.block_indent
    moved = "".join(step + line if line.strip() else line for line in lines[first - 1 : last])
    if not moved.endswith("\n"):
        moved += "\n"
    return Edit(Span(first, 1, last + 1, 1), f"{indent}if {flag}:\n{moved}")
