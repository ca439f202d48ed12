# expect: RED509 unsafe scope=score
import torch


def score(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor):
    n, k = x.shape
    k, m = w.shape
    (q,) = b.shape
    return (x @ w + b).sum(1)


def cases(rng):
    for columns, numbers in ((4, 4), (1, 4), (4, 1)):
        x, w, b = torch.randn(3, 5), torch.randn(5, columns), torch.randn(numbers)
        yield "score", (x, w, b), {}
