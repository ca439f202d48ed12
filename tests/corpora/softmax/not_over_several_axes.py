# refuse: ASC107 the exponentials are divided by sums over some of the axes of others
import torch


def of_other_planes(x: torch.Tensor):
    e = torch.exp(x - x.amax((-2, -1), keepdim=True))
    b, c, h, w = e.shape
    return (e / e.transpose(0, 1).sum((-2, -1), keepdim=True)).view(b, c, h * w)


def with_an_epsilon(x: torch.Tensor):
    e = torch.exp(x - x.amax((-2, -1), keepdim=True))
    return e / (e.sum((-2, -1), keepdim=True) + 1)


def of_a_corner(x: torch.Tensor):
    e = torch.exp(x)
    return e / e[..., 1:, :].sum((-2, -1), keepdim=True)


def squared_in_between(x: torch.Tensor):
    e = torch.exp(x)
    return e / e.sum(-1, keepdim=True).square().sum(-2, keepdim=True)


def cut_off(x: torch.Tensor):
    e = torch.exp(x)
    return e / e.sum((-2, -1), keepdim=True).detach()


def of_rows_cut_otherwise(x: torch.Tensor):
    b, c, h, w = x.shape
    e = torch.exp(x)
    return e / e.reshape(b, c, h * w)[..., : h * w - 1].sum(-1)[..., None, None]


def of_planes_laid_out_otherwise(x: torch.Tensor):
    b, c, h, w = x.shape
    e = torch.exp(x)
    return e / e.reshape(c, b, h * w).sum(-1).reshape(b, c, 1, 1).flip(0)


def cases(rng):
    for shape in ((2, 2, 4, 5), (1, 1, 3, 2), (3, 3, 1, 4)):
        x = torch.tensor(rng.standard_normal(shape), requires_grad=True)
        for name in (
            "of_other_planes",
            "with_an_epsilon",
            "of_a_corner",
            "squared_in_between",
            "of_rows_cut_otherwise",
            "of_planes_laid_out_otherwise",
            "cut_off",
        ):
            yield name, (x,), {}
