# refuse: the root is of one entry of the variance, and divides them all
import torch


def f(x):
    mean = x.mean(dim=(0, 2))
    var = x.var(dim=(0, 2), unbiased=False)
    return (x - mean[None, :, None]) / torch.sqrt(var[1] + 1e-5)


class Sometimes(torch.nn.Module):
    """The mean is of another helper's array at times, which says nothing of this one."""

    def statistics(self, x, y):
        return x.sum(-1, keepdim=True) / x.shape[-1], y.mean(-1, keepdim=True)

    def forward(self, x, y):
        mean, other = self.statistics(x, y)
        square = ((x - mean) ** 2).sum(-1, keepdim=True) / x.shape[-1]
        return (x - mean) / torch.sqrt(square + 1e-5) + other


def cases(rng):
    for n in (2, 5):
        x = torch.tensor(rng.standard_normal((n, 3, 4)), dtype=torch.float32, requires_grad=True)
        yield "f", (x,), {}
        yield "Sometimes()", (torch.arange(12).reshape(3, 4), x[0].detach()), {}
