# may: ASC103 safe|unsafe|advice scope=first
# may: ASC103 safe|unsafe|advice scope=second
"""The decay is one item of what holds several."""

import torch


def first(q, k, v, gamma):
    b, n, d = q.shape
    state = torch.zeros(b, d, d)
    out = []
    for i in range(n):
        state = gamma[0] * state + k[:, i, :, None] * v[:, i, None, :]
        out.append(torch.einsum("bd,bde->be", q[:, i], state))
    return torch.stack(out, 1)


def second(q, k, v, gamma):
    b, n, d = q.shape
    state = torch.zeros(b, d, d)
    out = []
    for i in range(n):
        state = gamma[0, 1] * state + k[:, i, :, None] * v[:, i, None, :]
        out.append(torch.einsum("bd,bde->be", q[:, i], state))
    return torch.stack(out, 1)


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32)

    q, k, v = (draw(2, 4, 3) for _ in range(3))
    yield "first", (q, k, v, torch.tensor([0.2, 0.5, 0.9])), {}
    yield "first", (q, k, v, [0.2, 0.5]), {}
    yield "second", (q, k, v, torch.tensor([[0.2, 0.5, 0.9]])), {}
