"""Comments that silence findings.

``# audit: ignore[ASC101] reason`` on a statement's line or on the line above it silences ASC101
there. Names (``linear-recurrence``) and prefixes (``ASC``) may stand for codes, several with
commas; without brackets every rule is meant. ``# audit: file-ignore[ASC101]`` does so for the whole
file. A directive that silences nothing is reported as a warning.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from auditor.selection import EVERY_RULE, Rule, enabled, specificity
from auditor.source import split_lines
from auditor.verdict import Finding

_DIRECTIVE = re.compile(r"#\s*audit:\s*(?P<file>file-)?ignore(?![\w-])\s*(?P<codes>\[[^\]]*\]|\[)?")
_LAYOUT = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)


@dataclass(frozen=True)
class Directive:
    """One comment. ``first`` and ``last`` are the lines it covers; it covers the lines of one
    whole statement header, so that a comment may stand on any line of a long call."""

    line: int
    column: int
    selectors: tuple[str, ...]
    first: int
    last: int

    def silences(self, line: int, rule: Rule) -> bool:
        """Whether ``line`` is covered and ``rule`` is named."""
        named = any(specificity(selector, rule) for selector in self.selectors)
        return named and self.first <= line <= self.last


@dataclass(frozen=True)
class Caution:
    """A warning about a place in a file: it does not change the exit status."""

    path: str
    line: int
    column: int
    message: str


def directives(text: str) -> tuple[Directive, ...]:
    """The directives of a Python text, in order; strings that look like one do not count."""
    if "audit:" not in text:
        return ()
    return tuple(_covering(text))


def _covering(text: str) -> Iterator[Directive]:
    """Each directive with the statement header that it stands on or above."""
    pending: list[tokenize.TokenInfo] = []
    first = 0
    for token in _tokens(text):
        if token.type == tokenize.COMMENT:
            pending.append(token)
        elif token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
            last = token.start[0]
            yield from _directives_of(pending, first or last, last)
            pending, first = [], 0
        elif token.type not in _LAYOUT and not first:
            first = token.start[0]


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """Tokens up to the first place that cannot be read."""
    unified = "".join(line.rstrip("\r\n") + "\n" for line in split_lines(text))
    try:
        yield from tokenize.generate_tokens(io.StringIO(unified).readline)
    except (tokenize.TokenError, SyntaxError):
        return


def _directives_of(
    comments: Iterable[tokenize.TokenInfo], first: int, last: int
) -> Iterator[Directive]:
    for comment in comments:
        for match in _DIRECTIVE.finditer(comment.string):
            line, column = comment.start[0], comment.start[1] + match.start() + 1
            selectors = _selectors(match["codes"])
            if match["file"]:
                yield Directive(line, column, selectors, 1, 10**9)
            else:
                yield Directive(line, column, selectors, first, last)


def _selectors(codes: str | None) -> tuple[str, ...]:
    """What stands in the brackets; an unclosed bracket names nothing."""
    if codes is None:
        return (EVERY_RULE,)
    return tuple(name for name in re.split(r"[\s,]+", codes.strip("[]")) if name)


def silence(
    findings: Sequence[Finding], found: Sequence[Directive]
) -> tuple[tuple[Finding, ...], tuple[Directive, ...]]:
    """The findings that no directive silences, and the directives that silence nothing."""
    places = [(f.span.line, Rule(f.code or "", f.rewrite or "")) for f in findings]
    kept = tuple(
        finding
        for finding, place in zip(findings, places, strict=True)
        if not any(directive.silences(*place) for directive in found)
    )
    idle = tuple(d for d in found if not any(d.silences(*place) for place in places))
    return kept, idle


def idle_warnings(
    path: str,
    idle: Iterable[Directive],
    rules: Sequence[Rule],
    select: Sequence[str],
    ignore: Sequence[str],
) -> tuple[Caution, ...]:
    """Warnings for directives that silence nothing, unless the rules they name are switched off."""
    cautions = []
    for directive in idle:
        named = [r for r in rules if any(specificity(s, r) for s in directive.selectors)]
        if named and not any(enabled(rule, select, ignore) for rule in named):
            continue
        why = "silences nothing" if named else "names no rule"
        message = f"unused ignore: [{', '.join(directive.selectors)}] {why}; remove the comment"
        cautions.append(Caution(path, directive.line, directive.column, message))
    return tuple(cautions)
