# expect: ASC108 safe scope=group_norm
import torch


def group_norm(x: torch.Tensor, groups: int):
    n, c, h, w = x.shape
    x = x.view(n, groups, c // groups, h, w)
    mean = x.mean(dim=(2, 3, 4), keepdim=True)
    var = x.var(dim=(2, 3, 4), keepdim=True, unbiased=False)
    x = (x - mean) / torch.sqrt(var + 1e-5)
    return x.view(n, c, h, w)


def cases(rng):
    for shape, groups in (((2, 4, 3, 3), 2), ((1, 4, 5, 2), 4), ((2, 4, 3, 1), 1)):
        yield "group_norm", (torch.tensor(rng.normal(size=shape), requires_grad=True), groups), {}
