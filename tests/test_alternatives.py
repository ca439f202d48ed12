"""Several fixes of one place: one finding, the best first, the others offered beside it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from auditor.audit import Options, audit_text
from auditor.findings import best_first
from auditor.notation import Span
from auditor.verdict import Edit, Finding, Fix, Profit

N_BODY = (Path(__file__).parent.parent / "examples" / "n_body.py").read_text(encoding="utf-8")
SPAN = Span(1, 1, 2, 1)


def audit(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "auditor.cli", "check", *arguments],
        capture_output=True, text=True, cwd=folder, check=False,
    )  # fmt: skip


def way(code: str, applicability: str, gain: float, certain: bool = False) -> Finding:
    fix = Fix(applicability, "exact", (Edit(SPAN, code),))  # type: ignore[arg-type]
    profit = Profit("cpu", "launch", gain, certain=certain)
    return Finding("x.py", SPAN, "f", code, {}, code, code, None, fix, profit)


def codes(finding: Finding) -> list[str | None]:
    return [finding.code, *(other.code for other in finding.alternatives)]


def test_safe_goes_before_unsafe() -> None:
    assert codes(best_first([way("A", "unsafe", 9), way("B", "safe", 2)])) == ["B", "A"]


def test_the_catalog_decides_where_sizes_are_open_and_the_gain_where_they_are_stated() -> None:
    assert codes(best_first([way("A", "safe", 2), way("B", "safe", 9)])) == ["A", "B"]
    assert codes(best_first([way("A", "safe", 2, True), way("B", "safe", 9, True)])) == ["B", "A"]
    assert codes(best_first([way("A", "safe", 2, True), way("B", "safe", 9)])) == ["A", "B"]


def test_the_same_edits_are_offered_once() -> None:
    twin = way("A", "safe", 2)
    assert codes(best_first([twin, twin, way("B", "safe", 1)])) == ["A", "B"]


def test_bodies_that_attract_each_other_are_one_finding_with_a_tree_as_alternative() -> None:
    (finding,) = audit_text(N_BODY, "n_body.py", Options()).findings
    assert codes(finding) == ["LOC305", "SYM601", "SEP206"]
    assert finding.fix is not None and finding.fix.applicability == "safe"
    half, tree = finding.alternatives
    assert half.fix is not None and half.fix.applicability == "safe"
    assert tree.fix is not None and tree.fix.applicability == "unsafe"
    assert "error" in (tree.fix.reason or "")
    assert {name: v.verdict for name, v in tree.properties.items()}.keys() == (
        finding.properties.keys()
    )


def test_an_alternative_is_chosen_by_its_rule(tmp_path: Path) -> None:
    path = tmp_path / "n_body.py"
    path.write_text(N_BODY)
    report = json.loads(audit("n_body.py", "--output-format", "json", folder=tmp_path).stdout)
    (finding,) = report["findings"]
    assert [other["code"] for other in finding["alternatives"]] == ["SYM601", "SEP206"]
    assert "SEP206" in audit("n_body.py", folder=tmp_path).stdout

    chosen = ("n_body.py", "--select", "SEP206")
    kept = audit(*chosen, "--fix", folder=tmp_path)
    assert kept.returncode == 1 and path.read_text() == N_BODY, "unsafe, and not asked for"
    done = audit(*chosen, "--fix", "--unsafe-fixes", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "barnes_hut(" in path.read_text()


def test_a_rule_that_is_off_gives_way_to_the_next(tmp_path: Path) -> None:
    (tmp_path / "n_body.py").write_text(N_BODY)
    off = audit(
        "n_body.py", "--ignore", "LOC305,SYM601", "--output-format", "concise", folder=tmp_path
    )
    assert "SEP206" in off.stdout and "LOC305" not in off.stdout
    none = audit("n_body.py", "--ignore", "LOC305,SYM601,SEP206", folder=tmp_path)
    assert none.returncode == 0


def test_a_silenced_place_stays_silent(tmp_path: Path) -> None:
    silenced = N_BODY.replace("    for i in", "    # audit: ignore[LOC305] small\n    for i in")
    (tmp_path / "n_body.py").write_text(silenced)
    assert audit("n_body.py", folder=tmp_path).returncode == 0
