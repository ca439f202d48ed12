# expect: ASC101 safe scope=seg_scan
import torch
from torch import Tensor


def seg_scan(x: Tensor, starts: Tensor):
    s = torch.zeros_like(x[0])
    out = torch.empty_like(x)
    for t in range(x.shape[0]):
        s = torch.where(starts[t], x[t], s + x[t])
        out[t] = s
    return out


def cases(rng):
    def R(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32)

    yield "seg_scan", (R(9), torch.tensor(rng.random((9,))) > 0.5), {}
    yield (
        "seg_scan",
        (
            R(9, 2),
            torch.tensor(
                rng.random(
                    (
                        9,
                        2,
                    )
                )
            )
            > 0.5,
        ),
        {},
    )
    yield "seg_scan", (R(9, 2), torch.tensor(rng.random((9,))) > 0.5), {}
