# refuse: ones all over are no identity
import torch


def scaled(matrix: torch.Tensor, gains: torch.Tensor):
    rows, columns = matrix.shape
    gain = torch.ones(rows, rows) * gains
    return gain.matmul(matrix)


def cases(rng):
    yield "scaled", (torch.rand(3, 4), torch.rand(3)), {}
    yield "scaled", (torch.rand(1, 2), torch.rand(1)), {}
