# expect: ASC103 safe scope=delta_rule
import torch


def delta_rule(q, k, v, beta):
    b, l, d = q.shape
    S = torch.zeros(b, d, v.size(2))
    ys = []
    for t in range(l):
        old = torch.einsum("bd,bde->be", k[:, t], S)
        S = S + beta[:, t, None, None] * k[:, t, :, None] * (v[:, t] - old)[:, None, :]
        ys.append(torch.einsum("bd,bde->be", q[:, t], S))
    return torch.stack(ys, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 6), (1, 9), (2, 75)):
        k = torch.nn.functional.normalize(draw(b, l, 4).detach(), dim=-1).requires_grad_()
        beta = torch.rand(b, l).requires_grad_()
        yield "delta_rule", (draw(b, l, 4), k, draw(b, l, 3), beta), {}
