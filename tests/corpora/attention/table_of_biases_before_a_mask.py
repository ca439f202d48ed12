# expect: ASC109 safe scope=attend
import torch


def attend(q, k, v, table, mask=None):
    # q, k, v: (B, H, N, D), table: (H, N, N)
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = s + table.unsqueeze(0)
    if mask is not None:
        seen = mask[:, None, None, :]
        s = s.masked_fill(seen == 0, float("-inf"))
    return s.softmax(-1) @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for length in (1, 5):
        keep = torch.ones(2, length)
        keep[1, 3:] = 0
        for mask in (None, keep):
            operands = (draw(2, 3, length, 4) for _ in range(3))
            yield "attend", (*operands, draw(3, length, length), mask), {}
