"""What every test runs in: a process beside others, which wastes no time on threads, on compiling
what was compiled before and on garbage."""

from __future__ import annotations

import gc
import os

import pytest

# As many processes run as there are processors; threads of theirs would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Tests start many processes, each of which would compile anew what it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole libraries first: they take longest, and nothing waits for the last of them."""
    items.sort(key=lambda item: item.get_closest_marker("corpus") is None)


def pytest_collection_finish() -> None:
    """The tests themselves stay, and looking through all of them for garbage takes long."""
    gc.freeze()
    gc.set_threshold(50_000)
