# expect: ASC103 safe scope=fast_weights
import torch


def fast_weights(q, k, v):
    steps, size = q.shape
    W = torch.zeros(v.shape[1], size)
    ys = []
    for t in range(steps):
        W = W + torch.outer(v[t], k[t])
        ys.append(W @ q[t])
    return torch.stack(ys)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for l in (1, 2, 70):
        yield "fast_weights", (draw(l, 4), draw(l, 4), draw(l, 3)), {}
