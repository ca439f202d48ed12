# expect: SPA402 unsafe scope=scaled
import torch


def scaled(a: torch.Tensor, b: torch.Tensor):
    n, d = a.shape
    return (torch.eye(n) * b) @ a


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    for n in (1, 2, 5):
        yield "scaled", (G(n, 3), G(n)), {}
        yield "scaled", (G(n, 3), G(n, 1)), {}
        yield "scaled", (G(n, 3), G(n, n)), {}
