"""What torch's operations, and the kernels that stand in for them, keep for their backward pass
(derivatives.yaml of torch): their results, their operands, or both."""

from __future__ import annotations

from typing import Literal

Kept = Literal["results", "operands", "both"]

KEPT: dict[str, Kept] = {
    "softmax": "results",
    "log_softmax": "results",
    "online_softmax": "results",
    "welford": "operands",
    "layer_norm": "operands",
    "rms_norm": "operands",
    "amax": "both",
    "amin": "both",
    "prod": "both",
    "cumprod": "both",
    "logsumexp": "both",
    "norm": "both",
    "std": "both",
    "solve": "both",
}
"""By the last part of the name. Operations that are not listed keep nothing that a change in place
between the passes could spoil, or private copies of it, or are only written where the code already
had them."""

KEPT_AS_MADE = frozenset(
    "exp exp2 expm1 sigmoid tanh sqrt rsqrt reciprocal relu selu hardtanh tan".split()
)
"""Operations one by one that keep their results: what a loop put together from them is a copy, and
the same of all at once is what they keep."""

PLACES = {
    "index_put": 0, "index_put_": 0, "where": 0, "embedding": 0, "take_along_dim": 0,
    "index_add": 1, "index_add_": 1, "index_select": 1, "gather": 1,
}  # fmt: skip
"""Operations that keep by what they look up or choose, and the argument that this is."""
