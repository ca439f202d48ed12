# expect: ASC107 unsafe scope=softmax
# torch keeps the result of its softmax, which is given back and changed in place
import torch


def softmax(x):
    e = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    return e / e.sum(dim=-1, keepdim=True)


def weights(x):
    w = softmax(x)
    return w, x.shape[-1]


def kept(x, keep):
    w = weights(x)[0]
    w *= keep
    return w


def cases(rng):
    x = torch.tensor(rng.standard_normal((2, 5))).float().requires_grad_()
    yield "kept", (x, torch.tensor(rng.random((2, 5)) > 0.5)), {}
