# refuse: RED513 other rows are read than those that are solved, or the right side is changed
import numpy as np
import torch


def of_the_right_side(L: np.ndarray, b: np.ndarray):
    y = np.zeros(len(b))
    for i in range(len(b)):
        y[i] = (b[i] - L[i, :i] @ b[:i]) / L[i, i]
    return y


def gauss_seidel(A: np.ndarray, b: np.ndarray, steps: int):
    x = np.zeros(len(b))
    for _ in range(steps):
        for i in range(len(b)):
            x[i] = (b[i] - A[i, :i] @ x[:i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x


def columns(L: np.ndarray, b: np.ndarray):
    y = np.zeros(len(b))
    for i in range(len(b)):
        y[i] = (b[i] - L[:i, i] @ y[:i]) / L[i, i]
    return y


def unsolved(L: np.ndarray, b: np.ndarray):
    y = np.zeros(len(b))
    for i in range(len(b)):
        y[i] = (b[i] - L[i, i + 1 :] @ y[i + 1 :]) / L[i, i]
    return y


def begun(L: np.ndarray, b: np.ndarray):
    y = np.ones(len(b))
    for i in range(len(b)):
        y[i] -= L[i, :i] @ y[:i]
    return y


def view(L: torch.Tensor, b: torch.Tensor):
    y = torch.zeros_like(b)
    for i in range(len(b)):
        s = b[i]
        for j in range(i):
            s -= L[i, j] * y[j]
        y[i] = s / L[i, i]
    return y


def cases(rng):
    m = np.tril(rng.normal(size=(4, 4))) + 4 * np.eye(4)
    b = rng.normal(size=4)
    for name in ("of_the_right_side", "columns", "unsolved", "begun"):
        yield name, (m, b), {}
    yield "gauss_seidel", (m, b, 3), {}
    yield "view", (torch.tensor(m), torch.tensor(b)), {}
