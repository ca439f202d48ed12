"""Kernels on sequences cut over processes are those of one process: tests/on_processes.py, run by
groups of processes that talk by gloo."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch.distributed as dist

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(
    not (dist.is_available() and dist.is_gloo_available()), reason="torch has no gloo here"
)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_pieces_give_what_the_whole_gives(size, tmp_path):
    """All cases in one group: a process takes seconds to start."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.on_processes", str(rank), str(size), str(tmp_path)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for rank in range(size)
    ]
    try:
        for each in processes:
            each.wait(timeout=120)
    except subprocess.TimeoutExpired:
        pass  # one waits for another that failed, or fails to run a step that the others run
    finally:
        for each in processes:
            each.kill()
            each.wait()
    failures = [path.read_text() for path in sorted(tmp_path.glob("*.failed"))]
    first = [each for each in failures if "Connection closed by peer" not in each] or failures
    assert not failures, first[0]
    assert len(list(tmp_path.glob("*.done"))) == size, "processes wait for each other"
