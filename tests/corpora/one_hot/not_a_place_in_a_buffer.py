# refuse: SPA401 the mask names an expert, not a place in its buffer
import torch
import torch.nn.functional as F


def spread(x, weights, chosen):
    combine = weights * F.one_hot(chosen, 4)[:, :, None]
    return torch.einsum("tec,td->ecd", combine, x)


def cases(rng):
    for n in (1, 2, 21):
        chosen = torch.tensor(rng.integers(0, 4, n))
        yield "spread", (torch.randn(n, 3), torch.randn(n, 4, 5, requires_grad=True), chosen), {}
