# refuse: ASC101 numbers that a condition chooses are of single precision, the state is of double
import torch


def since_reset(x: torch.Tensor, done: torch.Tensor):
    n, d = x.shape
    h = torch.zeros(d, dtype=torch.float64)
    out = []
    for t in range(n):
        h = torch.where(done[t], 0.0, h) * 0.999 + x[t]
        out.append(h)
    return torch.stack(out)


def cases(rng):
    for n in (200, 1):
        x = torch.from_numpy(rng.standard_normal((n, 2), dtype="float32"))
        yield "since_reset", (x, x > 2), {}
