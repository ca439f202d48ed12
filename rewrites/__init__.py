"""The catalog: one file a rewrite, listed here in the order in which they are tried."""

from __future__ import annotations

from auditor.rewrites import (
    flash_attention,
    linear_recurrence,
    online_softmax,
    reduction_loop,
    selective_scan,
)

from auditor.rewrite import Rewrite

CATALOG: tuple[Rewrite, ...] = (
    selective_scan.REWRITE,
    linear_recurrence.REWRITE,
    flash_attention.REWRITE,
    online_softmax.REWRITE,
    reduction_loop.REWRITE,
)
