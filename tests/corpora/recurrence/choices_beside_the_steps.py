# expect: ASC103 safe scope=masked
# may: ASC103 safe scope=gated
# expect: ASC101 safe scope=chosen_rate
# expect: ASC105 safe scope=shifted
# may: ASC101 safe|advice scope=skipped
import torch


def masked(q, k, v, mask):
    B, T, D = k.shape
    S = torch.zeros(B, D, v.shape[-1])
    o = []
    for t in range(T):
        kt = k[:, t] if mask is None else k[:, t] * mask[:, t, None]
        S = S + kt[:, :, None] * v[:, t, None, :]
        o.append(torch.einsum("bd,bde->be", q[:, t], S))
    return torch.stack(o, 1)


def gated(q, k, v, f):
    B, T, D = q.shape
    C = torch.zeros(B, D, D)
    hs = []
    for t in range(T):
        ft = torch.sigmoid(f[:, t])
        if len(q) > 1:
            C = ft[:, None, None] * C + v[:, t, :, None] * k[:, t, None, :]
        hs.append(torch.einsum("bd,bed->be", q[:, t], C))
    return torch.stack(hs, 1)


def chosen_rate(x: torch.Tensor, slow: bool):
    h = torch.zeros_like(x[0])
    outs = []
    for t in range(x.shape[0]):
        if slow:
            h = 0.9 * h + x[t]
        else:
            h = 0.5 * h + x[t]
        outs.append(h)
    return torch.stack(outs)


def shifted(x: torch.Tensor, k: float, f: bool):
    s = torch.zeros_like(x[0])
    outs = []
    for t in range(x.shape[0]):
        s = s + x[t]
        outs.append(s + k if f else s)
    return torch.stack(outs)


def skipped(x, a, n: int):
    h = torch.zeros_like(x[0])
    outs = []
    for t in range(x.shape[0]):
        h = a[t] * h + (x[t] if n > 1 else 0)
        outs.append(h)
    return torch.stack(outs)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for mask in (None, torch.rand(2, 5)):
        yield "masked", (draw(2, 5, 3), draw(2, 5, 3), draw(2, 5, 4), mask), {}
    for rows in (1, 2):
        yield "gated", (*(draw(rows, 5, 3) for _ in range(3)), draw(rows, 5)), {}
    for flag in (True, False):
        yield "chosen_rate", (draw(6, 3), flag), {}
        yield "shifted", (draw(6, 3), 0.5, flag), {}
        yield "skipped", (draw(6, 3), torch.rand(6), 1 + flag), {}
