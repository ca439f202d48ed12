# may: ASC103 advice scope=memory
# refuse: the state is read before it is corrected
import torch


def memory(q, k, w, v, beta, a):
    b, l, d = q.shape
    S = torch.zeros(b, d, v.size(2))
    ys = []
    for t in range(l):
        ys.append(torch.einsum("bd,bde->be", q[:, t], S))
        old = torch.einsum("bd,bde->be", k[:, t], S)
        S = S + beta[:, t, None, None] * k[:, t, :, None] * (v[:, t] - old)[:, None, :]
    return torch.stack(ys, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s) / 3, dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 12)):
        args = (draw(b, l, 4), draw(b, l, 4), draw(b, l, 4), draw(b, l, 3), draw(b, l))
        yield "memory", (*args, draw(b, l, 4)), {}
