# expect: ASC106 safe scope=max_pool_time
import torch


def max_pool_time(hidden):
    """Element-wise maximum over the time axis of (batch, time, features)."""
    pooled = hidden[:, 0]
    for t in range(1, hidden.size(1)):
        pooled = torch.maximum(pooled, hidden[:, t])
    return pooled


def cases(rng):
    for T in (1, 2, 17):
        hidden = torch.tensor(rng.permutation(3 * T * 4).reshape(3, T, 4), dtype=torch.float32)
        yield "max_pool_time", (hidden.requires_grad_(),), {}
