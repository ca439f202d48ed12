# expect: ASC107 safe scope=loss_fn
import torch


def loss_fn(logits, y):
    n = logits.shape[0]
    m = logits.max(1, keepdim=True).values
    norm = logits - m
    counts = norm.exp()
    counts_sum = counts.sum(1, keepdim=True)
    counts_sum_inv = counts_sum**-1
    probs = counts * counts_sum_inv
    logprobs = probs.log()
    return -logprobs[range(n), y].mean()


def cases(rng):
    yield (
        "loss_fn",
        (
            torch.randn(4, 7, requires_grad=True),
            torch.randint(0, 7, (4,)),
        ),
        {},
    )
