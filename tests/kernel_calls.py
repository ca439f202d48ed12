"""One call of every kernel beside its reference, on small operands in float64: what the tests of
what a program may do around and with a kernel go through."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import torch

from auditor import kernels

NAMES = (
    "linear_scan selective_scan linear_attention delta_rule associative_scan reduce online_softmax "
    "welford flash_attention local_attention streaming_topk causal_product gather_matmul fft_conv "
    "separable_conv2d linear_int8 moe routed_experts nbody barnes_hut pairwise_reduce "
    "squared_distances"
)
(
    linear,
    selective,
    matrices,
    delta,
    associative,
    fold,
    softmax,
    moments,
    attention,
    local,
    topk,
    triangle,
    gathered,
    convolution,
    separable,
    int8,
    experts,
    routed,
    bodies,
    hut,
    pairs,
    distances,
) = (importlib.import_module(f"auditor.kernels.{name}") for name in NAMES.split())

GUARDS = [
    *(
        (module, "SHORT_SEQUENCE", 0)
        for module in (linear, selective, matrices, delta, associative)
    ),
    (moments, "SMALL", 0),
    (local, "SHORTEST_BLOCK", 4),
    (triangle, "_CHUNK", 2),
    (triangle, "FEW_SCORES", 0),
    (triangle, "FEW_BYTES", 0),
    (gathered, "_pays", lambda *_: True),
    (fold, "SHORT_SEQUENCE", 0),
    (convolution, "SHORTEST_FILTER", 2),
    (convolution, "FEW_TAPS", 0),
    (convolution, "FEW_PRODUCTS", 0),
    (separable, "SMALLEST", {True: 1, False: 1}),
    (separable, "SMALLEST_IMAGE", 0),
    (separable, "FEW_PRODUCTS", 0),
    (int8, "FEW_WEIGHTS", 0),
    (bodies, "FEW_PAIRS", 0),
    (bodies, "FEW_PAIRS_IN_TILES", 0),
    (bodies, "FEW_PAIRS_ON_A_GPU", 0),
    (hut, "FEW", 0),
    (hut, "ALL_PAIRS", 0),
    (hut, "ALL_PAIRS_OF_A_PULL", 0),
    (pairs, "FEW_PAIRS", 0),
    (distances, "FEW_DIFFERENCES", 0),
    (distances, "MANY_DIFFERENCES", 0),
    (distances, "MANY_WITH_GRADIENTS", 0),
    (distances, "NARROWEST", 0),
]
"""Below these sizes a reference runs: so small that the fast paths run on the operands here."""


def lower_the_guards(monkeypatch):
    for module, name, value in GUARDS:
        assert hasattr(module, name)
        monkeypatch.setattr(module, name, value)


def affine(first, second):
    (a, b), (c, d) = first, second
    return c * a, c * b + d


def clamp(level, element):
    shift, low, high = element
    return torch.minimum(torch.maximum(level + shift, low), high)


def clamped(first, second):
    (shift, low, high), (more, _, _) = first, second
    return shift + more, clamp(low, second), clamp(high, second)


SEED = torch.Generator().manual_seed(0)


def normal(*shape):
    return torch.randn(shape, dtype=torch.float64, generator=SEED)


def gate(*shape):
    return torch.rand(shape, dtype=torch.float64, generator=SEED)


def recurrence(function):
    options = {"dim": 1, "step": lambda h, e: e[0] * h + e[1], "output_final_state": True}
    return lambda a, b, h: function(affine, (a, b), initial_state=h, **options)


def in_chunks(function):
    """The chunks of an operand; what stands beside it sorts the whole of it."""
    if function is topk.reference:
        return largest(function)
    return lambda x: function(x.split(3, 1), 3, 1)[0]


def of_all_pairs(function):
    """With theta 0, at which nothing is approximated."""
    options = {} if function is hut.reference else {"theta": 0}
    return lambda x, m: function(x, m, softening=0.5, **options)


def largest(function):
    """Values only: among equal ones the reference takes any."""
    return lambda x: function(x, 3, 1)[0]


def closeness(x, y):
    away = x - y
    return torch.exp(-(away * away).sum())


def matrices_of(experts):
    return [lambda x, w=w: torch.tanh(x @ w) for w in experts]


STATES = (gate(2, 9, 3), normal(2, 9, 3), normal(2, 3))
MAMBA = (normal(1, 6, 3), gate(1, 6, 3), -gate(3, 2), normal(1, 6, 2), normal(1, 6, 2))
ROWS = (normal(1, 7, 2, 3), normal(1, 7, 2, 3), normal(1, 7, 2, 4))

WINDOW = (normal(1, 2, 23, 4), normal(1, 2, 23, 4), normal(1, 2, 23, 3))
CHOSEN = torch.tensor([[0, 2], [2, 1], [1, 2], [0, 1], [2, 0]])
INTEGERS = torch.arange(-6, 6, dtype=torch.int8).reshape(4, 3)

CALLS: dict[str, tuple[Any, Any, Callable[[Any], Any], tuple[torch.Tensor, ...]]] = {
    "linear scan": (
        kernels.linear_scan,
        linear.reference,
        lambda f: lambda a, b, h: f(a, b, h, dim=1, output_final_state=True),
        STATES,
    ),
    "linear scan by numbers": (
        kernels.linear_scan,
        linear.reference,
        lambda f: lambda b: f(0.9, b, 0.5, dim=1, reverse=True, output_final_state=True),
        STATES[1:2],
    ),
    "selective scan": (
        kernels.selective_scan,
        selective.reference,
        lambda f: lambda *x: f(*x, output_final_state=True),
        (*MAMBA, normal(1, 3, 2)),
    ),
    "linear attention": (
        kernels.linear_attention,
        matrices.reference,
        lambda f: lambda q, k, v, a: f(q, k, v, decay=a, output_final_state=True),
        (*ROWS, gate(1, 7, 2, 3, 1)),
    ),
    "linear attention by a number": (
        kernels.linear_attention,
        matrices.reference,
        lambda f: lambda q, k, v: f(q, k, v, decay=0.9, reverse=True, exclusive=True),
        ROWS,
    ),
    "delta rule": (
        kernels.delta_rule,
        delta.reference,
        lambda f: lambda q, k, v, beta, a: f(q, k / 2, v, beta, decay=a, output_final_state=True),
        (*ROWS, gate(1, 7, 2), gate(1, 7, 2)),
    ),
    "delta rule by numbers": (
        kernels.delta_rule,
        delta.reference,
        lambda f: lambda q, k, v: f(q, k / 2, v, 0.5, decay=0.9, scale=2.0),
        ROWS,
    ),
    "associative scan": (
        kernels.associative_scan,
        associative.reference,
        lambda f: lambda a, b: f(affine, (a, b), dim=1, reverse=True),
        STATES[:2],
    ),
    "recurrence": (kernels.associative_scan, associative.reference, recurrence, STATES),
    "recurrence of numbers": (
        kernels.associative_scan,
        associative.reference,
        lambda f: lambda x: f(clamped, (x, -0.5, 0.5), dim=1, step=clamp, initial_state=0.1),
        STATES[1:2],
    ),
    "reduce": (
        kernels.reduce,
        fold.reference,
        lambda f: lambda a, b: f(affine, (a, b), dim=1),
        STATES[:2],
    ),
    "softmax": (
        kernels.online_softmax,
        softmax.reference,
        lambda f: lambda x: f(x, 1),
        (normal(3, 8),),
    ),
    "logsumexp": (
        kernels.logsumexp,
        softmax.logsumexp_reference,
        lambda f: lambda x: f(x, 1),
        (normal(3, 8),),
    ),
    "welford": (kernels.welford, moments.reference, lambda f: lambda x: f(x, 1), (normal(3, 8),)),
    "attention": (
        kernels.flash_attention,
        attention.reference,
        lambda f: lambda q, k, v, mask: f(q, k, v, attn_mask=mask),
        (normal(2, 3, 5, 4), normal(2, 3, 6, 4), normal(2, 3, 6, 4), normal(5, 6)),
    ),
    "top-k": (kernels.streaming_topk, topk.reference, largest, (normal(3, 8),)),
    "top-k of equals": (
        kernels.streaming_topk,
        topk.reference,
        largest,
        (normal(3, 8).round(),),
    ),
    "constant product": (
        kernels.constant_product,
        torch.matmul,
        lambda f: f,
        (normal(3, 4), normal(4, 5)),
    ),
    "top-k of chunks": (kernels.streaming_topk_chunks, topk.reference, in_chunks, (normal(3, 8),)),
    "local attention": (
        kernels.local_attention,
        local.reference,
        lambda f: lambda q, k, v: f(q, k, v, window=(2, 1)),
        WINDOW,
    ),
    "causal product": (
        kernels.causal_product,
        triangle.reference,
        lambda f: lambda q, k, v: f(q, k, v, scale=0.5),
        WINDOW,
    ),
    "gathered rows": (
        kernels.gather_matmul,
        gathered.reference,
        lambda f: lambda w, v: f(w, CHOSEN.to(w.device), v),
        (normal(5, 2), normal(6, 3)),
    ),
    "convolution": (
        kernels.fft_conv,
        convolution.reference,
        lambda f: lambda x, h: f(x, h, mode="full"),
        (normal(2, 9), normal(5)),
    ),
    "separable filter": (
        kernels.separable_conv2d,
        separable.reference,
        lambda f: lambda x, g, h: f(x, g, h, padding=1),
        (normal(2, 3, 6, 5), normal(3), normal(3)),
    ),
    "weights of 8 bits": (
        kernels.linear_int8,
        int8.reference,
        lambda f: lambda x, scale, bias: f(x, INTEGERS.to(x.device), scale, bias),
        (normal(2, 3), gate(4), normal(4)),
    ),
    "mixture of experts": (
        kernels.moe,
        experts.reference,
        lambda f: lambda x, weights, first, last: f(x, CHOSEN.to(x.device), weights, first, last),
        (normal(5, 3), gate(5, 2), normal(3, 3, 4), normal(3, 4, 2)),
    ),
    "routed experts": (
        kernels.routed_experts,
        routed.reference,
        lambda f: lambda x, weights, first: f(matrices_of(first), x, CHOSEN.to(x.device), weights),
        (normal(5, 3), gate(5, 2), normal(3, 3, 2)),
    ),
    "particles": (
        kernels.nbody,
        bodies.reference,
        lambda f: lambda x, m: f(x, m, softening=0.5),
        (normal(7, 3), gate(7)),
    ),
    "particles in boxes": (
        kernels.barnes_hut,
        hut.reference,
        lambda f: (
            lambda x, m: f(x, m, softening=0.5, **({} if f is hut.reference else {"theta": 0}))
        ),
        (normal(7, 3), gate(7)),
    ),
    "pairs": (
        kernels.pairwise_reduce,
        pairs.reference,
        lambda f: lambda x, y: f(closeness, (4, 5), (x,), (y,), to_rows=(x[:, 0],)),
        (normal(4, 2), normal(5, 2)),
    ),
    "squared distances": (
        kernels.squared_distances,
        distances.reference,
        lambda f: f,
        (normal(4, 1, 3), normal(5, 3)),
    ),
    "distances": (
        kernels.squared_distances,
        distances.reference,
        lambda f: lambda x, y: f(x, y, root=True),
        (normal(2, 4, 1, 3), normal(2, 1, 5, 3)),
    ),
    "rows beside": (
        kernels.per_step,
        lambda x, y: (x, y[:, None, None]),
        lambda f: f,
        (normal(4, 3, 2), normal(4)),
    ),
}
"""By name: the kernel, its reference, what makes a function of the operands alone of either, and
the operands. KVCache keeps what it is given instead of computing, and is tested by itself."""


def several(results):
    return results if isinstance(results, tuple) else (results,)


def total(function):
    def summed(*operands):
        return sum((each.square() + each).sum() for each in several(function(*operands)))

    return summed
