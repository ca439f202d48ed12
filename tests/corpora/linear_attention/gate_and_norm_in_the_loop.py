# expect: ASC103 safe scope=gated
import torch


def gated(q, k, v, gate, gamma: float):
    batch, length, heads, width = q.shape
    S = torch.zeros(batch, heads, width, width)
    outputs = []
    for t in range(length):
        S = gamma * S + k[:, t, :, :, None] * v[:, t, :, None, :]
        o = torch.einsum("bhd,bhde->bhe", q[:, t] * width**-0.5, S)
        o = o / torch.sqrt((o * o).mean(-1, keepdim=True) + 1e-5)
        outputs.append(o * torch.sigmoid(gate[:, t]))
    return torch.stack(outputs, dim=1)


def cases(rng):
    draw = lambda *s: torch.tensor(rng.standard_normal(s), dtype=torch.float32).requires_grad_()
    for b, l in ((1, 1), (2, 66)):
        yield "gated", (*(draw(b, l, 3, 4) for _ in range(4)), 0.9), {}
