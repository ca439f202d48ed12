# expect: ASC101 safe scope=f
import torch


def f(x: torch.Tensor, a: torch.Tensor):
    h = torch.zeros(x.shape[1])
    n = 5
    ys = []
    for t in range(x.shape[0]):
        h = h * a + x[t] * n
        n -= 2
        ys.append(h * n)
    return torch.stack(ys), n


def cases(rng):
    def G(*s):
        return torch.tensor(rng.random(s), dtype=torch.float32, requires_grad=True)

    yield "f", (G(7, 3), G(3)), {}
    yield "f", (G(1, 3), G(3)), {}
