# expect: ASC105 safe scope=so_far
# may: ASC106 advice scope=total
# may: ASC101 advice scope=decayed
import torch


def so_far(x: list[float], step: int):
    s = 0.0
    out = []
    for i in range(0, len(x), step):
        s += x[i]
        out.append(s)
    return out


def total(x: torch.Tensor, step: int):
    s = torch.zeros(3)
    for i in range(0, x.shape[0], step):
        s = s + x[i : i + step].sum(0)
    return s


def decayed(x: torch.Tensor, step: int):
    h = torch.zeros(3)
    for i in range(0, x.shape[0], step):
        h = 0.5 * h + x[i]
    return h


def cases(rng):
    for n in (7, 1, 0):
        x = torch.tensor(rng.normal(size=(n, 3)), dtype=torch.float32)
        for step in (2, 9, -1):
            yield "so_far", (x[:, 0].tolist(), step), {}
            yield "total", (x, step), {}
            yield "decayed", (x, step), {}
