"""The hooks, run by pre-commit itself in a repository of their own.

The hooks' entries and filters are taken from the manifest; only the language is changed, so that
nothing is installed, and ``audit`` is found on PATH.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import fake_analysis
import pytest
import yaml

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

MANIFEST = Path(__file__).parents[1] / ".pre-commit-hooks.yaml"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder, programs = tmp_path / "repository", tmp_path / "bin"
    folder.mkdir()
    programs.mkdir()
    program = programs / "audit"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{fake_analysis.__file__}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    hooks = [{**hook, "language": "system"} for hook in yaml.safe_load(MANIFEST.read_text())]
    config = {"repos": [{"repo": "local", "hooks": hooks}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (folder / "pyproject.toml").write_text('[tool.audit]\nextend-exclude = ["vendored"]\n')
    (folder / "vendored").mkdir()
    (folder / "vendored" / "theirs.py").write_text("a = SLOW(1)\n")
    (folder / "clean.py").write_text("x = 1\n")
    monkeypatch.chdir(folder)
    subprocess.run(["git", "init", "-q"], check=True)
    return folder


def hook(name: str) -> subprocess.CompletedProcess[str]:
    subprocess.run(["git", "add", "-A"], check=True)
    command = [sys.executable, "-m", "pre_commit", "run", name, "--all-files", "--color", "never"]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_the_manifest_is_valid() -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(MANIFEST)]
    assert subprocess.run(command).returncode == 0
    hooks = {entry["id"]: entry for entry in yaml.safe_load(MANIFEST.read_text())}
    assert set(hooks) == {"audit", "audit-fix"}
    for entry in hooks.values():
        assert entry["require_serial"]
        assert entry["language"] == "python"
        assert "--force-exclude" in entry["entry"]
    assert "--fix" not in hooks["audit"]["entry"]


def test_the_hook_reports_and_never_edits(repository: Path) -> None:
    assert hook("audit").returncode == 0
    (repository / "model.py").write_text("a = SLOW(1)\n")
    done = hook("audit")
    assert done.returncode == 1
    assert "ASC101" in done.stdout
    assert "theirs.py" not in done.stdout
    assert "files were modified" not in done.stdout
    assert (repository / "model.py").read_text() == "a = SLOW(1)\n"
    (repository / "broken.py").write_text("x = (\n")
    assert "exit code: 2" in hook("audit").stdout


def test_the_fixing_hook_edits_once(repository: Path) -> None:
    (repository / "model.py").write_text("a = SLOW(1)\n")
    done = hook("audit-fix")
    assert done.returncode == 1
    assert "files were modified by this hook" in done.stdout
    assert "linear_scan(1)" in (repository / "model.py").read_text()
    assert (repository / "vendored" / "theirs.py").read_text() == "a = SLOW(1)\n"
    assert hook("audit-fix").returncode == 0
