# refuse: RED507 the inverse is used for two products
import torch


def transform(basis: torch.Tensor, x: torch.Tensor, y: torch.Tensor):
    inverse = torch.inverse(basis)
    return inverse @ x, inverse @ y


def cases(rng):
    yield "transform", (torch.randn(3, 3), torch.randn(3), torch.randn(3)), {}
