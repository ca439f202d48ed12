# expect: ASC107 unsafe scope=softmax
# torch keeps the result of its softmax, of which the caller changes a view in place
import torch


def softmax(x):
    e = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)


def first_hidden(x):
    p = softmax(x).flatten(0, 1)
    first = p[:, 0]
    first.zero_()
    return p


def cases(rng):
    x = torch.tensor(rng.standard_normal((2, 3, 5))).float().requires_grad_()
    yield "first_hidden", (x,), {}
