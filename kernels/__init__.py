"""Kernels: fast implementations behind the rewrites, each with its plain reference.

Needs torch; Triton is used where it is installed and the tensors are on a CUDA device. Nothing
here knows the auditor. A kernel's reference is imported from its file, for instance
`from auditor.kernels.linear_scan import reference`.
"""

from .associative_scan import associative_scan
from .barnes_hut import barnes_hut
from .causal_product import causal_product
from .constant_product import constant_product
from .delta_rule import delta_rule
from .fft_conv import fft_conv
from .flash_attention import flash_attention
from .gather_matmul import gather_matmul
from .kv_cache import KVCache
from .linear_attention import linear_attention
from .linear_int8 import int8_error, int8_weights, linear_int8, quantise_int8
from .linear_scan import linear_scan
from .local_attention import local_attention
from .moe import moe
from .nbody import nbody
from .online_softmax import logsumexp, online_softmax
from .pairwise_reduce import pairwise_reduce
from .per_step import per_step
from .reduce import reduce
from .routed_experts import routed_experts
from .selective_scan import selective_scan
from .separable_conv2d import separable_conv2d
from .squared_distances import squared_distances
from .streaming_topk import streaming_topk, streaming_topk_chunks
from .welford import welford

__all__ = [
    "KVCache",
    "associative_scan",
    "barnes_hut",
    "causal_product",
    "constant_product",
    "delta_rule",
    "fft_conv",
    "flash_attention",
    "gather_matmul",
    "int8_error",
    "int8_weights",
    "linear_attention",
    "linear_int8",
    "linear_scan",
    "local_attention",
    "logsumexp",
    "moe",
    "nbody",
    "online_softmax",
    "pairwise_reduce",
    "per_step",
    "quantise_int8",
    "reduce",
    "routed_experts",
    "selective_scan",
    "separable_conv2d",
    "squared_distances",
    "streaming_topk",
    "streaming_topk_chunks",
    "welford",
]
