"""The catalog and its rules, for reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from auditor.report.json import dumps
from auditor.report.lines import Line, Style, columns, line
from auditor.report.pages import Rewrite, parts

_STYLES: dict[str, Style] = {"safe": "good", "unsafe": "fair", "advice": "dim"}


def catalog(rewrites: Sequence[Rewrite]) -> list[Line]:
    """A line for each rewrite: code, name, fix, properties, kernel."""
    rows = [
        (r.code, r.name, r.applicability, "+".join(r.properties), r.kernel or "-") for r in rewrites
    ]
    titles = ("code", "name", "fix", "needs", "kernel")
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    lines = [line((columns(titles, widths), "title"))]
    for code, name, fix, needs, kernel in rows:
        styled = (f"{fix:<{widths[2]}}", _STYLES.get(fix, "plain"))
        rest = f"  {needs:<{widths[3]}}  {kernel}"
        lines.append(
            line((f"{code:<{widths[0]}}", "code"), f"  {name:<{widths[1]}}  ", styled, rest)
        )
    return lines


def page(rewrite: Rewrite) -> list[Line]:
    """What a rule finds, why it is legal, when it pays, its examples and what it leaves alone."""
    lines: list[Line] = [line((rewrite.code, "code"), " ", (rewrite.name, "strong"))]
    for part in parts(rewrite):
        if part.kind == "title":
            lines += [(), line((part.text, "title"))]
        elif part.kind == "fact":
            lines.append(line((f"{part.label:<8}", "title"), part.text))
        elif part.kind == "code":
            rows = part.text.splitlines()
            style: Style = {"before": "bad", "after": "good"}.get(part.label, "plain")  # type: ignore[assignment]
            lines += [line(f"  {part.label}"), *(line(("    " + row, style)) for row in rows)]
        else:
            lines += [*(line(row) for row in part.text.splitlines()), ()]
    return lines


def catalog_document(rewrites: Sequence[Rewrite]) -> str:
    """The catalog as JSON."""
    return dumps({"version": 1, "rewrites": [_entry(rewrite) for rewrite in rewrites]})


def page_document(rewrite: Rewrite) -> str:
    """One rule as JSON."""
    examples = [{"title": e.title, "before": e.before, "after": e.after} for e in rewrite.examples]
    refused = [{"condition": r.condition, "source": r.source} for r in rewrite.refused]
    told = {"doc": rewrite.doc, "examples": examples, "refused": refused}
    return dumps({"version": 1, **_entry(rewrite), **told})


def _entry(rewrite: Rewrite) -> dict[str, Any]:
    return {
        "code": rewrite.code,
        "name": rewrite.name,
        "summary": rewrite.summary,
        "properties": list(rewrite.properties),
        "kernel": rewrite.kernel,
        "applicability": rewrite.applicability,
        "becomes": rewrite.becomes,
    }
