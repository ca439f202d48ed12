"""The engine over one file and over many: filtering, fixing, errors, processes, the cache."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import fake_analysis
import pytest

from auditor import audit, engine
from auditor.cache import Cache
from auditor.config import Resolver
from auditor.discovery import Input, discover
from auditor.engine import Request, Result, audit_data, audit_files, verify_file
from auditor.verdict import FileReport


@pytest.fixture(autouse=True)
def _fake(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_analysis.install(monkeypatch.setattr)


def an_input(folder: Path, name: str = "m.py", **overrides: Any) -> Input:
    path = folder / name
    return Input(path, name, Resolver(overrides, isolated=True).settings(folder))


def run(tmp_path: Path, text: str, fix: bool = False, **overrides: Any) -> Result:
    return audit_data(text.encode(), an_input(tmp_path, **overrides), Request(fix=fix))


def codes(result: Result) -> list[str | None]:
    return [entry.finding.code for entry in result.reported]


def test_findings_come_in_the_order_of_the_text(tmp_path: Path) -> None:
    result = run(tmp_path, "a = UNSAFE(1)\nb = SLOW(2)\nc = ADVICE(3)\n")
    assert codes(result) == ["SEP206", "ASC101", "LOC307"]
    assert [entry.blocked for entry in result.reported] == [
        "unsafe, applied with --unsafe-fixes",
        None,
        "advice only, there is no automatic fix",
    ]


def test_the_edits_of_a_finding_include_its_import(tmp_path: Path) -> None:
    (entry,) = run(tmp_path, "import torch\n\nb = SLOW(2)\n").reported
    contents = [edit.content for edit in entry.edits]
    assert contents == ["from auditor.kernels import linear_scan\n", "b = linear_scan(2)"]


@pytest.mark.parametrize(
    "overrides, left",
    [
        ({"select": ("SEP",)}, ["SEP206"]),
        ({"ignore": ("linear-recurrence",)}, ["SEP206"]),
        ({"per_file_ignores": (("m.py", ("SEP206",)),)}, ["ASC101"]),
        ({"per_file_ignores": (("other.py", ("SEP206",)),)}, ["SEP206", "ASC101"]),
    ],
)
def test_selection(tmp_path: Path, overrides: dict[str, Any], left: list[str]) -> None:
    assert codes(run(tmp_path, "a = UNSAFE(1)\nb = SLOW(2)\n", **overrides)) == left


def test_directives_silence_and_idle_ones_warn(tmp_path: Path) -> None:
    text = "a = SLOW(1)  # audit: ignore[ASC101]\nb = SLOW(2)\nc = 3  # audit: ignore\n"
    result = run(tmp_path, text)
    assert [entry.finding.span.line for entry in result.reported] == [2]
    assert [caution.line for caution in result.cautions] == [3]


@pytest.mark.parametrize(
    "overrides, text",
    [
        ({}, "a = linear_scan(1)\nb = UNSAFE(2)\nc = linear_scan(3)\n"),
        ({"unsafe_fixes": True}, "a = linear_scan(1)\nb = linear_scan(2)\nc = linear_scan(3)\n"),
        ({"numerics": "exact"}, "a = SLOW(1)\nb = UNSAFE(2)\nc = linear_scan(3)\n"),
        ({"select": ("SEP",)}, None),
    ],
)
def test_which_fixes_are_applied(
    tmp_path: Path, overrides: dict[str, Any], text: str | None
) -> None:
    result = run(tmp_path, "a = SLOW(1)\nb = UNSAFE(2)\nc = EXACT(3)\n", fix=True, **overrides)
    wanted = text and f"from auditor.kernels import linear_scan\n\n{text}".encode()
    assert result.after == wanted


def test_fixing_goes_on_until_nothing_changes(tmp_path: Path) -> None:
    result = run(tmp_path, "a = NEST(NEST(NEST(1)))\n", fix=True)
    assert result.after == b"a = done(1)\n"
    assert len(result.fixed) == 3
    again = run(tmp_path, "a = done(1)\n", fix=True)
    assert again.after is None
    assert again.fixed == ()


def test_fixing_without_end_stops_and_says_so(tmp_path: Path) -> None:
    result = run(tmp_path, "a = ENDLESS(1)\n", fix=True)
    assert len(result.fixed) == engine.ROUNDS
    assert "stopped after 10 rounds" in result.cautions[0].message


def test_a_broken_fix_is_taken_back_and_reported(tmp_path: Path) -> None:
    result = run(tmp_path, "a = BROKEN(1)\nb = EXACT(2)\n", fix=True)
    assert result.after is not None
    assert b"a = BROKEN(1)\nb = linear_scan(2)\n" in result.after
    (entry,) = result.reported
    assert "does not compile" in (entry.blocked or "")


def test_a_taken_name_blocks_the_fix(tmp_path: Path) -> None:
    (entry,) = run(tmp_path, "linear_scan = linear_scan_kernel = 1\n\nb = SLOW(2)\n").reported
    assert entry.blocked == "the name linear_scan is already taken at line 1"
    assert entry.edits == () and entry.finding.fix is None


def test_encoding_and_byte_order_mark_survive_a_fix(tmp_path: Path) -> None:
    data = b"# coding: latin-1\r\ns = '\xe9'\r\na = EXACT(1)"
    result = audit_data(data, an_input(tmp_path), Request(fix=True))
    assert result.after is not None
    assert b"s = '\xe9'\r\na = linear_scan(1)" in result.after
    assert b"\n" not in result.after.replace(b"\r\n", b"")
    marked = audit_data(b"\xef\xbb\xbfa = EXACT(1)\n", an_input(tmp_path), Request(fix=True))
    assert (marked.after or b"").startswith(b"\xef\xbb\xbffrom auditor")


@pytest.mark.parametrize(
    "data, line, message",
    [
        (b"x = (\n", 1, "syntax error"),
        (b"x = 1\n  y\n", 2, "syntax error: unexpected indent"),
        (b"x = (\n", 1, f"(read as Python {sys.version_info[0]}.{sys.version_info[1]})"),
        (b"x = '\xff'\n", 1, "not utf-8 text"),
        (b"x = BUG(1)\n", 1, "ZeroDivisionError: a bug in a rule"),
        (b"x = DEEP(1)\n", 1, "nested too deeply"),
        (b"x = 1\x00\n", 1, "null bytes"),
    ],
)
def test_what_goes_wrong_with_a_file_is_its_problem(
    tmp_path: Path, data: bytes, line: int, message: str
) -> None:
    result = audit_data(data, an_input(tmp_path), Request(fix=True))
    (problem,) = result.problems
    assert problem.line == line
    assert message in problem.message
    assert result.after is None
    assert ("Traceback" in problem.message) == (b"BUG" in data)


def test_deep_nesting_is_no_crash(tmp_path: Path) -> None:
    for text in ("-" * 100_000 + "1", "(" * 5000 + ")" * 5000, "+".join(["1"] * 50_000)):
        result = run(tmp_path, f"x = {text}\n", fix=True)
        assert len(result.problems) <= 1


def test_problems_of_the_analysis_are_kept(tmp_path: Path) -> None:
    (problem,) = run(tmp_path, "# PARTIAL\n").problems
    assert problem.message == "a part was skipped"


def test_many_files_in_processes_keep_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_processors", lambda: 2)
    for number in range(60):
        text = "x = (\n" if number == 30 else f"a = SLOW({number})\n"
        (tmp_path / f"m{number:02}.py").write_text(text)
    inputs, _ = discover((str(tmp_path),), Resolver(isolated=True))
    counts = []
    results = audit_files(inputs, Request(), lambda done, total: counts.append((done, total)))
    assert [result.path for result in results] == [item.name for item in inputs]
    assert sum(len(result.reported) for result in results) == 59
    assert len(results[30].problems) == 1
    assert counts == [(n + 1, 60) for n in range(60)]


def _die(text: str, path: str, options: audit.Options) -> FileReport:
    if "DIE" in text:
        os._exit(11)
    return FileReport(path)


def test_a_file_that_kills_its_process_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_processors", lambda: 2)
    monkeypatch.setattr(audit, "audit_text", _die)
    for number in range(52):
        (tmp_path / f"m{number:02}.py").write_text("DIE\n" if number == 7 else "x = 1\n")
    inputs, _ = discover((str(tmp_path),), Resolver(isolated=True))
    results = audit_files(inputs, Request())
    failed = {number for number, result in enumerate(results) if result.problems}
    assert failed == {7}
    assert "ended the process" in results[7].problems[0].message


def cached(tmp_path: Path, text: str, **overrides: Any) -> Result:
    request = Request(cache_folder=tmp_path / "cache")
    (tmp_path / "m.py").write_text(text)
    (result,) = audit_files([an_input(tmp_path, **overrides)], request)
    return result


def test_the_cache_answers_for_an_unchanged_file(tmp_path: Path) -> None:
    text = "a = SLOW(1)\nb = ADVICE(2)\nc = UNSAFE(3)\n"
    first = cached(tmp_path, text)
    second = cached(tmp_path, text)
    assert (first.from_cache, second.from_cache) == (False, True)
    assert second.reported == first.reported
    assert not cached(tmp_path, text + "# more\n").from_cache
    assert not cached(tmp_path, text, target="h200").from_cache
    assert cached(tmp_path, text, select=("SEP",)).from_cache
    assert (tmp_path / "cache" / ".gitignore").read_text() == "*\n"


def test_a_corrupt_cache_is_no_cache(tmp_path: Path) -> None:
    text = "a = SLOW(1)\n"
    cached(tmp_path, text)
    (entry,) = (tmp_path / "cache").rglob("*.json")
    for junk in ("", "{", "[]", '{"findings": 3, "computations": []}', "null", "{}"):
        entry.write_text(junk)
        result = cached(tmp_path, text)
        assert codes(result) == ["ASC101"]
        assert not result.from_cache
        assert json.loads(entry.read_text())["findings"]


def test_files_with_problems_are_audited_again(tmp_path: Path) -> None:
    assert cached(tmp_path, "# PARTIAL\n").problems
    assert cached(tmp_path, "# PARTIAL\n").problems


def test_what_other_versions_cached_is_dropped(tmp_path: Path) -> None:
    old = tmp_path / "cache" / "0.0.1rc1-0123456789abcdef"
    old.mkdir(parents=True)
    (old / "x.json").write_text("{}")
    Cache(tmp_path / "cache").prepare()
    assert not old.exists()


def test_a_folder_of_the_users_may_hold_the_cache(tmp_path: Path) -> None:
    precious = tmp_path / "1.0-final"
    precious.mkdir()
    (tmp_path / ".gitignore").write_text("*.pyc\n")
    assert codes(cached(tmp_path, "a = SLOW(1)\n", cache_dir=".")) == ["ASC101"]
    Cache(tmp_path).prepare()
    assert precious.is_dir()
    assert (tmp_path / ".gitignore").read_text() == "*.pyc\n"


def test_folders_that_may_not_be_looked_into_have_no_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "closed").mkdir()
    look = os.stat

    def refuse(path: Any, **options: Any) -> os.stat_result:
        if "closed" in Path(path).parent.parts:
            raise PermissionError(13, "Permission denied", str(path))
        return look(path, **options)

    monkeypatch.setattr(os, "stat", refuse)
    assert codes(run(tmp_path, "a = SLOW(1)\n")) == ["ASC101"]


def test_a_folder_that_cannot_be_written_only_costs_time(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file in the way")
    assert codes(cached(tmp_path, "a = SLOW(1)\n")) == ["ASC101"]


def test_verification_follows_selection_and_directives(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "a = SLOW(1)\nb = UNSAFE(2)\nc = SLOW(3)  # audit: ignore\nd = EXACT(4)\n"
    )
    rows, problems = verify_file(an_input(tmp_path, ignore=("reduction-loop",)))
    assert [(row.line, row.ok) for row in rows] == [(1, True), (2, False)]
    assert problems == ()


def test_verification_without_torch_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("# NEEDS_TORCH\n")
    rows, (problem,) = verify_file(an_input(tmp_path))
    assert rows == ()
    assert "property-auditor[kernels]" in problem.message
