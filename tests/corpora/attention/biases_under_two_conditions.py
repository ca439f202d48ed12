# expect: ASC109 safe scope=attend
import torch


def attend(q, k, v, mask=None, bias=None):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    if bias is not None:
        s = s + bias
    if mask is not None:
        s = s + mask
    return s.softmax(-1) @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    for bias in (None, draw(3, 5, 7), 0.5):
        for mask in (None, draw(2, 1, 1, 7), -1.0):
            operands = draw(2, 3, 5, 4), draw(2, 3, 7, 4), draw(2, 3, 7, 4)
            yield "attend", (*operands, mask, bias), {}
