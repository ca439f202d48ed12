# expect: LOC301 unsafe scope=untold
# expect: LOC301 safe scope=told
import torch


def untold(x: torch.Tensor, y: torch.Tensor):
    return (x[:, None] * y[None, :]).sum(-1)


def told(x: torch.Tensor, y: torch.Tensor):
    n, d = x.shape
    return (x[:, None] * y[None, :]).sum(-1)


def cases(rng):
    def t(*shape):
        return torch.tensor(rng.normal(size=shape), dtype=torch.float32, requires_grad=True)

    for n, m in ((4, 5), (1, 2)):
        yield "untold", (t(n), t(m)), {}
        yield "untold", (t(n, 3), t(m, 3)), {}
        yield "told", (t(n, 3), t(m, 3)), {}
