# expect: SYM604 safe scope=f
import torch


def f(x: torch.Tensor, t: torch.Tensor):
    (n,), (n,) = x.shape, t.shape
    i = torch.arange(n, device=x.device)
    return torch.mv(t[(i.unsqueeze(0) - i.unsqueeze(1)).abs()], x)


def cases(rng):
    for n in (1, 2, 7, 12):
        x, h = (torch.tensor(rng.normal(size=n), dtype=torch.float32) for _ in range(2))
        yield "f", (x.requires_grad_(), h.requires_grad_()), {}
    x, h = (torch.tensor(rng.normal(size=18))[::2] for _ in range(2))
    yield "f", (x.requires_grad_(), h.requires_grad_()), {}
