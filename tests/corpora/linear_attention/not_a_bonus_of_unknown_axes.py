# refuse: ASC101 the axes of the bonus stand among known ones
# refuse: ASC103 the bonus may have more axes
import torch


def rwkv(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, w: torch.Tensor, u: torch.Tensor):
    T, D = q.shape
    S = torch.zeros(D, v.shape[1], dtype=q.dtype)
    out = []
    for t in range(T):
        kv = k[t].unsqueeze(-1) @ v[t].unsqueeze(0)
        out.append(q[t] @ (S + u.unsqueeze(-1) * kv))
        S = torch.exp(-w[t].exp()).unsqueeze(-1) * S + kv
    return torch.stack(out)


def cases(rng):
    make = lambda *shape: torch.tensor(rng.normal(size=shape))
    for t, d, e in ((3, 3, 3), (5, 2, 4)):
        yield "rwkv", (make(t, d), make(t, d), make(t, e), make(t, d), make(d)), {}
