# expect: ASC101 safe scope=decayed
# expect: ASC105 safe scope=summed
# may: ASC105 unsafe scope=of_matrices
import torch


def decayed(x: torch.Tensor, a: torch.Tensor):
    s = torch.zeros_like(x[0])
    outs = []
    for t in range(len(x)):
        s = 0.5 * s + x[t]
        outs.append(a[t] * s)
    return torch.stack(outs)


def summed(x: torch.Tensor, a: torch.Tensor):
    s = torch.zeros_like(x[0])
    outs = []
    for t in range(len(x)):
        s = s + x[t]
        outs.append(a[t] * s)
    return torch.stack(outs)


def of_matrices(q, k, v, beta):
    T, D = k.shape
    S = torch.zeros(D, v.shape[1])
    outs = []
    for t in range(T):
        S = S + beta[t] * torch.outer(k[t], v[t])
        outs.append(q[t] @ S)
    return torch.stack(outs)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for name in ("decayed", "summed"):
        for shape in ((4,), (4, 1), (4, 4)):
            yield name, (draw(4, 4), draw(*shape)), {}
        yield name, (draw(4, 3), draw(4)), {}
    yield "of_matrices", (draw(4, 4), draw(4, 4), draw(4, 4), draw(4)), {}
