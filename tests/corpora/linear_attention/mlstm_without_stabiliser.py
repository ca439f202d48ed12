# expect: ASC103 safe scope=mlstm
import torch


def mlstm(q, k, v, i, f):
    B, T, D = q.shape
    C = torch.zeros(B, D, D)
    n = torch.zeros(B, D)
    hs = []
    for t in range(T):
        it, ft = torch.exp(i[:, t]), torch.sigmoid(f[:, t])
        C = ft[:, None, None] * C + it[:, None, None] * v[:, t, :, None] * k[:, t, None, :]
        n = ft[:, None] * n + it[:, None] * k[:, t]
        num = torch.einsum("bij,bj->bi", C, q[:, t])
        den = (n * q[:, t]).sum(-1, keepdim=True).abs().clamp(min=1.0)
        hs.append(num / den)
    return torch.stack(hs, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 66)):
        args = (draw(b, l, 4), draw(b, l, 4), draw(b, l, 4), draw(b, l), draw(b, l))
        yield "mlstm", args, {}
