# refuse: a call that is tried writes the array in between
import numpy as np
import torch


def bump(part):
    part += 1


def tried(matrix: np.ndarray, b: np.ndarray):
    rows, columns = b.shape
    inverse = np.linalg.inv(matrix)
    try:
        bump(matrix)
    except ValueError:
        pass
    return inverse @ b


def at_last(matrix: np.ndarray, b: np.ndarray):
    before = (np.exp(matrix) @ b).min()
    try:
        pass
    finally:
        bump(matrix)
    return before, (np.exp(matrix) @ b).max()


def normed(x: torch.Tensor):
    mean = x.mean(-1, keepdim=True)
    var = ((x - mean) ** 2).mean(-1, keepdim=True)
    try:
        bump(x)
    except ValueError:
        pass
    return (x - mean) / torch.sqrt(var + 1e-5)


def attended(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    scores = q @ k.transpose(-1, -2) * 0.5
    try:
        pass
    except ValueError:
        pass
    else:
        bump(q)
    return torch.softmax(scores, -1) @ v


def cases(rng):
    square = rng.normal(size=(3, 3)) + 4 * np.eye(3)
    for name in ("tried", "at_last"):
        yield name, (square.copy(), rng.normal(size=(3, 2))), {}
    yield "normed", (torch.from_numpy(square.copy()),), {}
    yield "attended", tuple(torch.from_numpy(rng.normal(size=(4, 3))) for _ in range(3)), {}
