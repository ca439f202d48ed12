"""The catalog: one file a rewrite, listed here in the order in which they are tried."""

from __future__ import annotations

from auditor.rewrites import (
    associative_scan,
    batched_ops,
    constant_product,
    contraction_order,
    convolution_loops,
    derived_fold,
    explicit_inverse,
    flash_attention,
    linear_attention,
    linear_recurrence,
    matmul_loops,
    monotone_under_compare,
    one_pass_moments,
    online_softmax,
    pairwise_tiles,
    prefix_op,
    reduction_loop,
    repeated_power,
    scatter_loop,
    selective_scan,
    stencil,
    streaming_top_k,
    windowed_attention,
)

from auditor.rewrite import Rewrite

CATALOG: tuple[Rewrite, ...] = (
    selective_scan.REWRITE,
    matmul_loops.REWRITE,
    scatter_loop.REWRITE,
    stencil.REWRITE,
    convolution_loops.REWRITE,
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
    batched_ops.REWRITE,
    streaming_top_k.REWRITE,
    contraction_order.REWRITE,
    constant_product.REWRITE,
    explicit_inverse.REWRITE,
    monotone_under_compare.REWRITE,
    derived_fold.REWRITE,
    pairwise_tiles.REWRITE,
)
