"""From paths to files: folders, excludes, .gitignore (checked against git itself)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.config import Resolver
from auditor.discovery import covers, discover, parse_rule


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        *("a.py", "b.txt", "sub/c.py", "sub/deep/d.py", ".venv/lib/e.py", "build/f.py"),
        *("ignored/g.py", "gen_1.py", "sub/gen_2.py", "sub/keep/gen_1.py", "sub/keep/gen_3.py"),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    (tmp_path / ".gitignore").write_text("ignored/\n# comment\ngen_*.py\n!sub/keep/gen_3.py\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(*arguments: str, **overrides: object) -> list[str]:
    inputs, problems = discover(arguments, Resolver(overrides, isolated=True))
    assert not problems
    return [item.name for item in inputs]


def test_a_folder_is_searched_in_order(tree: Path) -> None:
    assert names(".") == ["a.py", "sub/c.py", "sub/deep/d.py", "sub/keep/gen_3.py"]
    assert names("sub") == [
        *("sub/c.py", "sub/gen_2.py", "sub/deep/d.py"),
        *("sub/keep/gen_1.py", "sub/keep/gen_3.py"),
    ]


def test_gitignore_reaches_down_from_the_repository_root(tree: Path) -> None:
    (tree / ".git").mkdir()
    assert names("sub") == ["sub/c.py", "sub/deep/d.py", "sub/keep/gen_3.py"]
    assert "gen_1.py" in names(".", respect_gitignore=False)


def test_explicit_paths_override_and_force_exclude_restores(tree: Path) -> None:
    (tree / ".git").mkdir()
    given_paths = ("build/f.py", "ignored/g.py", "a.py", "b.txt")
    assert names(*given_paths) == list(given_paths)
    assert names(*given_paths, force_exclude=True) == ["a.py", "b.txt"]
    assert names("build", force_exclude=True) == []


def test_each_file_comes_once(tree: Path) -> None:
    os.symlink("a.py", tree / "link.py")
    assert names("a.py", ".", "sub")[:2] == ["a.py", "sub/c.py"]


def test_missing_paths_are_problems(tree: Path) -> None:
    inputs, problems = discover(("nowhere.py", "a.py"), Resolver(isolated=True))
    assert [item.name for item in inputs] == ["a.py"]
    assert [(p.path, p.message) for p in problems] == [("nowhere.py", "no such file or directory")]


@pytest.mark.parametrize(
    "argument, message",
    [
        ("", "no such file or directory"),
        ("a.py/b.py", "cannot be read: Not a directory"),
        (f"{'x' * 300}.py", "cannot be read: File name too long"),
    ],
)
def test_an_argument_that_cannot_be_looked_at_is_a_problem(
    tree: Path, argument: str, message: str
) -> None:
    inputs, (problem,) = discover((argument,), Resolver(isolated=True))
    assert (inputs, problem.path, problem.message) == ((), argument, message)


def test_a_notebook_is_refused_not_passed_over(tree: Path) -> None:
    (tree / "n.ipynb").write_text("{}")
    inputs, (problem,) = discover(("n.ipynb", "."), Resolver(isolated=True))
    assert "notebooks are not supported" in problem.message
    assert "n.ipynb" not in {item.name for item in inputs}


def test_a_search_opens_no_pipe(tree: Path) -> None:
    os.mkfifo(tree / "endless.py")
    inputs, problems = discover((".",), Resolver(isolated=True))
    assert "endless.py" not in {item.name for item in inputs}
    assert not problems


def test_exclude_replaces_and_extend_exclude_adds(tree: Path) -> None:
    assert "build/f.py" in names(".", exclude=("sub",))
    assert not any(name.startswith("sub") for name in names(".", exclude=("sub",)))
    assert names(".", extend_exclude=("sub/deep", "a.py")) == ["sub/c.py", "sub/keep/gen_3.py"]


def test_patterns_cover_what_lies_below() -> None:
    root = Path("/p")
    assert covers(Path("/p/tests/a/b.py"), root, ("tests/*",))
    assert covers(Path("/p/x/conftest.py"), root, ("conftest.py",))
    assert covers(Path("/p/a/b/c.py"), root, ("a/**/c.py",))
    assert not covers(Path("/p/src/a.py"), root, ("tests/*", "b.py"))


GLOBS = st.lists(
    st.sampled_from(["*", "**", "?", "a", "b", "ab", "/", "[ab]", "[!a]", "\\*", ".py"]),
    min_size=1,
    max_size=5,
).map("".join)
SENSIBLE = GLOBS.filter(lambda glob: "//" not in glob and glob != "/")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.booleans(), SENSIBLE), min_size=1, max_size=3))
def test_gitignore_rules_agree_with_git(repository: Path, rules: list[tuple[bool, str]]) -> None:
    lines = [("!" if negated else "") + glob for negated, glob in rules]
    (repository / ".gitignore").write_text("".join(f"{line}\n" for line in lines))
    inputs, _ = discover((str(repository),), Resolver({"exclude": ()}, isolated=True))
    command = ["git", "ls-files", "--others", "--exclude-standard", "--", "*.py"]
    listed = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    found = {item.path.relative_to(repository).as_posix() for item in inputs}
    assert found == set(listed.stdout.splitlines()), lines


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    for name in ("a.py", "b.py", "ab.py", "a/a.py", "a/b/ab.py", "b/a.py", "ab/a/b.py", "b/*.py"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return folder


@pytest.mark.parametrize("line", ["", "   ", "# comment"])
def test_blank_lines_and_comments_are_no_rules(line: str) -> None:
    assert parse_rule(line, Path("/")) is None
