"""The rewrites, one file each."""

from __future__ import annotations

from typing import Any

CATALOG: tuple[Any, ...] = ()
