# expect: LOC302 safe scope=heat
import torch


def heat(start: torch.Tensor, steps: int, rate: float):
    rows, columns = start.shape
    u = torch.zeros(steps, rows, columns)
    u[0] = start
    for t in range(1, steps):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                u[t, i, j] = u[t - 1, i, j] + rate * (
                    u[t - 1, i + 1, j] + u[t - 1, i - 1, j] - 4 * u[t - 1, i, j]
                    + u[t - 1, i, j + 1] + u[t - 1, i, j - 1]
                )  # fmt: skip
    return u


def cases(rng):
    start = rng.standard_normal((5, 6)).astype("float32")
    yield "heat", (torch.from_numpy(start), 4, 0.1), {}
    yield "heat", (torch.from_numpy(start).requires_grad_(), 3, 0.1), {}
