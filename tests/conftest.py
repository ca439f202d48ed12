"""What every test runs in: a process that compiles, threads and looks for garbage no more than it
has to."""

from __future__ import annotations

import os

import pytest
import torch

from auditor.engine import collect_seldom

# Tests start many processes, each of which would otherwise compile anew what it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_configure() -> None:
    """Processors are shared with the other processes of the run."""
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    torch.set_num_threads(max(torch.get_num_threads() // processes, 1))


def pytest_collection_finish(session: pytest.Session) -> None:
    """The tests that were collected are looked through no more."""
    collect_seldom()
