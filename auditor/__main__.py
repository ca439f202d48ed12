"""``python -m auditor`` is ``audit``."""

from __future__ import annotations

import runpy

runpy.run_module("auditor.cli", run_name="__main__")
