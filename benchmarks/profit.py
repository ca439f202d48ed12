"""Predicted against measured speed-ups, for every rewrite with a fix.

    python -m benchmarks.profit [--target NAME|FILE.toml] [--only CODE ...] [--output FILE]

Runs an example of each rewrite before and after its fix on inputs of an ordinary size, in
turn, and takes medians; beside each stands what the cost model predicts at those sizes. Without
``--target`` the machine is measured first, as by ``audit calibrate``. The last line says how many
predictions lie within a factor of 2 of what was measured.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from auditor.rewrites import CATALOG

from auditor.audit import Options, audit_text
from auditor.cost.calibrate import calibrate, described
from auditor.writing.edits import apply_fixes

# Which example of a rewrite is run, where it is not the first: one that states its shapes.
EXAMPLES = {"RED506": 2, "SPA401": 1, "SPA403": 2}
# Programs for those whose examples leave the number of axes open.
PROGRAMS = {
    "ASC109": """
import torch


def attend(q, k, v):
    batch, heads, length, width = q.shape
    batch, heads, length, width = k.shape
    batch, heads, length, width = v.shape
    scores = q @ k.transpose(-2, -1) * width**-0.5
    return torch.softmax(scores, dim=-1) @ v
""",
    "LOC304": """
import torch


def attend(q, k, v, window: int):
    batch, heads, length, width = q.shape
    batch, heads, length, width = k.shape
    batch, heads, length, width = v.shape
    place = torch.arange(length, device=q.device)
    ahead = place[:, None] - place
    scores = q @ k.transpose(-2, -1) * width**-0.5
    scores = scores.masked_fill((ahead < 0) | (ahead >= window), float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
""",
}
# Its inputs, as source with the names torch and np.
INPUTS = {
    "ASC101": "torch.rand(8, 1024, 64), 0.9",
    "ASC102": "torch.rand(2, 512, 64), torch.rand(2, 512, 64), -torch.rand(64, 16),"
    " torch.rand(2, 512, 16), torch.rand(2, 512, 16)",
    "ASC103": "torch.randn(2, 1024, 4, 32), torch.randn(2, 1024, 4, 32),"
    " torch.randn(2, 1024, 4, 32), 0.9",
    "ASC104": "torch.randn(4, 1024, 16), torch.rand(4, 16)",
    "ASC105": "torch.randn(8, 512, 64),",
    "ASC106": "['word'] * 10000,",
    "ASC107": "torch.randn(512, 1024),",
    "ASC108": "torch.randn(64, 128, 256), torch.randn(256)",
    "ASC109": "torch.randn(2, 4, 512, 64), torch.randn(2, 4, 512, 64), torch.randn(2, 4, 512, 64)",
    "ASC110": "torch.randn(64, 8192),",
    "ASC112": "torch.randn(512, 512), torch.randn(512, 512), torch.randn(64, 512)",
    "ASC113": "torch.randn(32, 64),",
    "ASC114": "torch.rand(64, 64) / 64, 500",
    "SEP201": "list(np.linspace(0.1, 1, 500)), list(np.linspace(1, 2, 500))",
    "SEP202": "torch.randn(1024), torch.randn(1024, 1024), torch.randn(8, 1024),"
    " torch.randn(1024, 8)",
    "SEP204": "torch.randn(4, 3, 128, 128), torch.randn(15)",
    "SEP205": "torch.randn(24, 16), torch.randn(24, 16)",
    "LOC301": "np.ones((40, 40)), np.ones((40, 40))",
    "LOC302": "np.arange(10000.0),",
    "LOC303": "np.arange(3000.0), np.ones(16)",
    "LOC304": "torch.randn(2, 4, 1024, 32), torch.randn(2, 4, 1024, 32),"
    " torch.randn(2, 4, 1024, 32), 64",
    "LOC305": "np.random.default_rng(0).normal(size=(200, 3)), np.ones(200), 0.1",
    "LOC306": "np.ones(200), np.ones(200), np.ones((200, 200))",
    "LOC308": "torch.randn(64, 16384), 32",
    "LOC309": "torch.randn(8, 32, 1024), torch.randn(32, 32, 9)",
    "SPA401": "np.random.rand(512, 64), np.arange(2048) % 512",
    "SPA402": "torch.randn(512, 512), torch.randn(512)",
    "SPA403": "torch.randn(256, 64), torch.randn(8, 64, 256), torch.randn(8, 256, 64),"
    " torch.randn(64, 8)",
    "SPA404": "torch.randn(2, 4, 1024, 32), torch.randn(2, 4, 1024, 32),"
    " torch.randn(2, 4, 1024, 32)",
    "SPA405": "torch.randn(2, 4, 512, 64), torch.randn(2, 4, 512, 64),"
    " torch.randn(2, 4, 512, 64), 32",
    "SPA406": "np.linspace(0, 0.999, 10000), 64",
    "SYM601": "np.random.default_rng(0).random((200, 2)),",
    "SYM602": "np.ones((50, 30)),",
    "SYM603": "np.ones(400), np.ones(400)",
    "SYM604": "np.ones(400), np.ones(400)",
    "RED501": "torch.randn(64, 128), torch.randn(128, 128), 50",
    "RED502": "torch.randn(256, 256), torch.randn(256, 256)",
    "RED503": "16,",
    "RED505": "[(n, -n % 17) for n in range(10000)],",
    "RED506": "torch.randn(512, 4096),",
    "RED507": "torch.randn(256, 256) + 256 * torch.eye(256), torch.randn(256), torch.randn(256)",
    "RED509": "torch.randn(1024, 64), torch.eye(64)",
    "RED511": "0.5, [0.001] * 2000, 0.01",
    "RED512": "torch.randn(256, 4096), torch.randint(0, 100, (256, 4096)), 0",
    "RED513": "torch.randn(256, 256).tril() + 256 * torch.eye(256), torch.randn(256)",
}
_SECONDS = 1.0
_ROUNDS = 9


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", help="a machine by name or by its file")
    parser.add_argument("--only", nargs="*", default=[], metavar="CODE")
    parser.add_argument("--output", type=Path, help="write the results there as JSON")
    parser.add_argument("--threads", type=int, help="threads of torch")
    given = parser.parse_args()
    if given.threads:
        import torch

        torch.set_num_threads(given.threads)
    with tempfile.TemporaryDirectory() as folder:
        target = given.target
        if target is None:
            target = str(Path(folder, "measured.toml"))
            Path(target).write_text(described(calibrate()), encoding="utf-8")
        results = [
            row
            for rewrite in CATALOG
            if rewrite.code in INPUTS and (not given.only or rewrite.code in given.only)
            and (row := compared(rewrite, INPUTS[rewrite.code], target))
        ]  # fmt: skip
        print(table(results))
        if given.output:
            told = {"provenance": provenance(Path(target)), "results": results}
            given.output.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def compared(rewrite: Any, inputs: str, target: str) -> dict[str, Any] | None:
    """What one rewrite gains, as predicted and as measured; None where there is no fix."""
    import numpy as np
    import torch

    example = rewrite.examples[EXAMPLES.get(rewrite.code, 0)]
    text = PROGRAMS.get(rewrite.code, example.before)
    torch.manual_seed(0)
    arguments = eval(f"({inputs})", {"torch": torch, "np": np})
    sizes = stated(text, arguments)
    report = audit_text(text, "example.py", Options(target=target, sizes=sizes))
    for problem in report.problems:
        raise SystemExit(problem.message)
    findings = [one for one in report.findings if one.code == rewrite.code and one.fix]
    if not findings or findings[0].profit is None:
        print(f"{rewrite.code}: no fix with a prediction", file=sys.stderr)
        return None
    applied = apply_fixes(text, findings)
    before, after = function(text, "before"), function(applied.text, "after")
    slow, fast = interleaved(lambda: before(*arguments), lambda: after(*arguments))
    profit = findings[0].profit
    return {
        "code": rewrite.code,
        "name": rewrite.name,
        "inputs": inputs,
        "before_ms": 1e3 * slow,
        "after_ms": 1e3 * fast,
        "measured": slow / fast,
        "predicted": profit.predicted_speedup,
        "bound": profit.bound,
        "detail": profit.detail,
    }


def stated(text: str, arguments: tuple[Any, ...]) -> dict[str, int | tuple[int, ...]]:
    """The shapes and sizes of what the example's last function is given, by parameter."""
    last = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)][-1]
    found: dict[str, int | tuple[int, ...]] = {}
    for arg, value in zip(last.args.args, arguments, strict=False):
        if isinstance(value, int):
            found[arg.arg] = value
        elif hasattr(value, "shape"):
            found[arg.arg] = tuple(value.shape)
        elif isinstance(value, list):
            found[arg.arg] = (len(value),)
    return found


def function(text: str, name: str) -> Callable[..., Any]:
    """The last function of a text."""
    scope: dict[str, Any] = {"__name__": name}
    exec(compile(text, f"{name}.py", "exec"), scope)
    found = [value for value in scope.values() if getattr(value, "__module__", None) == name]
    chosen: Callable[..., Any] = [one for one in found if not isinstance(one, type)][-1]
    return chosen


def interleaved(first: Callable[[], Any], second: Callable[[], Any]) -> tuple[float, float]:
    """Median seconds of two calls that take turns."""
    counts, times = [], ([], [])  # type: ignore[var-annotated]
    for call in (first, second):
        call()
        begin = time.perf_counter()
        call()
        once = time.perf_counter() - begin
        counts.append(max(1, min(200, int(_SECONDS / _ROUNDS / max(once, 1e-7)))))
    for _ in range(_ROUNDS):
        for place, call in enumerate((first, second)):
            begin = time.perf_counter()
            for _ in range(counts[place]):
                call()
            times[place].append((time.perf_counter() - begin) / counts[place])
    return statistics.median(times[0]), statistics.median(times[1])


def table(results: list[dict[str, Any]]) -> str:
    """The comparison as it is printed."""
    lines = [
        f"{'code':8}{'rewrite':24}{'before ms':>12}{'after ms':>12}{'measured':>10}"
        f"{'predicted':>11}{'ratio':>8}  limited by"
    ]
    for row in sorted(results, key=lambda row: row["code"]):
        ratio = row["predicted"] / row["measured"]
        lines.append(
            f"{row['code']:8}{row['name']:24}{row['before_ms']:12.4g}{row['after_ms']:12.4g}"
            f"{row['measured']:10.3g}{row['predicted']:11.3g}{ratio:8.2f}  {row['bound']}:"
            f" {row['detail'].split(' at ')[0]}"
        )
    near = sum(0.5 <= row["predicted"] / row["measured"] <= 2 for row in results)
    lines.append(f"{near} of {len(results)} predictions are within a factor of 2")
    return "\n".join(lines)


def provenance(target: Path) -> dict[str, Any]:
    """Where and with what this was measured."""
    import numpy
    import torch

    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return {
        "machine": platform.processor() or platform.machine(),
        "threads": torch.get_num_threads(),
        "versions": {"python": platform.python_version(), "numpy": numpy.__version__,
                     "torch": torch.__version__},
        "target": target.read_text(encoding="utf-8") if target.is_file() else str(target),
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "commit": commit.stdout.strip(),
        # above the number of cores others shared them, and both times of a row are longer
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "command": " ".join(["python -m benchmarks.profit", *sys.argv[1:]]),
    }  # fmt: skip


if __name__ == "__main__":
    main()
