"""The same report, byte for byte, whatever the order of sets happens to be in a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("examples", "tests/corpora/topk", "tests/corpora/diagonals")


def test_two_processes_give_the_same_report() -> None:
    command = [sys.executable, "-m", "auditor.cli", "check", *FOLDERS, "--all", "--isolated",
               "--no-cache", "--exit-zero", "--output-format", "json"]  # fmt: skip
    reports = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
        reports.append(done.stdout)
    assert reports[0] == reports[1]


_EXPONENTS = """
import torch


def f(g: torch.Tensor, q: torch.Tensor, k: torch.Tensor):
    b, n, d = g.shape
    decay = torch.exp(g.cumsum(1))
    grown = torch.exp(-g.cumsum(1)[:, None] * q[:, :, None])
    return decay[:, :, None] * grown + torch.exp(q * k)[:, None]
"""


def test_exponents_are_shown_in_the_same_letters() -> None:
    command = [sys.executable, "-m", "auditor.cli", "check", "-", "--all", "--isolated",
               "--no-cache", "--exit-zero", "--output-format", "json"]  # fmt: skip
    reports = set()
    for seed in ("1", "2", "3", "4"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, input=_EXPONENTS.encode(), capture_output=True,
            check=True,
        )  # fmt: skip
        reports.add(done.stdout)
    assert len(reports) == 1


_WRITTEN = """
import sys

sys.path.insert(0, "tests")
from test_derive import TARGETS, derived, program

for name in sys.argv[1:]:
    for target in TARGETS[:2]:
        print(program(derived(name), "folds.py", target))
"""


def test_processes_write_the_same_program() -> None:
    names = ("kadane", "welford", "second", "mps", "log_lines", "soft", "is_sorted", "wc")
    written = set()
    for seed in ("1", "2", "3", "4"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", _WRITTEN, *names],
            cwd=ROOT, env=environment, capture_output=True, check=True,
        )  # fmt: skip
        written.add(done.stdout)
    assert len(written) == 1
