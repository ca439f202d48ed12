"""The catalog: one file a rewrite, listed here in the order in which they are tried."""

from __future__ import annotations

from auditor.rewrites import (
    associative_scan,
    constant_product,
    contraction_order,
    derived_fold,
    diagonal_matmul,
    explicit_inverse,
    flash_attention,
    full_sort,
    linear_attention,
    linear_recurrence,
    monotone_under_compare,
    one_hot_matmul,
    one_pass_moments,
    online_softmax,
    pairwise_tiles,
    prefix_op,
    reduction_loop,
    repeated_power,
    selective_scan,
    streaming_top_k,
    unused_entries,
    windowed_attention,
)

from auditor.rewrite import Rewrite

CATALOG: tuple[Rewrite, ...] = (
    selective_scan.REWRITE,
    linear_attention.REWRITE,
    repeated_power.REWRITE,
    windowed_attention.REWRITE,
    flash_attention.REWRITE,
    online_softmax.REWRITE,
    one_pass_moments.REWRITE,
    linear_recurrence.REWRITE,
    prefix_op.REWRITE,
    associative_scan.REWRITE,
    reduction_loop.REWRITE,
    streaming_top_k.REWRITE,
    diagonal_matmul.REWRITE,
    one_hot_matmul.REWRITE,
    unused_entries.REWRITE,
    contraction_order.REWRITE,
    constant_product.REWRITE,
    explicit_inverse.REWRITE,
    full_sort.REWRITE,
    monotone_under_compare.REWRITE,
    derived_fold.REWRITE,
    pairwise_tiles.REWRITE,
)
