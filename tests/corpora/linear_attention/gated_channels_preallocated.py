# expect: ASC103 safe scope=gla
import torch


def gla(q, k, v, g):
    B, H, T, D = q.shape
    S = q.new_zeros(B, H, D, v.size(3))
    o = torch.empty_like(v)
    for i in range(T):
        q_i, k_i, v_i = q[:, :, i], k[:, :, i], v[:, :, i]
        S = S * g[:, :, i, :, None].exp() + k_i[:, :, :, None] * v_i[:, :, None, :]
        o[:, :, i] = (q_i[..., None] * S).sum(-2)
    return o


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 75)):
        g = torch.tensor(-3 * rng.random((b, 3, l, 4))).float().requires_grad_()
        yield "gla", (draw(b, 3, l, 4), draw(b, 3, l, 4), draw(b, 3, l, 6), g), {}
