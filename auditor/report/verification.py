"""What ``audit verify`` measured, as a table or as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from auditor.report.json import dumps, problem_object
from auditor.report.lines import Line, Style, columns, line
from auditor.verdict import Problem

if TYPE_CHECKING:
    from auditor.verify.verification import VerifyRow


_TITLES = ("", "place", "rule", "inputs", "max error", "tolerance", "time", "memory", "note")


def table(rows: Sequence[VerifyRow]) -> list[Line]:
    """One line for each row, in aligned columns below their titles."""
    if not rows:
        return []
    cells = [_cells(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(_TITLES, *cells, strict=True)]
    lines = [line((columns(_TITLES, widths), "title"))]
    for row, texts in zip(rows, cells, strict=True):
        style: Style = "good" if row.ok else "bad"
        first, rest = texts[0], columns(texts[1:], widths[1:])
        lines.append(line((f"{first:<{widths[0]}}", style), "  ", rest))
    return lines


def _cells(row: VerifyRow) -> tuple[str, ...]:
    return (
        "ok" if row.ok else "FAIL",
        f"{row.path}:{row.line}",
        row.code,
        row.inputs,
        _number(row.max_error),
        _number(row.tolerance),
        _change(row.time_before, row.time_after, _seconds),
        _change(row.memory_before, row.memory_after, _bytes),
        row.note,
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2g}"


def _change(before: float | None, after: float | None, show: Any) -> str:
    """``12 ms -> 1 ms (12x)``."""
    if before is None or after is None:
        return "-"
    ratio = f" ({before / after:.3g}x)" if before and after else ""
    return f"{show(before)} -> {show(after)}{ratio}"


def _seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-6:.3g} us"


def _bytes(value: float) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f} B"


def verdict(rows: Sequence[VerifyRow]) -> Line:
    """How many rewrites were run and how many agree."""
    good = sum(row.ok for row in rows)
    ran = sum(not row.note.startswith("not verified") for row in rows)
    if not rows:
        return line(("No rewrite to verify.", "strong"))
    style: Style = "good" if good == len(rows) else "bad"
    said = f"{good} of {ran} runs agree within tolerance" if ran else "Nothing was run"
    left = f", {len(rows) - ran} not verified" if ran < len(rows) else ""
    return line((f"{said}{left}.", style))


def document(rows: Sequence[VerifyRow], problems: Sequence[Problem]) -> str:
    """The rows as JSON; what is not a finite number is null."""
    return dumps(
        {
            "version": 1,
            "errors": [problem_object(problem) for problem in problems],
            "rows": [{k: _finite(v) for k, v in asdict(row).items()} for row in rows],
        }
    )


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
