# expect: ASC114 safe scope=decayed
import torch


def decayed(x: torch.Tensor, gate: torch.Tensor, steps: int):
    gate = torch.sigmoid(gate)
    for _ in range(steps):
        x = x * gate
    return x


def cases(rng):
    for steps in (0, 1, 6):
        yield (
            "decayed",
            (torch.randn(3, 4, requires_grad=True), torch.randn(4, requires_grad=True), steps),
            {},
        )
