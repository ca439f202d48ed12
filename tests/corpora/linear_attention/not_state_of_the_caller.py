# may: ASC103 safe scope=decode
# refuse: the caller's state is changed in place
import torch


def decode(q, k, v, state):
    b, l, d = q.shape
    ys = []
    for t in range(l):
        state.mul_(0.9).add_(k[:, t, :, None] * v[:, t, None, :])
        ys.append(torch.einsum("bd,bde->be", q[:, t], state))
    return torch.stack(ys, 1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32)
    for b, l in ((1, 1), (2, 6)):
        yield "decode", (draw(b, l, 4), draw(b, l, 4), draw(b, l, 3), draw(b, 4, 3)), {}
