# expect: ASC108 safe scope=standardise
import torch


def standardise(x: torch.Tensor) -> torch.Tensor:
    m1 = x.mean(dim=-1, keepdim=True)
    m2 = x.square().mean(dim=-1, keepdim=True)
    inverse = (m2 - m1 * m1 + 1e-5) ** -0.5
    return (x - m1) * inverse


def cases(rng):
    for shape in ((7, 33), (1, 4)):
        x = torch.tensor(rng.standard_normal(shape), dtype=torch.float64, requires_grad=True)
        yield "standardise", (x,), {}
