# expect: ASC109 safe scope=columns
# expect: ASC109 safe scope=kept_axis
# expect: ASC109 safe scope=joined
# expect: ASC109 safe scope=sized
import torch
import torch.nn.functional as F


def columns(q, k, v):
    B, T, D = q.shape
    out = torch.zeros_like(q)
    for t in range(T):
        s = (q[:, t, None] * k[:, : t + 1]).sum(-1) / D**0.5
        w = F.softmax(s, dim=-1)
        out[:, t] = (w[..., None] * v[:, : t + 1]).sum(1)
    return out


def kept_axis(q, k, v):
    B, H, T, D = q.shape
    o = torch.empty_like(q)
    for i in range(T):
        att = q[:, :, i : i + 1] @ k[:, :, : i + 1].transpose(-2, -1) * D**-0.5
        o[:, :, i : i + 1] = torch.softmax(att, dim=-1) @ v[:, :, : i + 1]
    return o


def joined(q, k, v):
    B, H, T, D = q.shape
    rows = []
    for i in range(T):
        att = q[:, :, i : i + 1] @ k[:, :, : i + 1].transpose(-2, -1) * D**-0.5
        rows.append(torch.softmax(att, dim=-1) @ v[:, :, : i + 1])
    return torch.cat(rows, dim=2)


def sized(q, k, v):
    B, T, D = q.shape
    out = torch.zeros(B, T, v.shape[-1])
    for t in range(T):
        s = torch.einsum("bd,bsd->bs", q[:, t], k[:, : t + 1]) / D**0.5
        out[:, t] = torch.einsum("bs,bsd->bd", s.softmax(-1), v[:, : t + 1])
    return out


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.normal(size=shape), dtype=torch.float32).requires_grad_()

    for name, shape in (
        ("columns", (2, 7, 4)),
        ("kept_axis", (2, 3, 5, 4)),
        ("joined", (2, 3, 5, 4)),
        ("sized", (2, 7, 4)),
        ("sized", (1, 1, 4)),
    ):
        yield name, (draw(*shape), draw(*shape), draw(*shape)), {}
    yield "columns", tuple(draw(2, 4, 7).detach().mT for _ in range(3)), {}
