# expect: ASC107 safe scope=crf
import torch


def crf(emissions, trans, start):
    alpha = start + emissions[0]
    for t in range(1, emissions.shape[0]):
        scores = alpha.unsqueeze(1) + trans + emissions[t].unsqueeze(0)
        m = scores.max(0).values
        alpha = m + torch.log(torch.exp(scores - m).sum(0))
    return alpha


def cases(rng):
    yield (
        "crf",
        (
            torch.randn(5, 3, requires_grad=True),
            torch.randn(3, 3, requires_grad=True),
            torch.randn(3, requires_grad=True),
        ),
        {},
    )
