# expect: ASC103 safe scope=fast_weights
import torch
from torch import Tensor


def fast_weights(keys: Tensor, values: Tensor, queries: Tensor):
    T, d = keys.shape
    W = torch.zeros(values.shape[1], d)
    ys = torch.zeros_like(values)
    for t in range(T):
        W = W + torch.outer(values[t], keys[t])
        ys[t] = W @ queries[t]
    return ys


def cases(rng):
    for steps in (1, 6, 70):

        def made(*shape):
            return torch.tensor(rng.random(shape), dtype=torch.float32, requires_grad=True)

        yield "fast_weights", (made(steps, 3), made(steps, 4), made(steps, 3)), {}
