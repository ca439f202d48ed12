"""How long an audit takes: start-up, one model file, a library of many files.

    python -m benchmarks.audit [--corpus DIR] [--runs N] [--output FILE.json]

Every run is a process of its own without the cache, as a commit hook starts it. ``--corpus`` is a
folder of Python sources; without it the newest wheel of transformers is fetched with pip (and left
out where the package index cannot be reached). The modules are compiled
beforehand, as pip does when it installs them. Wall and processor seconds are both kept, since
other work on the machine moves the first much more than the second; medians are shown. Ruff's and
ast.parse's times on the same folder stand beside them as a scale.
"""

from __future__ import annotations

import argparse
import atexit
import datetime
import functools
import importlib.metadata
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
LINES = 500


@dataclass(frozen=True)
class Timing:
    """The runs of one command, in seconds; ``cpu`` counts the processes that it started too."""

    name: str
    files: int
    lines: int
    wall: tuple[float, ...]
    cpu: tuple[float, ...]

    def __str__(self) -> str:
        wall, cpu = statistics.median(self.wall), statistics.median(self.cpu)
        size = f"{self.files} files, {self.lines:,} lines" if self.files else ""
        return f"{self.name:<28} {wall:8.3f} s wall {cpu:8.3f} s processor   {size}"


@functools.cache
def environment() -> dict[str, str]:
    """That of a process which finds its modules compiled."""
    folder = tempfile.mkdtemp(prefix="audit-benchmark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    own = {key: held for key, held in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    compiled = {**own, "PYTHONPYCACHEPREFIX": folder}
    command = [sys.executable, "-m", "auditor.cli", "check", "--no-cache", "--isolated", "-"]
    program = b"import torch\n\n\ndef f(x):\n    return x.exp() / x.exp().sum(-1, keepdim=True)\n"
    subprocess.run(command, input=program, capture_output=True, env=compiled)
    return compiled


def measured(name: str, command: Sequence[str], sources: Sequence[Path], runs: int) -> Timing:
    """Run a command several times; exit status 1 only says that there are findings."""
    wall, cpu = [], []
    for _ in range(runs):
        compiled = environment()
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        result = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=compiled
        )
        wall.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        if result.returncode not in (0, 1):
            raise RuntimeError(f"{name}: exit status {result.returncode}\n{result.stderr!r}")
    lines = sum(path.read_bytes().count(b"\n") for path in sources)
    return Timing(name, len(sources), lines, tuple(wall), tuple(cpu))


def fetched(folder: Path, package: str) -> Path | None:
    """The unpacked wheel of a package, or None where it cannot be had."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary",
               ":all:", "--dest", str(folder), package]  # fmt: skip
    if subprocess.run(command, capture_output=True).returncode:
        return None
    (wheel,) = folder.glob(f"{package}-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / package)
    return folder / package


def model_file(sources: Sequence[Path]) -> Path | None:
    """A modelling file of about 500 lines."""
    counted = [
        (abs(path.read_bytes().count(b"\n") - LINES), path)
        for path in sources
        if path.name.startswith("modeling_")
    ]
    return min(counted)[1] if counted else None


def timings(corpus: Path | None, runs: int) -> list[Timing]:
    """Everything that is measured, in the order of the report."""
    audit = [sys.executable, "-m", "auditor.cli"]
    check = [*audit, "check", "--no-cache", "--isolated", "--output-format", "json"]
    found = [measured("audit --help", [*audit, "--help"], [], runs)]
    example = ROOT / "examples"
    small = sorted(example.glob("*.py"))[:1]
    if small:
        found.append(measured("one small file", [*check, str(small[0])], small, runs))
    if corpus is None:
        return found
    sources = sorted(corpus.rglob("*.py"))
    if model := model_file(sources):
        found.append(measured("one model file", [*check, str(model)], [model], runs))
    found.append(measured("the corpus", [*check, str(corpus)], sources, max(1, runs // 3)))
    parse = "import ast, pathlib, sys\nfor p in pathlib.Path(sys.argv[1]).rglob('*.py'): ast.parse(p.read_bytes())"  # fmt: skip  # noqa: E501
    command = [sys.executable, "-c", parse, str(corpus)]
    found.append(measured("ast.parse of the corpus", command, sources, 1))
    if ruff := shutil.which("ruff"):
        rules = [ruff, "check", "--no-cache", "--isolated", "--select", "PERF", "--quiet"]
        found.append(measured("ruff --select PERF", [*rules, str(corpus)], sources, 1))
    return found


def provenance(corpus: Path | None) -> dict[str, object]:
    """Where and when the numbers were measured, and what was running beside them."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    versions = {name: importlib.metadata.version(name) for name in ("libcst", "sympy", "click")}
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "commit": commit.stdout.strip() or None,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processors": len(os.sched_getaffinity(0)),
        "load_average": os.getloadavg(),
        "corpus": corpus.name if corpus else None,
        **versions,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print; with ``--output`` keep the numbers as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--corpus", type=Path, help="a folder of Python sources")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--output", type=Path, help="a JSON file for the numbers")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        corpus = chosen.corpus or fetched(Path(scratch), "transformers")
        where = provenance(corpus)
        found = timings(corpus, chosen.runs)
    if corpus is None:
        print("no corpus: the package index cannot be reached", file=sys.stderr)
    for timing in found:
        print(timing)
    print(" ".join(f"{key}={value}" for key, value in where.items()))
    if chosen.output:
        data = {"provenance": where, "timings": [asdict(timing) for timing in found]}
        chosen.output.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
