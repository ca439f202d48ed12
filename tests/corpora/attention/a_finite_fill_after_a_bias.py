# expect: ASC109 safe scope=attend
# expect: ASC109 safe scope=bound_again
# expect: ASC109 safe scope=in_one_branch
import torch


def attend(q, k, v, mask=None, bias=None):
    s = q @ k.transpose(-1, -2)
    if bias is not None:
        s = s + bias
    if mask is not None:
        s = s.masked_fill(mask == 0, -1e9)
    return s.softmax(-1) @ v


def bound_again(q, k, v, bias, mask=None):
    s = (q @ k.transpose(-1, -2) + bias) / q.shape[-1] ** 0.5
    if mask is not None:
        mask = mask.unsqueeze(1)
        s.masked_fill_(mask, -torch.finfo(s.dtype).max)
    return s.softmax(-1) @ v


def in_one_branch(q, k, v, hidden, later, bias=None):
    s = q @ k.transpose(-1, -2)
    if bias is not None:
        bias = bias[None]
        s = s + bias
        s = s.masked_fill(hidden, -1e9)
    s = s.masked_fill(later, -1e9)
    return s.softmax(-1) @ v


def cases(rng):
    def draw(*shape):
        return torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()

    keep = torch.tensor([[1] * 7, [0] * 7])[:, None, None]
    later = torch.ones(5, 7, dtype=torch.bool).triu(1)
    for mask in (None, keep):
        operands = draw(2, 3, 5, 4), draw(2, 3, 7, 4), draw(2, 3, 7, 4)
        yield "attend", (*operands, mask, draw(3, 5, 7)), {}
        yield "attend", (*operands, mask), {}
        hidden = None if mask is None else mask[:, 0] == 0
        yield "bound_again", (*operands, draw(3, 5, 7), hidden), {}
        bias = None if mask is None else draw(3, 5, 7)
        yield "in_one_branch", (*operands, keep == 0, later, bias), {}
