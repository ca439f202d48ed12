# expect: ASC108 safe scope=squares
# expect: ASC108 safe scope=of_a_matrix
# expect: ASC108 safe scope=deviations
# expect: ASC108 safe scope=shifted_in_place
import torch


def squares(x):
    power = x.pow(2).mean(-1)
    return x * (power + 1e-6)[..., None] ** -0.5


def of_a_matrix(x, weight):
    rows, width = x.shape
    power = x.square().mean(1)
    return weight * (x / torch.sqrt((power + 1e-6)[:, None]))


def deviations(x):
    batch, steps, width = x.shape
    mean = x.mean(2)
    spread = x.var(2, unbiased=False)
    return (x - mean[:, :, None]) / torch.sqrt((spread + 1e-6)[:, :, None])


def shifted_in_place(x):
    return x * torch.rsqrt(torch.mean(torch.square(x), -1, True).add_(1e-6))


def cases(rng):
    for sizes in ((3, 5), (1, 2), (2, 3, 4)):
        yield "squares", (torch.randn(sizes, requires_grad=True),), {}
        yield "shifted_in_place", (torch.randn(sizes, requires_grad=True),), {}
    yield "of_a_matrix", (torch.randn(3, 5, requires_grad=True), torch.randn(5)), {}
    yield "of_a_matrix", (torch.randn(4, 2, requires_grad=True), torch.randn(2)), {}
    yield "deviations", (torch.randn(2, 3, 5, requires_grad=True),), {}
