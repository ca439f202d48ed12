"""One function of a file as a tree that still has the spelling of its text, and edits of it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property

from auditor.lift.bound import stored_in
from auditor.lift.module import ClassScope, Module
from auditor.notation import Span
from auditor.surroundings.text import comments_of
from auditor.tree import children, descendants, everything_in
from auditor.verdict import Edit

Body = list[ast.stmt]


@dataclass
class Written:
    """A function as it is written. ``module`` is the file it is in; ``klass`` its class."""

    module: Module
    node: ast.FunctionDef
    klass: ClassScope | None = None

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(descendants(self.node))

    @cached_property
    def names(self) -> dict[str, list[ast.Name]]:
        """Where the function mentions a name."""
        found: dict[str, list[ast.Name]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Name):
                found.setdefault(node.id, []).append(node)
        return found

    @cached_property
    def arguments(self) -> frozenset[str]:
        """The parameters of the function and of those in it."""
        return frozenset(node.arg for node in self.nodes if isinstance(node, ast.arg))

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in self.nodes for child in children(node)}

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """Every name that the function mentions or the file binds: any other is free."""
        module = self.module
        bound = {*module.names, *module.bound}
        return frozenset(self.words() | bound | set(dir(builtins)))

    @cached_property
    def stored(self) -> frozenset[str]:
        """The names that are local to the function."""
        return stored_in(self.node) | self.arguments

    def own(self) -> Iterator[tuple[Body, int]]:
        """Every statement of the function itself, as its block and its place there."""
        stack: list[Body] = [self.node.body]
        while stack:
            block = stack.pop()
            for place, statement in enumerate(block):
                yield block, place
                if isinstance(statement, _NESTED):
                    continue
                for part in ("body", "orelse", "finalbody"):
                    inner = getattr(statement, part, None)
                    if inner:
                        stack.append(inner)

    def ancestors(self, node: ast.AST, top: ast.AST) -> Iterator[ast.AST]:
        """The nodes above ``node``, up to ``top``."""
        while node is not top:
            node = self.parents[node]
            yield node

    def bound(self, node: ast.Name) -> ast.expr | None:
        """What an assignment gives a name, alone or as one of several."""
        parent = self.parents[node]
        if isinstance(parent, ast.AnnAssign):
            return parent.value
        if isinstance(parent, ast.Tuple):
            around = self.parents[parent]
            if isinstance(around, ast.Assign) and isinstance(around.value, ast.Tuple):
                if len(around.targets) == 1 and len(around.value.elts) == len(parent.elts):
                    return around.value.elts[parent.elts.index(node)]
            return None
        if isinstance(parent, ast.Assign) and parent.targets == [node]:
            return parent.value
        return None

    def words(self, *besides: ast.AST) -> set[str]:
        """The names that the function mentions outside of some of its nodes."""
        hidden = {id(inner) for node in besides for inner in everything_in(node)}
        found: set[str] = set()
        for node in self.nodes:
            if id(node) in hidden:
                continue
            if isinstance(node, ast.Name):
                found.add(node.id)
            elif isinstance(node, ast.arg):
                found.add(node.arg)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.add(node.name)
        return found

    def fresh(self, name: str, taken: set[str]) -> str:
        """``name`` or one like it that nothing in the file is called; it is taken then."""
        made = name
        while made in self.identifiers or made in taken:
            made += "_"
        taken.add(made)
        return made

    def replaced(self, old: Body, new: Body) -> Edit | None:
        """Statements of one block, in turn, in the place of others that stand in turn."""
        first, last = old[0], old[-1]
        start, end = first.lineno, last.end_lineno or last.lineno
        lines = self.module.lines
        indent = lines[start - 1][: first.col_offset]
        rest = lines[end - 1].encode()[last.end_col_offset or 0 :].strip()
        if indent.strip() or (rest and not rest.startswith(b"#")):
            return None  # another statement on the same line
        texts = [text for statement in old for text in comments_of(self.module, statement)]
        texts += [
            line for s in new for line in ast.unparse(ast.fix_missing_locations(s)).split("\n")
        ]
        content = "".join(f"{indent}{line}\n" for line in texts)
        return Edit(Span(start, 1, end + 1, 1), content)

    def behind(self, statement: ast.stmt, line: str) -> Edit:
        """A line of its own right behind a statement."""
        indent = self.module.lines[statement.lineno - 1][: statement.col_offset]
        end = (statement.end_lineno or statement.lineno) + 1
        return Edit(Span(end, 1, end, 1), f"{indent}{line}\n")

    def swapped(self, node: ast.AST, text: str) -> Edit:
        """Other text for a part of a statement."""
        return Edit(self.module.span(node), text)


_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def loads_in(node: ast.AST) -> frozenset[str]:
    """The names that are read; ``x += 1`` reads ``x``."""
    inside = list(everything_in(node))
    read = [inner for inner in inside if isinstance(getattr(inner, "ctx", None), ast.Load)]
    read += [inner.target for inner in inside if isinstance(inner, ast.AugAssign)]
    return frozenset(inner.id for inner in read if isinstance(inner, ast.Name))


@dataclass(frozen=True)
class Respelled:
    """Edits that say something plainly, what they take for granted, and why they may be wrong."""

    edits: list[Edit]
    assumed: tuple[str, ...] = ()
    doubt: str | None = None


def exchanged(node: ast.stmt, by: Mapping[ast.AST, ast.expr]) -> ast.stmt:
    """A copy of a statement with other expressions in the place of some of its nodes."""
    return deepcopy(node, {id(each): made for each, made in by.items()})


class Swap(ast.NodeTransformer):
    """Copies a tree with other expressions for some names."""

    def __init__(self, by: dict[str, ast.expr]) -> None:
        self._by = by

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self._by.get(node.id)
        if found is None:
            return node
        made = deepcopy(found)
        if isinstance(made, ast.Name):
            made.ctx = node.ctx
        return made


def swap(node: ast.AST, by: dict[str, ast.expr]) -> ast.AST:
    """A copy of ``node`` with other expressions for some of its names."""
    return Swap(by).visit(deepcopy(node))  # type: ignore[no-any-return]


def renamed(node: ast.expr, by: dict[str, str]) -> ast.expr:
    return swap(node, {old: name(new) for old, new in by.items()})  # type: ignore[return-value]


def name(text: str, ctx: ast.expr_context | None = None) -> ast.Name:
    return ast.Name(text, ctx or ast.Load())


def assign(target: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([name(target, ast.Store())], value, lineno=0)


def append(target: str, item: ast.expr) -> ast.stmt:
    call = ast.Call(ast.Attribute(name(target), "append", ast.Load()), [item], [])
    return ast.Expr(call)


def prepend(target: str, item: ast.expr) -> ast.stmt:
    insert = ast.Attribute(name(target), "insert", ast.Load())
    return ast.Expr(ast.Call(insert, [ast.Constant(0), item], []))


Sink = Callable[[ast.expr], Body]
"""What is done with each item of what is walked."""
