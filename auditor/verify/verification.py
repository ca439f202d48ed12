"""Verification: the original and the rewritten code side by side, on the same inputs.

This is the one command that runs the code it is given. For every fix of a file, alone, a separate
process with a time and a memory limit loads both versions, finds inputs on which the original
runs (those the file offers, else made from what the front end inferred), and compares what the
two return, what they do to their inputs, and their gradients; then their time and memory.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.audit import Options
    from auditor.verdict import Finding

_START = """
import os, sys
del sys.path[0]
from auditor.verify.worker import main
main(sys.argv[1])
os._exit(0)
"""
"""The worker ends at once: threads and handlers that user code left behind have no say. The
working directory is not a place to import from."""


@dataclass(frozen=True)
class Limits:
    """What one verification may use: seconds, bytes, and ``device`` (``auto`` or ``cpu``).
    ``timing`` off compares only."""

    seconds: float = 120.0
    memory: int | None = 16 << 30
    device: str = "auto"
    timing: bool = True


@dataclass(frozen=True)
class VerifyRow:
    """One rewrite, verified or not: ``ok`` only if both versions ran and agree.

    ``max_error`` and ``tolerance`` belong to the value that came closest to its tolerance; times
    are medians in seconds, memory the peak in bytes beyond the inputs, both for ``inputs``.
    ``note`` begins with ``differs:`` or ``not verified:`` where ``ok`` is false.
    """

    path: str
    line: int
    code: str
    scope: str
    inputs: str
    max_error: float | None
    tolerance: float | None
    time_before: float | None
    time_after: float | None
    memory_before: int | None
    memory_after: int | None
    ok: bool
    note: str

    @property
    def speedup(self) -> float | None:
        if self.time_before is None or not self.time_after:
            return None
        return self.time_before / self.time_after


def verify_text(
    text: str, path: str, options: Options, limits: Limits | None = None
) -> list[VerifyRow]:
    """Verify every fix that the audit proposes for a file. Runs the file's code.

    Raises ModuleNotFoundError where torch or triton is needed and not installed.
    """
    from auditor.audit import audit_text

    findings = audit_text(text, path, options).findings
    return verify_findings(text, path, findings, limits)


def verify_findings(
    text: str, path: str, findings: Sequence[Finding], limits: Limits | None = None
) -> list[VerifyRow]:
    """Verify the fix of each finding that has one, each on its own."""
    from auditor.writing.edits import apply_fixes

    rows = []
    for finding in findings:
        if finding.fix is None:
            continue
        applied = apply_fixes(text, [finding])
        if applied.refused or not applied.applied:
            why = applied.refused[0][1] if applied.refused else "it does not fit"
            rows.append(_row(finding, path, {"note": f"not verified: no fix: {why}"}))
            continue
        found = verify_pair(
            text, applied.text, path, finding.scope,
            (finding.span.line, finding.span.end_line), finding.fix.numerics, limits,
            finding.fix.reason or "",
        )  # fmt: skip
        unsafe, reason = finding.fix.applicability == "unsafe", finding.fix.reason
        if reason and (unsafe or not found["ok"]):
            found["note"] += f"; {'unsafe' if unsafe else 'the fix'}: {reason}"
        rows.append(_row(finding, path, found))
    return rows


def _row(finding: Finding, path: str, found: dict[str, Any]) -> VerifyRow:
    return VerifyRow(
        path=path,
        line=finding.span.line,
        code=finding.code or "",
        scope=finding.scope,
        inputs=found.get("inputs", ""),
        max_error=found.get("max_error"),
        tolerance=found.get("tolerance"),
        time_before=found.get("time_before"),
        time_after=found.get("time_after"),
        memory_before=found.get("memory_before"),
        memory_after=found.get("memory_after"),
        ok=found.get("ok", False),
        note=found.get("note", ""),
    )


def verify_pair(
    before: str,
    after: str,
    path: str,
    scope: str,
    lines: tuple[int, int],
    numerics: str = "reassociated",
    limits: Limits | None = None,
    assumed: str = "",
) -> dict[str, Any]:
    """Compare two texts of one file, which differ in ``lines`` (of the first) of ``scope``, on
    inputs of which holds what is ``assumed``, the reason of a fix.

    The result has the fields of ``VerifyRow`` that running gives.
    """
    limits = limits or Limits()
    with tempfile.TemporaryDirectory(prefix="audit-verify-") as folder:
        stem = Path(path).stem if path != "-" else "stdin"
        sources = {"before": before, "after": after}
        files = {side: Path(folder, f"{stem}_{side}.py") for side in sources}
        for side, source in sources.items():
            files[side].write_text(source, encoding="utf-8")
        job = {
            "path": path if path != "-" else "stdin.py",
            "scope": scope,
            "first": lines[0],
            "last": lines[1],
            "before": str(files["before"]),
            "after": str(files["after"]),
            "report": str(Path(folder, "report.jsonl")),
            "numerics": numerics,
            "memory": limits.memory,
            "timing": limits.timing,
            "device": limits.device,
            "assumed": assumed,
        }
        Path(folder, "job.json").write_text(json.dumps(job), encoding="utf-8")
        ended = _run_worker(Path(folder, "job.json"), limits)
        return _concluded(Path(folder, "report.jsonl"), ended, limits)


def _run_worker(job: Path, limits: Limits) -> str | None:
    """Run the worker; None when it ended by itself in good order, else how it ended."""
    environment = {
        **os.environ,
        "MPLBACKEND": "Agg",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONIOENCODING": "utf-8",
    }
    log = job.with_name("log.txt")
    with log.open("wb") as sink:
        process = subprocess.Popen(
            [sys.executable, "-c", _START, str(job)],
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
        try:
            status = process.wait(limits.seconds)
        except subprocess.TimeoutExpired:
            return "timeout"
        finally:
            _end(process)
    if status == 0:
        return None
    if status < 0:
        return f"the process was ended by {signal.Signals(-status).name}"
    last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
    return f"the process failed: {last[0] if last else f'exit status {status}'}"


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the worker and whatever the code it ran has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()
    process.wait()


def _concluded(report: Path, ended: str | None, limits: Limits) -> dict[str, Any]:
    """What the worker wrote last, with what its end adds to it."""
    found: dict[str, Any] = {"stage": "loading", "note": "", "ok": False}
    try:
        lines = report.read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        try:
            found = json.loads(line)
        except ValueError:
            break  # cut off in the middle of a line
    if ended is None and found.get("done"):
        if found["missing"]:
            raise ModuleNotFoundError(
                f"No module named {found['missing']!r}", name=found["missing"]
            )
        return found
    how = ended or "the process ended early"
    if how == "timeout":
        doing = {
            "loading": "the file was still being loaded",
            "original": "the original had not returned on any inputs",
            "rewritten": "the two were still being compared",
            "timing": "timing had not finished",
        }[found["stage"]]
        how = f"{doing} after {limits.seconds:g} s"
    if found["stage"] == "timing" and found["ok"]:
        found["note"] += f"; {how}"
        return found
    found["ok"], found["note"] = False, f"not verified: {how}"
    return found


__all__ = ["Limits", "VerifyRow", "verify_findings", "verify_pair", "verify_text"]
