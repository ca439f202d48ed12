# expect: SPA402 unsafe scope=scaled
# expect: SPA402 unsafe scope=stepwise
import numpy as np
import torch


def scaled(matrix: torch.Tensor, gains: torch.Tensor):
    """Nothing says how many axes the gains have; the product stands on a line of its own."""
    rows, columns = matrix.shape
    gain = torch.eye(rows) * gains
    return gain.matmul(matrix)


def stepwise(matrix: np.ndarray, gains: np.ndarray):
    rows, columns = matrix.shape
    ones = np.identity(rows)
    gain = gains * ones
    return gain @ matrix


def cases(rng):
    for n, m in ((3, 4), (1, 2)):
        matrix, gains = rng.random((n, m)), rng.random(n)
        yield "scaled", (torch.tensor(matrix).float(), torch.tensor(gains).float()), {}
        yield "stepwise", (matrix, gains), {}
