# expect: ASC104 unsafe scope=mlstm
import torch


def mlstm(q: torch.Tensor, i: torch.Tensor, f: torch.Tensor):
    T, d = q.shape
    C = torch.zeros(d, d)
    m = torch.tensor(0.0)
    for t in range(T):
        mn = torch.maximum(f[t] + m, i[t])
        C = torch.exp(f[t] + m - mn) * C + torch.outer(q[t], q[t])
        m = mn
    return C


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for l in (1, 2, 9):
        yield "mlstm", (draw(l, 3), draw(l), draw(l)), {}
