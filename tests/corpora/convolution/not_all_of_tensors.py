# refuse: torch takes it along one axis at a time
import torch


def erode(m: torch.Tensor, k: int):
    h, w = m.shape
    out = torch.zeros(h - 2, w - 2, dtype=torch.bool)
    for i in range(h - 2):
        for j in range(w - 2):
            out[i, j] = m[i : i + 3, j : j + 3].all()
    return out


def cases(rng):
    yield "erode", (torch.from_numpy(rng.random((6, 8)) > 0.2), 3), {}
