"""Comments inside of what a fix replaces: they stay, on lines of their own above the statement."""

from __future__ import annotations

import io
import re
import tokenize
from collections import Counter
from collections.abc import Container, Iterator

from auditor.lift.module import Module
from auditor.notation import Span
from auditor.verdict import Edit

_FOR_TOOLS = re.compile(r"#\s*(type|noqa|fmt|pragma|pylint|mypy|pyright|audit)\b")


def for_tools(comment: str) -> bool:
    """Whether a comment speaks to a program, about the line that it stands on."""
    return _FOR_TOOLS.match(comment) is not None


def with_comments(module: Module, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits, with the comments inside of expressions of several lines that none of them has."""
    # what replaces whole lines keeps their comments itself
    several = [e for e in edits if e.span.end_line > e.span.line and e.span.column > 1]
    if not any("#" in module.slice(edit.span) for edit in several):
        return edits
    new = Counter(text for edit in edits for _, text in _comments(edit.content))
    added: list[Edit] = []
    every = list(_comments(module.text))
    for edit in several:
        lost: list[str] = []
        for (line, column), text in every:
            if edit.span.covers(Span(line, column, line, column)):
                new[text] -= 1
                if new[text] < 0 and not for_tools(text):
                    lost.append(text)
        if lost:
            line = _statement_line(module, edit.span)
            indent = re.match(r"\s*", module.lines[line - 1]).group()  # type: ignore[union-attr]
            above = "".join(f"{indent}{text}\n" for text in lost)
            added.append(Edit(Span(line, 1, line, 1), above))
    return tuple(sorted([*edits, *added], key=lambda edit: edit.span)) if added else edits


def leaving_comments(module: Module, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits; those that remove simple statements leave the comments at the ends of their lines,
    each once, but for what another one moves."""
    said = {text for edit in edits for _, text in _comments(edit.content)}
    left: list[Edit] = []
    for edit in edits:
        left.append(_leaving(module, edit, said))
        said.update(text for _, text in _comments(left[-1].content))
    return tuple(left)


def _leaving(module: Module, edit: Edit, said: Container[str]) -> Edit:
    span = edit.span
    if edit.content or not span.column == span.end_column == 1:
        return edit
    gone = [line for line in module.lines[span.line - 1 : span.end_line - 1] if line.strip()]
    indents = {line[: len(line) - len(line.lstrip())] for line in gone}
    if len(indents) != 1:
        return edit  # a block, which its comments are about
    (indent,) = indents
    text = "".join(line.lstrip() for line in gone)
    every = dict.fromkeys(comment for _, comment in _comments(text))
    kept = [one for one in every if not for_tools(one) and one not in said]
    return Edit(span, "".join(f"{indent}{comment}\n" for comment in kept))


def _statement_line(module: Module, span: Span) -> int:
    """Where the innermost statement around a place begins."""
    return max(
        node.lineno for node in module.statements
        if (node.lineno, 0) <= (span.line, span.column)
        and span.end_line <= (node.end_lineno or node.lineno)
    )  # fmt: skip


def _comments(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """The comments of a text up to where it cannot be read, each with its line and column."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield (token.start[0], token.start[1] + 1), token.string
    except (tokenize.TokenError, SyntaxError):
        return
