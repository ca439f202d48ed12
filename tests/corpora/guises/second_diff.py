# expect: ASC104 safe scope=second_diff
import torch
from torch import Tensor


def second_diff(x: Tensor, c: float):
    prev, prev2 = x[0], x[0]
    out = []
    for t in range(x.shape[0]):
        cur = x[t] + c * prev - 0.5 * prev2
        prev2, prev = prev, cur
        out.append(cur)
    return torch.stack(out)


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "second_diff", (R(7, 3), 0.5), {}
    yield "second_diff", (R(7), 0.5), {}
