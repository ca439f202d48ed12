# refuse: ASC108 mean and deviation are not of the same entries
import torch


def other_axis(x: torch.Tensor):
    mu = x.mean(1)
    sd = x.std(0)
    return mu, sd


def other_shape(x: torch.Tensor):
    mu = x.mean(0, keepdim=True)
    sd = x.std(0)
    return mu, sd


def after_scaling(x: torch.Tensor):
    mu = x.mean(0)
    x = x * 2
    sd = x.std(0)
    return mu, sd


def written_between(x: torch.Tensor):
    y = x.clone()
    mu = y.mean(0)
    y[0] = 0
    sd = y.std(0)
    return mu, sd


def of_two(x: torch.Tensor, y: torch.Tensor):
    mu, sd = x.mean(0), y.std(0)
    return mu, sd


def detached(x: torch.Tensor):
    mu = x.detach().mean(0)
    sd = x.std(0)
    return mu, sd


def cases(rng):
    for shape in ((2, 3), (5, 4)):
        x = torch.tensor(rng.standard_normal(shape), dtype=torch.float32).requires_grad_()
        for name in ("other_axis", "other_shape", "after_scaling", "written_between", "detached"):
            yield name, (x.detach().requires_grad_(),), {}
        yield "of_two", (x, x * 3), {}
