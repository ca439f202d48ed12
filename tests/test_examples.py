"""Each example runs as a script, has inputs, and gets an answer from the audit."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from auditor import rewrites

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

SAYS: dict[str, set[tuple[str, str]]] = {
    "attention": {("ASC109", "attention"), ("ASC109", "CausalSelfAttention.forward")},
    "discounted_return": {("ASC101", "discounted_return")},
    "mamba_scan": {("ASC102", "selective_scan")},
    "naive_softmax": {("ASC107", "naive_softmax"), ("ASC107", "stable_softmax")},
    "reductions": {("ASC106", "dot"), ("ASC106", "highest"), ("ASC106", "count_frost")},
    "retention": {("ASC103", "retention")},
    "streaming_average": {("ASC101", "moving_average")},
    "streaming_softmax": {("ASC107", "three_pass_softmax"), ("ASC107", "online_softmax")},
    "top_k": {("ASC110", "best_matches"), ("ASC110", "leaderboard")},
    "n_body": {("LOC305", "forces")},
    "prefix_sum": {("ASC105", "running_total")},
    "welford": {("ASC108", "mean_and_variance")},
}

RELEASED = frozenset(rewrite.code for rewrite in rewrites.CATALOG)
each = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def audited(module: ModuleType) -> dict[str, Any]:
    """Name of each function that has an inputs function -> that inputs function."""
    suffix = "_inputs"
    return {k[: -len(suffix)]: v for k, v in vars(module).items() if k.endswith(suffix)}


def test_every_example_is_listed() -> None:
    assert {path.stem for path in EXAMPLES} == set(SAYS)


@each
def test_runs_as_a_script(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=120, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr


@each
def test_inputs_belong_to_functions_that_are_audited(path: Path) -> None:
    module = load(path)
    scopes = {scope.replace(".", "_") for _, scope in SAYS[path.stem]}
    assert set(audited(module)) == scopes
    for inputs in audited(module).values():
        assert isinstance(inputs(), tuple)


@each
def test_audit_has_something_to_say(path: Path) -> None:
    wanted = {(code, scope) for code, scope in SAYS[path.stem] if code in RELEASED}
    if not wanted:
        pytest.skip("its rewrite is not in the catalog of this release")
    from auditor import audit

    text = path.read_text(encoding="utf-8")
    report = audit.audit_text(text, str(path), audit.Options())
    assert not report.problems, report.problems
    missing = wanted - {(finding.code, finding.scope) for finding in report.findings}
    assert not missing, f"not reported: {sorted(missing)}"
