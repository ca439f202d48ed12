# refuse: ASC107 the exponentials are of a part of what is summed
import torch


def leading_share(scores: torch.Tensor, k: int):
    leading = torch.exp(scores[:, :k])
    return leading / torch.exp(scores).sum(-1, keepdim=True)


def cases(rng):
    for rows, columns, k in ((3, 5, 2), (1, 4, 1), (2, 3, 3)):
        scores = torch.tensor(rng.standard_normal((rows, columns)), requires_grad=True)
        yield "leading_share", (scores, k), {}
