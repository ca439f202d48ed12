# expect: ASC101 safe scope=reset_mask
import torch
from torch import Tensor


def reset_mask(x: Tensor, done: Tensor, a: float):
    h = torch.zeros_like(x[0])
    outs = []
    for t in range(x.shape[0]):
        h = h * (1 - done[t])
        h = a * h + x[t]
        outs.append(h)
    return torch.stack(outs)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield (
        "reset_mask",
        (
            G(9, 2),
            (
                torch.tensor(
                    rng.random(
                        (
                            9,
                            2,
                        )
                    )
                )
                > 0.5
            ).float(),
            0.9,
        ),
        {},
    )
    yield "reset_mask", (G(9, 2), (torch.tensor(rng.random((9,))) > 0.5).float(), 0.9), {}
