"""The catalog: one file a rewrite, listed here in the order in which they are tried."""

from __future__ import annotations

from auditor.rewrites import linear_recurrence, reduction_loop, selective_scan

from auditor.rewrite import Rewrite

CATALOG: tuple[Rewrite, ...] = (
    selective_scan.REWRITE,
    linear_recurrence.REWRITE,
    reduction_loop.REWRITE,
)
