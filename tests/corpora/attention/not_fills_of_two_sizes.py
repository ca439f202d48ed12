# refuse: a row that both masks hide is full of the number of the last one
import torch


def attend(q, k, v, mask=None, causal=False):
    s = q @ k.transpose(-1, -2)
    if mask is not None:
        s = s.masked_fill(~mask, -1e9)
    if causal:
        later = torch.ones(s.shape[-2:], dtype=torch.bool).triu(1)
        s = s.masked_fill(later, -1e8)
    return s.softmax(-1) @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    keep = torch.tensor([[True] * 5, [False] * 4 + [True]])[:, None]
    for mask in (None, keep):
        for causal in (False, True):
            operands = (draw(2, 5, 4) for _ in range(3))
            yield "attend", (*operands, mask, causal), {}
