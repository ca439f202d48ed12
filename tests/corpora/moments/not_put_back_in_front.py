# refuse: the roots are of the rows, and divide the columns
import torch


def f(x: torch.Tensor):
    centred = x - x.mean(-1, keepdim=True)
    spread = (centred * centred).mean(-1)
    return centred / torch.sqrt(spread + 1e-5).unsqueeze(0)


def g(x: torch.Tensor):
    dims = (0,)
    mean = x.mean(dim=dims, keepdim=True)
    dims = (1,)
    spread = ((x - mean) ** 2).mean(dim=dims, keepdim=True)
    return (x - mean) / torch.sqrt(spread + 1e-5)


def cases(rng):
    for n in (2, 5):
        x = torch.tensor(rng.standard_normal((n, n)), dtype=torch.float32, requires_grad=True)
        yield "f", (x,), {}
        yield "g", (x.detach().requires_grad_(),), {}
