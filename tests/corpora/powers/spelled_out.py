# expect: ASC114 safe scope=eighth
import torch


def eighth(m: torch.Tensor, bias: torch.Tensor):
    rows, _ = m.shape
    return m @ m @ m @ m @ m @ m @ m @ m + bias


def cases(rng):
    for size in (1, 2, 5):
        yield "eighth", ((torch.randn(size, size) / size).requires_grad_(), torch.randn(size)), {}
