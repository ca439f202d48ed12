# expect: SPA402 safe scope=rotation
# expect: SPA402 safe scope=of_a_stack
import torch
from torch import Tensor


def rotation(covariance: Tensor):
    u, _, v = torch.linalg.svd(covariance)
    turned = torch.linalg.det(u @ v)
    ones = torch.ones_like(turned)
    return u @ torch.diag_embed(torch.stack([ones, ones, turned], dim=-1)) @ v


def of_a_stack(covariance: Tensor):
    """As many matrices as rows, each scaled by another number of them all."""
    u, _, v = torch.linalg.svd(covariance)
    turned = torch.linalg.det(u @ v)
    ones = torch.ones_like(turned)
    return u @ torch.diag_embed(torch.stack([ones, ones, turned])) @ v


def cases(rng):
    yield "of_a_stack", (torch.tensor(rng.standard_normal((3, 3, 3))),), {}
    for shape in ((3, 3), (4, 3, 3), (2, 1, 3, 3)):
        yield "rotation", (torch.tensor(rng.standard_normal(shape)),), {}
