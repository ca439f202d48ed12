# expect: RED509 unsafe scope=last_logits
import torch


def last_logits(hidden, head):
    logits = torch.matmul(hidden, head)
    return logits[:, -1, :]


def cases(rng):
    yield "last_logits", (torch.randn(2, 3, 4, requires_grad=True), torch.randn(4, 5)), {}
    yield "last_logits", (torch.randn(1, 1, 4), torch.randn(4, 5)), {}
