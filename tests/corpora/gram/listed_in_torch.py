# expect: SYM602 safe scope=f
import torch


def f(x: torch.Tensor):
    n, d = x.shape
    return torch.stack(
        [torch.stack([torch.dot(x[i], x[j]) for j in range(n)]) for i in range(n)]
    ).tril()


def cases(rng):
    for n, d in ((1, 1), (2, 3), (7, 5)):
        yield "f", (torch.tensor(rng.normal(size=(n, d)), requires_grad=True),), {}
    wide = torch.tensor(rng.normal(size=(5, 7))).float().requires_grad_()
    yield "f", (wide.T,), {}
