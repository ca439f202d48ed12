"""The catalog: one file a rewrite, listed here in the order in which they are tried."""

from __future__ import annotations

from auditor.rewrites import (
    flash_attention,
    linear_recurrence,
    reduction_loop,
    selective_scan,
    streaming_top_k,
)

from auditor.rewrite import Rewrite

CATALOG: tuple[Rewrite, ...] = (
    selective_scan.REWRITE,
    linear_recurrence.REWRITE,
    flash_attention.REWRITE,
    reduction_loop.REWRITE,
    streaming_top_k.REWRITE,
)
