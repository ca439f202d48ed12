"""The text of a function, and the edits that take statements out of it or put others in."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from auditor.lift import Lifted
from auditor.lift.module import Module
from auditor.notation import Span
from auditor.rewrite import Refused
from auditor.syntax import tight
from auditor.tree import block_of, descendants
from auditor.verdict import Edit
from auditor.writing.kept_comments import for_tools
from auditor.writing.layout import indented, width_of

_BINDING = (
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Await),
    *(ast.Attribute, ast.Subscript, ast.Call),
)
"""What may take a part of an expression that stands within it without brackets."""
_WORDS = ("return", "in", "and", "or", "not", "if")


class FunctionText:
    """The text of the function that a rewrite edits."""

    def __init__(self, lifted: Lifted) -> None:
        self.lifted = lifted
        self.module = lifted.module
        self.values = lifted.lifter.values

    @property
    def nodes(self) -> tuple[ast.AST, ...]:
        return descendants(self.lifted.node)

    @property
    def parents(self) -> Mapping[ast.AST, ast.AST]:
        return self.lifted.parents

    def siblings(self, statement: ast.stmt) -> list[ast.stmt]:
        """The block that a statement stands in."""
        return block_of(self.parents[statement], statement)

    def indent(self, statement: ast.stmt) -> str:
        line = self.module.lines[statement.lineno - 1]
        return line[: len(line) - len(line.lstrip())]

    def line_span(self, statement: ast.stmt) -> Span:
        """The whole lines of a statement, its decorations included."""
        end = statement.end_lineno or statement.lineno
        return Span(statement.lineno, 1, end + 1, 1)

    def pieces(self, block: list[ast.stmt], statement: ast.stmt) -> list[ast.stmt]:
        """What one statement of the text was made into (``auditor.lift.in_place``)."""
        if not self.module.respelled:
            return [statement]
        span = self.module.span(statement)
        return [one for one in block if self.module.span(one) == span]

    def drop(self, statement: ast.stmt, also: Collection[ast.stmt] = ()) -> Edit:
        """Remove a statement: its lines, or its part of a line that it shares. Raises ``Refused``
        where its text was made into several, of which not all are in ``also``."""
        block, span = self.siblings(statement), self.module.span(statement)
        at, pieces = block.index(statement), self.pieces(block, statement)
        if not all(piece is statement or piece in also for piece in pieces):
            raise Refused("lines", "a part of a statement goes")
        after = at + len(pieces)
        if after < len(block) and block[after].lineno == span.end_line:
            behind = self.module.span(block[after])
            return Edit(Span(span.line, span.column, behind.line, behind.column), "")
        if at and (block[at - 1].end_lineno or 0) == span.line:
            before = self.module.span(block[at - 1])
            return Edit(
                Span(before.end_line, before.end_column, span.end_line, span.end_column), ""
            )
        if self.module.lines[span.line - 1][: span.column - 1].strip():
            return Edit(span, "pass")  # behind the header of its block
        return Edit(self.line_span(statement), "")

    def drops(self, statements: Iterable[ast.stmt]) -> list[Edit]:
        """Remove statements: whole lines, or their part of a line that others share with them."""
        gone, edits = set(statements), list[Edit]()
        for statement in gone:
            if not gone.issuperset(self.pieces(self.siblings(statement), statement)):
                raise Refused("lines", "a part of a statement goes")
            row = [s for s in self.siblings(statement) if s.lineno == statement.lineno]
            kept = [s for s in row if s not in gone]
            first, last = self.module.span(row[0]), self.module.span(row[-1])
            if kept and statement is next(s for s in row if s in gone):
                whole = Span(first.line, first.column, last.end_line, last.end_column)
                edits.append(Edit(whole, "; ".join(self.module.source(s) for s in kept)))
            elif not kept and statement is row[0]:
                edits.append(Edit(Span(first.line, 1, last.end_line + 1, 1), ""))
        return edits

    def replace_lines(self, statement: ast.stmt, lines: list[str]) -> Edit:
        """Replace a statement by lines at its indentation, keeping the comments inside it. Raises
        ``Refused`` where another statement stands on its line."""
        block = self.siblings(statement)
        for one in block:
            end = one.end_lineno or one.lineno
            if (
                one is not statement
                and one.lineno <= (statement.end_lineno or 0)
                and statement.lineno <= end
            ):
                raise Refused("lines", "another statement stands on its line")
        indent = self.indent(statement)
        newline = "\r\n" if self.module.lines[0].endswith("\r\n") else "\n"
        step = self.module.block_indent
        whole = [*self.comments(statement), *(indented(line, step) for line in lines)]
        text = [f"{indent}{line}" if line else "" for line in whole]
        return Edit(self.line_span(statement), "".join(f"{line}{newline}" for line in text))

    def replace(self, node: ast.expr, text: str) -> Edit:
        """Replace an expression, in brackets where what stands around it binds more tightly."""
        return Edit(self.module.span(node), self._bracketed(node, text))

    def _bracketed(self, node: ast.expr, text: str) -> str:
        """``text``, or in brackets where it would be taken apart in place of ``node``."""
        parent = self.parents.get(node)
        if not isinstance(parent, _BINDING) or tight(text) == text:
            return text
        around, own = self.module.span(parent), self.module.span(node)
        before = self.module.slice(replace(around, end_line=own.line, end_column=own.column))
        after = self.module.slice(replace(around, line=own.end_line, column=own.end_column))
        try:
            plain, safe = (
                ast.dump(ast.parse(f"({before}{held}{after}\n)", mode="eval"))
                for held in (text, f"({text})")
            )
        except SyntaxError:
            return f"({text})"
        return text if plain == safe else f"({text})"

    def without_brackets(self, node: ast.expr) -> Span:
        """The span of a node with the brackets that only group it."""
        span = self.module.span(node)
        while True:
            before = _opens_before(self.module, span)
            after = _closes_after(self.module, span)
            if before is None or after is None:
                return span
            text = self.module.lines[before[0] - 1][: before[1] - 1]
            outside = text.rstrip()
            if outside and (outside[-1].isalnum() or outside[-1] in "_)]}\"'"):
                word = re.search(r"\w+$", outside)
                if word is None or word.group() not in _WORDS or text == outside:
                    return span
            span = Span(*before, after[0], after[1] + 1)

    @cached_property
    def width(self) -> int:
        return width_of(self.module.lines)

    def comments(self, statement: ast.stmt) -> list[str]:
        return comments_of(self.module, statement)


def _opens_before(module: Module, span: Span) -> tuple[int, int] | None:
    line, text = span.line, module.lines[span.line - 1][: span.column - 1]
    while not text.strip():
        line -= 1
        if line < 1:
            return None
        text = module.lines[line - 1].rstrip("\r\n")
    text = text.rstrip()
    return (line, len(text)) if text.endswith("(") else None


def _closes_after(module: Module, span: Span) -> tuple[int, int] | None:
    line, offset = span.end_line, span.end_column - 1
    text = module.lines[line - 1].rstrip("\r\n")
    while not text[offset:].strip():
        line, offset = line + 1, 0
        if line > len(module.lines):
            return None
        text = module.lines[line - 1].rstrip("\r\n")
    place = offset + len(text[offset:]) - len(text[offset:].lstrip())
    return (line, place + 1) if text[place] == ")" else None


def comments_of(module: Module, statement: ast.stmt) -> list[str]:
    """Comments on lines of their own inside a statement, and at the ends of its lines."""
    end = statement.end_lineno or statement.lineno
    source = "".join(module.lines[statement.lineno - 1 : end])
    found: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT and not for_tools(token.string):
                found.append(token.string)
    except (tokenize.TokenError, IndentationError, SyntaxError):
        # A block cut out of its function ends in a dedent that tokenize may object to, after
        # all of its comments were seen.
        pass
    return found
