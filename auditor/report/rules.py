"""The catalog and its rules, for reading."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from auditor.report.json import dumps
from auditor.report.lines import Line, Style, line


class Example(Protocol):
    """A program before and after a rewrite."""

    @property
    def before(self) -> str: ...
    @property
    def after(self) -> str: ...
    @property
    def title(self) -> str: ...


class Rewrite(Protocol):
    """What a rule page shows of a rewrite."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def doc(self) -> str: ...
    @property
    def properties(self) -> tuple[str, ...]: ...
    @property
    def kernel(self) -> str | None: ...
    @property
    def applicability(self) -> str: ...
    @property
    def examples(self) -> Sequence[Example]: ...


_STYLES: dict[str, Style] = {"safe": "good", "unsafe": "fair", "advice": "dim"}


def catalog(rewrites: Sequence[Rewrite]) -> list[Line]:
    """A line for each rewrite: code, name, fix, properties, kernel."""
    rows = [
        (r.code, r.name, r.applicability, "+".join(r.properties), r.kernel or "-") for r in rewrites
    ]
    titles = ("code", "name", "fix", "needs", "kernel")
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    lines = [line((_columns(titles, widths), "title"))]
    for code, name, fix, needs, kernel in rows:
        styled = (f"{fix:<{widths[2]}}", _STYLES.get(fix, "plain"))
        rest = f"  {needs:<{widths[3]}}  {kernel}"
        lines.append(
            line((f"{code:<{widths[0]}}", "code"), f"  {name:<{widths[1]}}  ", styled, rest)
        )
    return lines


def _columns(cells: Iterable[str], widths: Iterable[int]) -> str:
    pairs = zip(cells, widths, strict=True)
    return "  ".join(f"{cell:<{width}}" for cell, width in pairs).rstrip()


def page(rewrite: Rewrite) -> list[Line]:
    """What a rule finds, why it is legal, when it pays, and its examples."""
    lines = [
        line((rewrite.code, "code"), " ", (rewrite.name, "strong")),
        line(rewrite.summary),
        (),
        line(("needs   ", "title"), ", ".join(rewrite.properties) or "-"),
        line(("fix     ", "title"), rewrite.applicability),
        line(("kernel  ", "title"), rewrite.kernel or "-"),
        (),
        *(line(row) for row in textwrap.dedent(rewrite.doc).strip().splitlines()),
    ]
    for example in rewrite.examples:
        lines += [(), line((f"Example: {example.title}", "title"))]
        lines += _code("before", example.before, "bad") + _code("after", example.after, "good")
    return lines


def _code(title: str, text: str, style: Style) -> list[Line]:
    rows = textwrap.dedent(text).strip("\n").splitlines()
    return [line(f"  {title}"), *(line(("    " + row, style)) for row in rows)]


def catalog_document(rewrites: Sequence[Rewrite]) -> str:
    """The catalog as JSON."""
    return dumps({"version": 1, "rewrites": [_entry(rewrite) for rewrite in rewrites]})


def page_document(rewrite: Rewrite) -> str:
    """One rule as JSON."""
    examples = [{"title": e.title, "before": e.before, "after": e.after} for e in rewrite.examples]
    return dumps({"version": 1, **_entry(rewrite), "doc": rewrite.doc, "examples": examples})


def _entry(rewrite: Rewrite) -> dict[str, Any]:
    return {
        "code": rewrite.code,
        "name": rewrite.name,
        "summary": rewrite.summary,
        "properties": list(rewrite.properties),
        "kernel": rewrite.kernel,
        "applicability": rewrite.applicability,
    }
