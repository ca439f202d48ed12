"""Writes what the documentation takes from the tool itself; run it after a change to a rule.

    python docs/generate.py

Rule pages come from the catalog, the tables of README.md and book.md from the catalog and from
audits of examples/ and docs/book_programs.py, and the picture from the command line.
tests/test_docs.py compares all of it with what is there.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from auditor.rewrites import CATALOG

from auditor.audit import Options, audit_text
from auditor.cli import main
from auditor.report.pages import markdown, table
from auditor.verdict import PROPERTIES, Finding

ROOT = Path(__file__).resolve().parent.parent

CHAPTER = {
    "sum": "total",
    "mean": "mean",
    "variance": "variance",
    "softmax": "softmax",
    "softmax, as a loop": "running_softmax",
    "max": "maximum",
    "median": "median",
}

# The source book's own answers, property by property.
BOOK = {
    "associativity": ("yes", "yes", "yes"),
    "separability": ("partial", "no", "yes"),
    "locality": ("yes", "partial", "yes"),
    "sparsity": ("no", "partial", "partial"),
    "redundancy": ("partial", "yes", "yes"),
    "symmetry": ("no", "no", "yes"),
}
PROBLEMS = (
    ("examples/mamba_scan.py", "selective_scan"),
    ("docs/book_programs.py", "largest_of_chunks"),
    ("docs/book_programs.py", "pairwise_forces"),
)


def audited(path: str) -> dict[str, Finding]:
    """What is said about each function of a file: about its outermost loop, or else about its last
    expression."""
    report = audit_text((ROOT / path).read_text(encoding="utf-8"), path, Options(everything=True))
    found: dict[str, Finding] = {}
    for finding in sorted((*report.findings, *report.computations), key=lambda f: f.span):
        known = found.get(finding.scope)
        if known is None or known.span.line == known.span.end_line:
            found[finding.scope] = finding
    return found


def verdicts(finding: Finding) -> list[str]:
    """The six answers, each with what it rests on."""
    told = [finding.properties[name] for name in PROPERTIES]
    return [f"{v.verdict} ({v.basis})" if v.basis else v.verdict for v in told]


def worked_problems() -> str:
    """The book's three problems: its answers and ours."""
    ours = [verdicts(audited(path)[scope]) for path, scope in PROBLEMS]
    lines = [
        "| | Mamba scan: book | audit | top-K: book | audit | N-body: book | audit |",
        "|---|---|---|---|---|---|---|",
    ]
    for row, name in enumerate(PROPERTIES):
        pairs = zip(BOOK[name], (column[row] for column in ours), strict=True)
        cells = [cell for pair in pairs for cell in pair]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def chapter() -> str:
    """The programs of the chapter on associativity."""
    known = audited("docs/book_programs.py")
    rows = [(title, verdicts(known[scope])) for title, scope in CHAPTER.items()]
    return _rows("program", rows)


def examples() -> str:
    """The programs in examples/."""
    rows = []
    for path in sorted((ROOT / "examples").glob("*.py")):
        known = audited(f"examples/{path.name}")
        # What runs an example is none of its programs.
        shown = {
            scope: finding
            for scope, finding in known.items()
            if scope not in ("", "<module>") and not scope.endswith("_inputs")
        }
        for scope, finding in shown.items():
            said = finding.code or "no rewrite"
            rows.append((f"{path.stem}: `{scope}` ({said})", verdicts(finding)))
    return _rows("program", rows)


def _rows(title: str, rows: list[tuple[str, list[str]]]) -> str:
    head = f"| {title} | {' | '.join(PROPERTIES)} |\n|{'---|' * (1 + len(PROPERTIES))}\n"
    return head + "".join(f"| {name} | {' | '.join(cells)} |\n" for name, cells in rows)


def picture() -> str:
    """The report on the Mamba example, as the terminal shows it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "finding.svg"
        before = Path.cwd()
        os.chdir(ROOT)
        try:
            main(
                [
                    *("check", "examples/mamba_scan.py", "--output-format", "svg"),
                    *("--output-file", str(file), "--isolated", "--no-cache"),
                ]
            )
        finally:
            os.chdir(before)
        return file.read_text(encoding="utf-8")


def between(text: str, name: str, content: str) -> str:
    """``text`` with ``content`` between the comments ``<!-- name -->`` and ``<!-- /name -->``."""
    start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    head, _, rest = text.partition(start)
    _, found, tail = rest.partition(end)
    if not found:
        raise ValueError(f"no place for {name}")
    return head + start + content + end + tail


def texts() -> Iterator[tuple[Path, str]]:
    """Every generated file with what it should hold."""
    for rewrite in CATALOG:
        yield ROOT / "docs" / "rules" / f"{rewrite.code}.md", markdown(rewrite)
    readme = ROOT / "README.md"
    yield readme, between(readme.read_text(encoding="utf-8"), "rules", table(CATALOG, "docs/rules"))
    book = ROOT / "docs" / "book.md"
    text = book.read_text(encoding="utf-8")
    for name, content in (("worked", worked_problems()), ("chapter", chapter()),
                          ("examples", examples())):  # fmt: skip
        text = between(text, name, content)
    yield book, text
    yield ROOT / "docs" / "finding.svg", picture()


if __name__ == "__main__":
    (ROOT / "docs" / "rules").mkdir(exist_ok=True)
    for path, text in texts():
        path.write_text(text, encoding="utf-8")
