"""The audit over whole public libraries: it survives all of them, and its fixes hold.

The wheels are fetched once with pip into ``AUDIT_CORPUS`` (a folder to keep, for CI) or into
pytest's cache folder; nothing of them is imported or run.
"""

from __future__ import annotations

import ast
import collections
import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from auditor import engine
from auditor.config import Resolver
from auditor.discovery import Input
from auditor.engine import ROUNDS, Request, Result
from auditor.verdict import PROPERTIES, Problem
from auditor.writing.edits import apply_fixes

pytestmark = pytest.mark.corpus

LONG = (
    pytest.mark.slow,
    pytest.mark.skipif(
        "AUDIT_SLOW" not in os.environ, reason="takes minutes; set AUDIT_SLOW to run"
    ),
)
LIBRARIES = (
    "peft==0.21.2",
    "scikit-image==0.26.0",
    "stable-baselines3==2.9.2",
    "timm==1.0.31",
    "transformers==5.23.0",
    "vit-pytorch==1.26.11",
    "x-transformers==2.31.10",
    pytest.param("diffusers==0.42.1", marks=LONG),
    pytest.param("scipy==1.17.1", marks=LONG),
)

# Of these every computation is listed as well, which takes longer: nothing is screened out then.
LISTED = (
    "peft==0.21.2",
    "stable-baselines3==2.9.2",
    "vit-pytorch==1.26.11",
    "x-transformers==2.31.10",
)

# Findings for 10,000 lines beyond which users would switch the audit off; attention aside, of which
# there is one in every file of some libraries.
BEARABLE = 25


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> Path:
    """The unpacked wheel of one library."""
    kept = os.environ.get("AUDIT_CORPUS")
    cache = request.config.cache
    assert cache is not None
    folder = (Path(kept) if kept else cache.mkdir("corpus")) / request.param.replace("==", "-")
    if not folder.exists():
        _fetch(request.param, folder)
    return folder


def _fetch(requirement: str, folder: Path) -> None:
    wheels = folder.with_name(f"{folder.name}.wheel")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary",
               ":all:", "--dest", str(wheels), requirement]  # fmt: skip
    try:
        outcome = subprocess.run(command, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip(f"{requirement} cannot be fetched from the package index in two minutes")
    if outcome.returncode:
        last = (outcome.stderr.strip() or "no message").splitlines()[-1]
        pytest.skip(f"{requirement} cannot be fetched from the package index: {last}")
    (wheel,) = wheels.glob("*.whl")
    partial = folder.with_name(f"{folder.name}.partial")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(partial)
    partial.rename(folder)


def _inputs(folder: Path) -> list[Input]:
    settings = Resolver({}, isolated=True).settings(folder)
    paths = sorted(folder.rglob("*.py"))
    return [Input(path, str(path.relative_to(folder)), settings) for path in paths]


def test_a_library_is_audited_to_its_end(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inputs = _inputs(library)
    results = engine.audit_files(inputs, Request())
    problems = _without_bugs(results)
    assert len(problems) <= len(inputs) // 50

    codes = collections.Counter(
        reported.finding.code for result in results for reported in result.reported
    )
    lines = sum(item.path.read_bytes().count(b"\n") for item in inputs)
    with capsys.disabled():
        print(f"\n{library.name}: {len(inputs)} files, {lines:,} lines, findings {dict(codes)}")
    assert codes.total() - codes["ASC109"] <= max(BEARABLE * lines / 10_000, 5)

    for item, result in zip(inputs, results, strict=True):
        if any(reported.finding.fix for reported in result.reported):
            _fixes_hold(item, result)


@pytest.mark.parametrize("library", LISTED, indirect=True)
def test_every_computation_of_a_library_is_listed(library: Path) -> None:
    results = engine.audit_files(_inputs(library), Request(everything=True))
    _without_bugs(results)
    listed = [one for result in results for one in result.computations]
    assert listed
    for one in listed:
        assert one.refused and tuple(one.properties) == PROPERTIES


def _without_bugs(results: Sequence[Result]) -> list[Problem]:
    """The problems of the files, none of which may be the audit's own."""
    problems = [problem for result in results for problem in result.problems]
    bugs = [p for p in problems if not p.message.startswith("syntax error")]
    assert not bugs, "\n\n".join(f"{p.path}:{p.line}: {p.message}" for p in bugs[:5])
    return problems


def _fixes_hold(item: Input, result: Result) -> None:
    """All edits of a file apply and parse, and the places they were made at are silent then. Terms
    that are computed once may be parts of others that are the same, whose turn comes next."""
    findings = [r.finding for r in result.reported if r.finding.fix is not None]
    text, new = result.text, collections.Counter[tuple[str | None, str]]()
    for _ in range(ROUNDS):
        outcome = apply_fixes(text, findings)
        ast.parse(outcome.text)
        assert not outcome.refused, f"{item.name}: {outcome.refused[0][1]}"
        again = engine.audit_data(outcome.text.encode(), item, Request())
        assert not again.problems, f"{item.name} after its fixes: {again.problems[0].message}"
        text, findings = outcome.text, [r.finding for r in again.reported if r.finding.fix]
        pending = collections.Counter((f.code, f.scope) for f in outcome.deferred)
        new = collections.Counter((f.code, f.scope) for f in findings) - pending
        if {code for code, _ in new} != {"RED502"}:
            break
    assert not new, f"{item.name}: its own fixes are found again: {dict(new)}"
