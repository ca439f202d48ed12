# expect: SPA402 unsafe scope=scaled_columns
# expect: SPA402 unsafe scope=scaled_rows
import torch


def scaled_columns(weights, gains):
    return weights @ torch.diag(gains)


def scaled_rows(gains, weights):
    matrix = torch.diag(gains)
    return torch.mm(matrix, weights)


def cases(rng):
    weights = torch.randn(3, 4, requires_grad=True)
    yield "scaled_columns", (weights, torch.randn(4, requires_grad=True)), {}
    yield "scaled_columns", (weights, torch.randn(4, 4)), {}
    yield "scaled_rows", (torch.randn(3), weights), {}
