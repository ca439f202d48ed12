# expect: ASC105 safe scope=running
import torch


def running(x: torch.Tensor):
    (n,) = x.shape
    acc = torch.tensor(float("-inf"), dtype=x.dtype)
    out = []
    for t in range(n):
        acc = torch.logaddexp(acc, x[t])
        out.append(acc)
    return torch.stack(out)


def cases(rng):
    def G(*s):
        return torch.tensor(rng.standard_normal(s), dtype=torch.float32, requires_grad=True)

    yield "running", (G(300),), {}
    yield "running", (G(1),), {}
