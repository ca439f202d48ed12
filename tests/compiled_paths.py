"""Tests that run twice: with the kernels in C, where they were built, and with those in torch."""

from __future__ import annotations

import importlib

import pytest

native = importlib.import_module("auditor.kernels.native")

both_paths = pytest.mark.usefixtures("path")


@pytest.fixture(params=["compiled", "torch"])
def path(request):
    if request.param == "compiled" and native.LIBRARY is None:
        pytest.skip("the C kernels were not built")
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "torch":
            patch.setattr(native, "LIBRARY", None)
        yield request.param
