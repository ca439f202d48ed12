"""The catalog: one file a rewrite, listed here in the order in which they are tried."""

from __future__ import annotations

from auditor.rewrite import Rewrite
from auditor.rewrites import linear_recurrence, selective_scan

CATALOG: tuple[Rewrite, ...] = (
    selective_scan.REWRITE,
    linear_recurrence.REWRITE,
)
