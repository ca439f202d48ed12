# expect: ASC103 safe scope=fast_weights
# expect: ASC103 safe scope=by_number
import torch


def fast_weights(q, k, v, lam=0.95):
    W = torch.zeros(v.shape[1], k.shape[1])
    ys = []
    for qt, kt, vt in zip(q, k, v):
        W = lam * W + torch.outer(vt, kt)
        ys.append(W @ qt)
    return torch.stack(ys)


def by_number(q, k, v, lam=0.95):
    W = torch.zeros(v.shape[1], k.shape[1])
    ys = []
    for t in range(len(q)):
        W = lam * W + torch.outer(v[t], k[t])
        ys.append(W @ q[t])  # what is stored under the query
    return torch.stack(ys)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for name in ("fast_weights", "by_number"):
        for n in (1, 9):
            yield name, (draw(n, 3), draw(n, 3), draw(n, 4)), {}
