"""The documentation says what the tool does: commands, links, rule pages, tables, the picture."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from auditor.rewrites import CATALOG

from auditor import kernels
from auditor.report.pages import markdown, table
from auditor.report.rules import page

ROOT = Path(__file__).parent.parent
GENERATE = ROOT / "docs" / "generate.py"
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "examples").glob("*.md"),
        *(ROOT / "tests" / "corpora").glob("*.md"),
    ]
)
COMMANDS = (
    "pip install . -c constraints.txt && audit examples/",
    "pip install -e '.[test]' -c constraints.txt && pytest",
)
STALE = "run python docs/generate.py"
_LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")
_CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)

each_page = pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_docs", GENERATE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = load()


def section(path: Path, name: str) -> str:
    """What a page holds between the comments of that name."""
    start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    return path.read_text(encoding="utf-8").partition(start)[2].partition(end)[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_has_the_commands_on_lines_of_their_own(command: str) -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert command in [line.strip() for line in lines]


@each_page
def test_links_lead_to_files(path: Path) -> None:
    text = _CODE.sub("", path.read_text(encoding="utf-8"))
    for target, _ in _LINK.findall(text):
        if not target.startswith(("http://", "https://", "mailto:")):
            assert (path.parent / target).exists(), f"{target} does not exist"


@each_page
def test_pages_speak_of_the_project_alone(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for pattern in (
        r"/work/",
        r"/tmp/",
        r"\bOWNER\b",
        r"\bTODO\b",
        r"\bissue #?\d+",
        r"\bworktree",
    ):
        assert not re.search(pattern, text), pattern


def test_each_rule_has_its_page_and_no_other_is_there() -> None:
    pages = {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")}
    assert pages == {rewrite.code for rewrite in CATALOG}, STALE


@pytest.mark.parametrize("rewrite", CATALOG, ids=lambda rewrite: rewrite.code)
def test_rule_pages_are_fresh(rewrite) -> None:  # type: ignore[no-untyped-def]
    path = ROOT / "docs" / "rules" / f"{rewrite.code}.md"
    assert path.read_text(encoding="utf-8") == markdown(rewrite), STALE


@pytest.mark.parametrize("rewrite", CATALOG, ids=lambda rewrite: rewrite.code)
def test_the_terminal_says_what_the_page_says(rewrite) -> None:  # type: ignore[no-untyped-def]
    shown = "".join(text for line in page(rewrite) for text, _ in line)
    for line in rewrite.doc.strip().splitlines():
        assert line.strip() in shown
    for example in rewrite.examples:
        assert example.title in shown


def test_the_table_of_rules_is_the_catalog() -> None:
    assert section(ROOT / "README.md", "rules") == table(CATALOG, "docs/rules"), STALE


def test_the_readme_names_every_kernel() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in kernels.__all__ if f"`{name}`" not in text] == []


@pytest.mark.parametrize("name", ["worked_problems", "chapter", "examples"])
def test_the_books_tables_are_what_the_tool_says(name: str) -> None:
    written = section(ROOT / "docs" / "book.md", name.partition("_")[0])
    assert written == getattr(generate, name)(), STALE


def test_the_picture_is_the_report() -> None:
    picture = (ROOT / "docs" / "finding.svg").read_text(encoding="utf-8")
    assert picture == generate.picture(), STALE


def test_the_book_is_followed_where_it_is_about_the_code() -> None:
    """The Mamba column agrees in every row."""
    words = {"yes": "holds", "no": "fails", "partial": "partial"}
    ours = generate.verdicts(generate.audited("examples/mamba_scan.py")["selective_scan"])
    books = [words[column[0]] for column in generate.BOOK.values()]
    assert [verdict.split()[0] for verdict in ours] == books


def test_all_can_be_listed_for_the_examples() -> None:
    from auditor.audit import Options, audit_text

    for path in sorted((ROOT / "examples").glob("*.py")):
        report = audit_text(path.read_text(encoding="utf-8"), path.name, Options(everything=True))
        assert not report.problems, report.problems
